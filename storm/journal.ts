/** What the outside client sent and what it was answered: in memory, and on disk for whoever looks into a failure. */
import { appendFileSync } from 'node:fs';
import type { Statement } from './texts.ts';

export interface Tenant {
  id: string;
  key: string;
}

export interface Entry {
  tenant: Tenant;
  scopeId: string;
  /** Unique over the whole run, so that a document can be told from any other by its name alone. */
  name: string;
  /** Null: the service makes one. Then there is no key either, and nothing that could be sent again. */
  documentId: string | null;
  key: string | null;
  statement: Statement;
  /** What the first 202 said. */
  accepted: { documentId: string; seq: number } | null;
  /** Later answers to the same request that said something else. */
  otherAnswers: string[];
  sends: number;
}

export interface Sent {
  /** Of the replica. */
  url: string;
  at: number;
  ms: number;
  /** Null when there was no answer. */
  status: number | null;
  error?: string;
}

export class Journal {
  readonly entries: Entry[] = [];
  readonly sent: Sent[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  open(entry: Entry): void {
    this.entries.push(entry);
  }

  note(entry: Entry, sent: Sent): void {
    this.sent.push(sent);
    const { name, scopeId, tenant, accepted } = entry;
    const line = { ...sent, name, scope: scopeId, tenant: tenant.id, accepted };
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** Latencies of answers with this status to what was sent in a span of time, sorted. */
  latencies(from: number, to: number, status = 202): number[] {
    return this.sent
      .filter((sent) => sent.status === status && sent.at >= from && sent.at < to)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
  }

  count(status: number | null): number {
    return this.sent.filter((sent) => sent.status === status).length;
  }

  /** Requests that the service had taken and that were cut off before their answer: their outcome was unknown. */
  get cutOff(): number {
    return this.sent.filter(({ status, error }) => status === null && error === 'ECONNRESET').length;
  }

  /** Answers that a good service never gives a good client. */
  get odd(): Sent[] {
    return this.sent.filter(({ status }) => status !== null && status !== 202 && status !== 503);
  }
}

export const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
