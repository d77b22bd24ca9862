/** Two databases with the same lanes: one with few documents waiting, one with very many of them in a single scope. */
import { type Backlog, evenly, fill } from '../parts/fill.ts';
import { newDatabase, type Stores, type Tenant } from '../parts/stores.ts';
import { FEW, STORED } from './sizes.ts';

const TENANTS = 10;
const SCOPES_EACH = 10;
export const SMALL = { scope_id: 'scope-0', documents: 1000 };
export const LARGE = { scope_id: 'scope-1', documents: STORED };
const OTHER_DOCUMENTS = 10;

/** What is read here is never the text. */
const contents = [{ name: 'A document', type: 'txt', text: 'The annual rent is 1,200 euro.' }];

export interface Stored {
  few: string;
  many: string;
  /** Documents in all of `many`. */
  waiting: number;
  /** Whose the small and the large scope are. */
  tenant: Tenant;
}

export async function makeStored({ postgresUrl }: Stores): Promise<Stored> {
  const few = await newDatabase(postgresUrl, 'few', TENANTS);
  const ids = few.tenants.map(({ id }) => id);
  await fill(few.url, { contents, scopes: evenly(ids, SCOPES_EACH, FEW) });

  const many = await newDatabase(postgresUrl, 'many', TENANTS);
  const tenant = many.tenants[0] as Tenant;
  const documentsOf = ({ tenant_id, scope_id }: Backlog['scopes'][number]) =>
    (tenant_id === tenant.id && [SMALL, LARGE].find((scope) => scope.scope_id === scope_id)?.documents) ||
    OTHER_DOCUMENTS;
  const lanes = evenly(
    many.tenants.map(({ id }) => id),
    SCOPES_EACH,
    0,
  );
  const scopes = lanes.map((lane) => ({ ...lane, documents: documentsOf(lane) }));
  await fill(many.url, { contents, scopes });
  const waiting = scopes.reduce((sum, { documents }) => sum + documents, 0);
  return { few: few.url, many: many.url, waiting, tenant };
}
