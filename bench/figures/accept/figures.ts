/** The figures of accepting, with their targets and what they were before. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

const capacity = () => import('./capacity.ts');

export const acceptFigures: Figure[] = [
  {
    name: '64-connections',
    bench: 'accept',
    rows: [
      {
        title: 'accepted a second / bare route, 64 connections, with idempotency keys',
        target: { sign: '≥', value: 0.52, stretch: 0.6 },
        before: '0.43',
      },
    ],
    measure: async (stores) => (await capacity()).measureCapacity(stores, 64),
  },
  {
    name: '256-connections',
    bench: 'accept',
    rows: [
      {
        title: 'accepted a second / bare route, 256 connections, with idempotency keys',
        target: { sign: '≥', value: 0.62, stretch: 0.7 },
        before: '0.55',
      },
    ],
    measure: async (stores) => (await capacity()).measureCapacity(stores, 256),
  },
  {
    name: 'while-processing',
    bench: 'accept',
    rows: [
      {
        title: 'p99 of accepting while processing is saturated / with the runtime paused',
        target: { sign: '≤', value: 3, stretch: 2 },
        before: '5.05',
      },
    ],
    measure: async (stores) => (await import('./while-processing.ts')).measureWhileProcessing(stores),
  },
  {
    name: 'held-snapshot',
    bench: 'accept',
    isLong: true,
    rows: [
      {
        title: 'accepting after ten minutes with an old snapshot held at 400 documents/s / without',
        target: { sign: '≥', value: 0.9 },
      },
    ],
    measure: async (stores) => (await import('./held-snapshot.ts')).measureHeldSnapshot(stores),
  },
];
