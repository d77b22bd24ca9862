/** One run of a scenario: a deployment under a journaled load with a reader of its events, and how it is concluded. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from './chance.ts';
import { Changes } from './changes.ts';
import { type Backend, type Deployment, type DeploymentOptions, deploy } from './deployment.ts';
import { closeLater } from './ending.ts';
import { Follower } from './follower.ts';
import { Journal } from './journal.ts';
import { Load, type LoadOptions } from './load.ts';
import { settleBooks } from './oracle/quiet.ts';
import type { Verdict } from './oracle/verdict.ts';

/** How a scenario is to be run. */
export interface Run {
  long: boolean;
  backend: Backend;
  processes: 1 | 4;
  chance: Chance;
  /** The folder of the code. */
  source: string;
  /** Where the journal and the logs are left, for whoever looks into a failure. */
  evidence: string;
  /** A line of progress. */
  say: (line: string) => void;
}

export interface Outcome {
  verdict: Verdict;
  /** What was promised and did not hold, beside what the oracle found. */
  complaints: string[];
  /** How often each fault was seen to bite: one that did not makes the run void. */
  bites: Record<string, number>;
  /** Of the column "passes when". */
  figures: Record<string, string | number>;
}

export interface Scenario {
  number: number;
  name: string;
  what: string;
  /** The short form takes the one that is due, if it can. */
  backends: Backend[];
  processes: (1 | 4)[];
  run(run: Run): Promise<Outcome>;
}

export interface Siege {
  run: Run;
  deployment: Deployment;
  journal: Journal;
  load: Load;
  follower: Follower;
  /** Null where it would be in the way of what is measured. */
  changes: Changes | null;
}

/** Counts and times of the table are those of the long form; the short one has a tenth. */
export const scaled = ({ long }: Run, n: number, least = 1) => (long ? n : Math.max(least, Math.round(n / 10)));

const PER_SECOND = 120;

export async function besiege(
  run: Run,
  options: Partial<DeploymentOptions> = {},
  { changing = false, ...loading }: Partial<LoadOptions> & { changing?: boolean } = {},
): Promise<Siege> {
  const { source, backend, processes, chance } = run;
  const deployment = await deploy({ source, backend, processes, ...options });
  closeLater(() => keepEvidence(deployment.folder, run.evidence));
  const journal = new Journal(join(deployment.folder, 'journal.jsonl'));
  const { tenants, urls } = deployment;
  const changes = changing ? new Changes({ deployment, chance, file: join(deployment.folder, 'changes.jsonl') }) : null;
  const usual = { scopes: 4, perSecond: PER_SECOND, beside: changes };
  const load = new Load({ urls, tenants, chance, journal, ...usual, ...loading });
  const follower = new Follower(deployment);
  load.start();
  run.say('the load is on');
  return { run, deployment, journal, load, follower, changes };
}

/** Without the data of the stores. */
function keepEvidence(folder: string, evidence: string): void {
  mkdirSync(evidence, { recursive: true });
  for (const name of readdirSync(folder))
    if (/\.(log|jsonl)$/.test(name)) cpSync(join(folder, name), join(evidence, name));
}

const ANSWER_MS = 60_000;

export interface Ending extends Omit<Outcome, 'verdict' | 'complaints'> {
  complaints?: string[];
}

/** Ends the load, lets the service come to rest, and settles the books. */
export async function conclude(
  { run, deployment, journal, load, follower, changes }: Siege,
  { complaints = [], bites, figures }: Omit<Outcome, 'verdict' | 'complaints'> & { complaints?: string[] },
  stuckMs = 30_000,
): Promise<Outcome> {
  run.say(`the storm is over; ${journal.entries.length} documents were sent`);
  const unanswered = await load.finish(ANSWER_MS);
  run.say('all is answered');
  const verdict = await settleBooks(deployment, journal, follower, stuckMs, changes?.scopes);
  follower.close();
  const all = [...complaints];
  if (unanswered > 0) all.push(`${unanswered} were never answered though sent again and again`);
  const odd = journal.odd;
  if (odd.length > 0) all.push(`${odd.length} answers that were neither 202 nor 503, the first ${odd[0]?.status}`);
  const wrong = changes?.odd ?? [];
  if (wrong.length > 0) all.push(`${wrong.length} changes were answered amiss, the first ${wrong[0]}`);
  const accepted = journal.entries.filter((entry) => entry.accepted).length;
  const changed = Object.entries(changes?.steps ?? {}).map(([what, n]) => `${n} ${what}`);
  return {
    verdict,
    complaints: all,
    bites,
    figures: {
      accepted,
      '503s': journal.count(503),
      ...(changes && { changes: changed.join(' ') }),
      ...figures,
    },
  };
}
