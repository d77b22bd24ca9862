/** The figures of processing, with their targets and what they were before. What measures one is imported when it is run. */
import type { Figure } from '../figure.ts';

const rate = () => import('./rate.ts');

export const processFigures: Figure[] = [
  {
    name: '50-scopes',
    bench: 'process',
    rows: [
      {
        title: 'processed a second / bare route, 50 scopes',
        target: { sign: '≥', value: 0.2, stretch: 0.28 },
        before: '0.093; prototype 0.18',
      },
    ],
    measure: async (stores) => (await rate()).measureRate(stores, 'fifty'),
  },
  {
    name: '2000-scopes',
    bench: 'process',
    rows: [
      {
        title: 'processed a second / bare route, 2,000 scopes of two documents',
        target: { sign: '≥', value: 0.14, stretch: 0.2 },
        before: '0.021; prototype 0.157',
      },
    ],
    measure: async (stores) => (await rate()).measureRate(stores, 'pairs'),
  },
  {
    name: 'one-scope',
    bench: 'process',
    rows: [
      {
        title: 'processed a second / bare route, one scope',
        target: { sign: '≥', value: 0.12, stretch: 0.16 },
        before: '0.05',
      },
    ],
    measure: async (stores) => (await rate()).measureRate(stores, 'one'),
  },
  {
    name: 'two-workers',
    bench: 'process',
    rows: [{ title: 'processed a second / bare route, 50 scopes, two worker processes' }],
    measure: async (stores) => (await rate()).measureRate(stores, 'fifty', { workers: 2 }),
  },
  {
    name: 'no-cache',
    bench: 'process',
    rows: [{ title: 'processed a second / bare route, 50 scopes, without the cache of the index' }],
    measure: async (stores) => (await rate()).measureWithoutCache(stores),
  },
  {
    name: 'crowded',
    bench: 'process',
    rows: [
      {
        title:
          'processed a second / bare route, 30 scopes whose indexes have room for a fifth of their 15,000 documents',
      },
    ],
    measure: async (stores) => (await rate()).measureCrowded(stores),
  },
  {
    name: 'jobs',
    bench: 'process',
    rows: [
      {
        title: '10,000 scopes of one document: ours / one BullMQ job a document, on Redis',
        target: { sign: '≥', value: 1, stretch: 2 },
        before: '0.10 with no-op stages',
      },
      {
        title: '10,000 scopes of one document: ours / one BullMQ job a document, on Postgres',
        target: { sign: '≥', value: 1, stretch: 2 },
        before: '0.21 with no-op stages',
      },
    ],
    measure: async (stores) => (await import('./jobs.ts')).measureJobs(stores),
  },
  {
    name: 'postgres-cpu',
    bench: 'process',
    rows: [
      {
        title: 'CPU of Postgres for a document at 50 scopes / CPU of a bare request',
        target: { sign: '≤', value: 3, stretch: 2 },
        before: 'about 10',
      },
    ],
    measure: async (stores) => (await import('./postgres-cpu.ts')).measurePostgresCpu(stores),
  },
  {
    name: 'light-tenant',
    bench: 'process',
    rows: [
      {
        title: 'p95 of a light tenant’s time to processed beside a saturating one / alone',
        target: { sign: '≤', value: 5, stretch: 3 },
      },
    ],
    measure: async (stores) => (await import('./light-tenant.ts')).measureLightTenant(stores),
  },
  {
    name: 'large-scope',
    bench: 'process',
    rows: [{ title: 'time for a document in a scope of 100,000 / of 10,000', target: { sign: '≤', value: 1.2 } }],
    measure: async (stores) => (await import('./large-scope.ts')).measureLargeScope(stores),
  },
  {
    name: 'versions',
    bench: 'process',
    rows: [
      {
        title: 'a new version of a document with 100,000 versions / with 10',
        target: { sign: '≤', value: 1.5 },
        before: '29',
      },
    ],
    measure: async (stores) => (await import('./versions.ts')).measureVersions(stores),
  },
  {
    name: 'memory',
    bench: 'process',
    isLong: true,
    rows: [
      {
        title: 'resident memory with 1,000,000 documents in 10,000 scopes drained / after the first 1,000',
        target: { sign: '≤', value: 1.5 },
      },
    ],
    measure: async (stores) => (await import('./memory.ts')).measureMemory(stores),
  },
];
