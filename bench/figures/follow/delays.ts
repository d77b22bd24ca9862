/** How long after a document was settled it was known, on either way. Pure. */

/** In ms, by the clock; null until it has happened. */
export interface Times {
  askedAt: number | null;
  answeredAt: number | null;
  deliveredAt: number | null;
}

export interface Delays {
  answers: number[];
  deliveries: number[];
  /** Settled before anybody asked: an answer at once tells nothing of waiting. */
  late: number;
}

export function delaysOf(documents: (Times & { settledAt: number })[]): Delays {
  const delays: Delays = { answers: [], deliveries: [], late: 0 };
  for (const { askedAt, answeredAt, deliveredAt, settledAt } of documents) {
    if (askedAt === null || answeredAt === null) throw new Error('a document was waited for in vain');
    if (deliveredAt === null) throw new Error('the event of a document was not delivered');
    if (askedAt >= settledAt) delays.late++;
    else {
      delays.answers.push(answeredAt - settledAt);
      delays.deliveries.push(deliveredAt - settledAt);
    }
  }
  return delays;
}
