/** What was found out last, for those who cannot wait for it: whoever asks waits a moment for something newer. */
import { within } from '../within.ts';

/** Whoever asks while a question is as old as this asks anew: what it waits for may be a connection that is dead. */
const ANEW_MS = 2000;
/** So many questions are under way at once, however many want to know. */
const MOST = 2;

export interface Known<Value> {
  /** Null when it was never found out. */
  value: Value | null;
  /** When that was asked for, in milliseconds since 1970; null when it was never found out. */
  asOf: number | null;
  /** Whether that is what was asked for now. */
  isFresh: boolean;
  /** Whether there was any answer in time, if only the beginning of one. */
  isAnswered: boolean;
  /** Why there was none; null when time was up. */
  error: unknown;
}

interface Question {
  began: number;
  isAnswered: boolean;
}

type Answer<Value> = { value: Value } | { error: unknown };

export class LastKnown<Value> {
  readonly #ask: (onAnswered: () => void) => Promise<Value>;
  #last: { value: Value; asOf: number } | null = null;
  #newest: { question: Question; answer: Promise<Answer<Value>> } | null = null;
  #underWay = 0;

  /** `ask` tells when it has the first word of an answer. */
  constructor(ask: (onAnswered: () => void) => Promise<Value>) {
    this.#ask = ask;
  }

  /** It never fails, and takes no longer than it may. */
  async look(patienceMs: number): Promise<Known<Value>> {
    const { question, answer } = this.#newestQuestion();
    const found = await within(Math.max(0, patienceMs), answer, { error: null });
    const isFresh = 'value' in found;
    return {
      value: isFresh ? found.value : (this.#last?.value ?? null),
      asOf: this.#last?.asOf ?? null,
      isFresh,
      isAnswered: isFresh || question.isAnswered,
      error: isFresh ? null : found.error,
    };
  }

  #newestQuestion() {
    const newest = this.#newest;
    if (newest && (performance.now() - newest.question.began < ANEW_MS || this.#underWay >= MOST)) return newest;
    const question = { began: performance.now(), isAnswered: false };
    this.#newest = { question, answer: this.#find(question) };
    return this.#newest;
  }

  async #find(question: Question): Promise<Answer<Value>> {
    const asOf = Date.now();
    this.#underWay++;
    try {
      const value = await this.#ask(() => {
        question.isAnswered = true;
      });
      // One that was asked later may have been answered sooner.
      if (!this.#last || this.#last.asOf <= asOf) this.#last = { value, asOf };
      return { value };
    } catch (error) {
      question.isAnswered = false;
      return { error };
    } finally {
      this.#underWay--;
      if (this.#newest?.question === question) this.#newest = null;
    }
  }
}
