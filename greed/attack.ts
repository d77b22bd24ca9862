/** What an attack consists of. Its parts share a service; each has a tenant of its own, and a row in the table. */
import type { Backend, Deployment } from '../storm/deployment.ts';
import type { Tenant } from '../storm/journal.ts';
import type { Role } from '../storm/node.ts';

/** How often what was tried was seen to happen, by name: a part of which something never happened is void. */
export type Bites = Record<string, number>;

/** What the attacker's process knows. */
export interface Target {
  url: string;
  tenant: Tenant;
  admin: string;
  internals: string;
  long: boolean;
}

/** What the tool itself knows of one part in one round. */
export interface Scene {
  deployment: Deployment;
  tenant: Tenant;
  long: boolean;
  /** Whether the bystander is done. */
  isOver(): boolean;
}

export interface Found {
  bites?: Bites;
  /** What was promised and did not hold, beside what the bystander saw. */
  complaints?: string[];
}

export interface Part {
  /** Empty for the only one. */
  name: string;
  what: string;
  /** Not in the short form, whose few posts say too little of it. */
  isLongOnly?: boolean;
  /** In the tool, before anything is measured. */
  prepare?(scene: Scene): Promise<void>;
  /** In a process of its own, until it is over. */
  strike?(target: Target, isOver: () => boolean): Promise<Bites>;
  /** In the tool, when the attacker is at it and before the bystander begins. What it returns is called when that is done. */
  alongside?(scene: Scene): Promise<() => Promise<Found>>;
}

export interface Attack {
  number: number;
  name: string;
  /** Not set: one process that does all. */
  roles?: Role[];
  /** Of the service; whatever they need is opened here. */
  settings?(): Promise<Record<string, string>>;
  parts: Part[];
}

export interface Run {
  attack: Attack;
  backend: Backend;
  long: boolean;
  /** The folder of the code. */
  source: string;
  say(line: string): void;
}

export const titleOf = ({ number, name }: Attack, part: Part) => `${number} ${name}${part.name && `: ${part.name}`}`;

/** Statements over many rows go in pieces: none takes longer than a busy machine is allowed. */
export async function inPieces(
  rows: number,
  piece: number,
  statement: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows; from += piece) await statement(from, Math.min(from + piece, rows) - 1);
}
