/** The figures of many documents at once, in and out, with their targets. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

export const bulkFigures: Figure[] = [
  {
    name: 'lines',
    bench: 'bulk',
    rows: [
      {
        title: 'lines accepted a second by one stream / documents by POST /api/ingest at 256 connections',
        target: { sign: '≥', value: 1.5 },
      },
    ],
    measure: async (stores) => (await import('./lines.ts')).measureLines(stores),
  },
  {
    name: 'lines-memory',
    bench: 'bulk',
    rows: [
      {
        title: 'growth of memory over 1,000,000 lines of one stream, MB',
        target: { sign: '≤', value: 50 },
      },
    ],
    measure: async (stores) => (await import('./memory.ts')).measureStreamMemory(stores),
  },
  {
    name: 'lines-beside',
    bench: 'bulk',
    rows: [
      {
        title: 'p50 of accepting of a light tenant beside one stream at full speed / alone',
        target: { sign: '≤', value: 3 },
      },
    ],
    measure: async (stores) => (await import('./beside.ts')).measureBesideStream(stores),
  },
  {
    name: 'export',
    bench: 'bulk',
    rows: [
      {
        title: 'documents exported a second, with their texts, of 100,000 / rows of the same by COPY through pg',
        target: { sign: '≥', value: 0.3 },
      },
    ],
    measure: async (stores) => (await import('../../bulk/export.ts')).measureExport(stores),
  },
];
