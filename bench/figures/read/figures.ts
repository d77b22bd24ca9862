/** The figures of reading what was understood, with their targets. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

export const readFigures: Figure[] = [
  {
    name: 'growth',
    bench: 'read',
    rows: [
      {
        title: 'time to read facts, claims and lists of a scope of 100,000 / of 1,000, the worst of fifteen',
        target: { sign: '≤', value: 1.5 },
      },
    ],
    measure: async (stores) => (await import('./growth.ts')).measureGrowth(stores),
  },
  {
    name: 'long',
    bench: 'read',
    rows: [
      {
        title: 'facts on a page of 50, the fewest, of documents of 1, 10, 100 and 500 sentences',
        target: { sign: '≥', value: 50 },
      },
      {
        title: 'time to read a page of facts of documents of 10, 100 or 500 sentences / of one, the worst',
        target: { sign: '≤', value: 1.5 },
      },
    ],
    measure: async (stores) => (await import('./long.ts')).measureLong(stores),
  },
  {
    name: 'beside',
    bench: 'read',
    rows: [
      {
        title: 'p50 of accepting beside 64 connections that read facts of another tenant / alone',
        target: { sign: '≤', value: 3 },
      },
    ],
    measure: async (stores) => (await import('./beside.ts')).measureBeside(stores),
  },
  {
    name: 'keeping',
    bench: 'read',
    rows: [
      {
        title: 'documents processed for the CPU that they take, with facts kept readable / without, 50 scopes',
        target: { sign: '≥', value: 0.95 },
      },
      {
        title: 'documents processed for the CPU that they take, with facts kept readable / without, one scope',
        target: { sign: '≥', value: 0.95 },
      },
    ],
    measure: async (stores) => (await import('./keeping.ts')).measureKeeping(stores),
  },
];
