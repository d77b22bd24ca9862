/** What a stream has handed over to be stored: what fails for a reason that may pass is tried again in its place, for a while. */
import type { Acceptance, Submission } from '../../domain/accept/submission.ts';
import type { AppError } from '../../errors.ts';
import type { StreamDeps } from '../deps.ts';
import { toIngestResponse, toStoredDocument } from '../document-answers.ts';
import { toAppError } from '../problem.ts';
import type { Entry, Outcome } from './answers.ts';

/** How long a limit, or a store that cannot be reached, may hold a stream up before it is ended. */
export const HELD_UP_MS = 60_000;
/** So often it is tried again meanwhile. */
export const RETRY_MS = 500;

export interface StoringOptions {
  accepter: StreamDeps['accepter'];
  onStored: (entry: Entry, outcome: Outcome) => void;
  onRefused: (entry: Entry, error: AppError) => void;
  /** Neither is known of a line: the stream ends there. */
  onHopeless: (error: AppError) => void;
}

interface Sent {
  entry: Entry;
  submission: Submission;
  names: string[];
  /** When it failed for the first time. */
  since: number | null;
}

export class Storing {
  readonly #options: StoringOptions;
  /** Ids and keys that are being stored. */
  readonly #names = new Set<string>();
  #inFlight = 0;
  #isStopped = false;

  constructor(options: StoringOptions) {
    this.#options = options;
  }

  /** How many lines will hear what became of them, whatever happens. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whoever shares an id or a key with a line before it has to wait: tried again, that one would come after it. */
  mustWait(submission: Submission): boolean {
    return namesOf(submission).some((name) => this.#names.has(name));
  }

  add(entry: Entry, submission: Submission): void {
    const names = namesOf(submission);
    for (const name of names) this.#names.add(name);
    this.#submit({ entry, submission, names, since: null });
  }

  /** Nothing is tried again. */
  stop(): void {
    this.#isStopped = true;
  }

  #submit(sent: Sent): void {
    const { entry, submission } = sent;
    const { accepter, onStored } = this.#options;
    this.#inFlight++;
    accepter.accept(submission).then(
      (acceptance) => {
        this.#inFlight--;
        this.#forget(sent);
        onStored(entry, toOutcome(acceptance, submission));
      },
      (error) => {
        this.#inFlight--;
        this.#fail(sent, toAppError(error));
      },
    );
  }

  #fail(sent: Sent, error: AppError): void {
    const { onRefused, onHopeless } = this.#options;
    const { code, reason, mayBeStored } = error;
    if (code !== 'unavailable' && code !== 'unauthorized') {
      this.#forget(sent);
      onRefused(sent.entry, error);
      return;
    }
    const now = performance.now();
    sent.since ??= now;
    const isOver = code === 'unauthorized' || reason === 'ending' || now - sent.since > HELD_UP_MS;
    // Without a name of its own it might be stored twice.
    const isLost = mayBeStored && sent.names.length === 0;
    if (isOver || isLost || this.#isStopped) onHopeless(error);
    else setTimeout(() => !this.#isStopped && this.#submit(sent), RETRY_MS).unref();
  }

  #forget({ names }: Sent): void {
    for (const name of names) this.#names.delete(name);
  }
}

function namesOf({ scopeId, documentId, idempotencyKey }: Submission): string[] {
  const names: string[] = [];
  if (documentId) names.push(`document ${scopeId} ${documentId}`);
  if (idempotencyKey) names.push(`key ${idempotencyKey}`);
  return names;
}

function toOutcome(acceptance: Acceptance, submission: Submission): Outcome {
  const replayed = acceptance.replayed && { replayed: true };
  if (submission.route === 'ingest')
    return { status: 202, document: toIngestResponse(acceptance, submission), ...replayed };
  return { status: 201, document: toStoredDocument(acceptance, submission), ...replayed };
}
