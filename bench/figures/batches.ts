/** Documents posted a hundred at a time: the quickest way in, for what is not measured. */
import { type Sentence, scopeIdOf, tenantOf } from '../parts/sentences.ts';
import type { Tenant } from '../parts/stores.ts';
import type { ServiceNode } from '../process/node.ts';
import type { Progress } from './progress.ts';

/** As many as the route takes. */
const BATCH = 100;
/** Enough that the next one is there when one is stored. */
const AT_ONCE = 4;

interface Target {
  front: ServiceNode;
  tenants: Tenant[];
}

interface BatchesOptions {
  scopeId?: (scope: number) => string;
  progress?: Progress;
}

export async function postInBatches(
  { front, tenants }: Target,
  sentences: Sentence[],
  { scopeId = scopeIdOf, progress }: BatchesOptions = {},
): Promise<void> {
  const batches = batchesOf(tenants, sentences);
  let posted = 0;
  const client = async () => {
    for (let next = batches.pop(); next; next = batches.pop()) {
      const documents = next.batch.map(({ scope, name, text }) => ({ scope_id: scopeId(scope), name, text }));
      const { results } = await front.call('POST', '/api/ingest/batch', next.tenant, { documents });
      const refused = results.find(({ status }: { status: number }) => status !== 202);
      if (refused) throw new Error(`a document was answered ${JSON.stringify(refused)}`);
      posted += documents.length;
      progress?.at(posted);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

/** Each has documents of one tenant. */
function batchesOf(tenants: Tenant[], sentences: Sentence[]): { tenant: Tenant; batch: Sentence[] }[] {
  const byTenant = Map.groupBy(sentences, ({ scope }) => tenantOf(tenants, scope));
  return [...byTenant].flatMap(([tenant, its]) =>
    Array.from({ length: Math.ceil(its.length / BATCH) }, (_, n) => ({
      tenant,
      batch: its.slice(n * BATCH, (n + 1) * BATCH),
    })),
  );
}
