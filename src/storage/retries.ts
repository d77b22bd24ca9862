/** Documents that have failed, sent back to the queue. */
import type { Queryable } from './database.ts';
import type { ScopedSeq } from './found-documents.ts';
import type { LaneName } from './lanes.ts';

export interface RetriedDocument extends LaneName {
  document_id: string;
  version: number;
  seq: number;
}

export interface Retried {
  documents: RetriedDocument[];
  /** Scopes that had no work before. */
  awakened: LaneName[];
  /** Somebody else has locked one of the scopes: nothing of it was sent. */
  left_out: boolean;
}

type Row = [tenant_id: string, scope_id: string, document_id: string, version: number, seq: number];

/** Those that are still failed, in whichever scopes and tenants they are. Waits so long, over all, for scopes that others have locked. */
export async function retryDocumentsAcrossTenants(
  tx: Queryable,
  places: ScopedSeq[],
  patienceMs: number,
): Promise<Retried> {
  const { rows } = await tx.query<{ retried: Omit<Retried, 'documents'> & { documents: Row[] } }>(
    'select retry_documents($1, $2, $3, $4) as retried',
    [
      places.map(({ scope_key }) => scope_key),
      places.map(({ generation }) => generation),
      places.map(({ seq }) => seq),
      patienceMs,
    ],
  );
  const { documents, ...rest } = (rows[0] as (typeof rows)[number]).retried;
  return {
    ...rest,
    documents: documents.map(([tenant_id, scope_id, document_id, version, seq]) => {
      return { tenant_id, scope_id, document_id, version, seq };
    }),
  };
}

/** A millisecond after what Postgres's clock shows, so that everything that has happened by now did so before. */
export async function findMoment(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ ms: number }>('select ceil(extract(epoch from now()) * 1000)::float8 + 1 as ms');
  return (rows[0] as { ms: number }).ms;
}
