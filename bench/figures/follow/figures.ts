/** The figures of waiting and following, with their targets. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

export const followFigures: Figure[] = [
  {
    name: 'accepting',
    bench: 'follow',
    rows: [
      {
        title: 'accepted a second with 1,000 who wait and 1,000 streams of tenants open / with none',
        target: { sign: '≥', value: 0.9 },
      },
    ],
    measure: async (stores) => (await import('./accepting.ts')).measureAccepting(stores),
  },
  {
    name: 'answers',
    bench: 'follow',
    rows: [
      {
        title: 'p99 from settling a document to the answer for who waits for it / to the delivery of its event',
        target: { sign: '≤', value: 1.5 },
      },
    ],
    measure: async (stores) => (await import('./answers.ts')).measureAnswers(stores),
  },
  {
    name: 'statements',
    bench: 'follow',
    rows: [
      {
        title: 'statements a second with 1,000 who wait / with one',
        target: { sign: '≤', value: 1.1 },
      },
    ],
    measure: async (stores) => (await import('./statements.ts')).measureStatements(stores),
  },
];
