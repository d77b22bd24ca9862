/** The figures of reading what was understood, with their targets. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

export const readFigures: Figure[] = [
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
