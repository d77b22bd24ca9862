/** A database in which one tenant is deep in work: the neighbour of all others. */
import { makeMixed } from '../parts/documents.ts';
import { evenly, fill } from '../parts/fill.ts';
import { amount, say } from '../parts/report.ts';
import { newDatabase, type Stores, type Tenant } from '../parts/stores.ts';
import { DEEP, DEEP_SCOPES } from './sizes.ts';

const OTHERS = 10;

export const mixed = makeMixed(2000);

export interface Deep {
  /** To be cloned. */
  url: string;
  neighbour: Tenant;
  /** They have nothing yet. */
  others: Tenant[];
}

export async function makeDeep({ postgresUrl }: Stores): Promise<Deep> {
  const mean = mixed.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / mixed.length;
  say(`documents of five types, ${amount(Math.round(mean))} bytes on average`);
  const { url, tenants } = await newDatabase(postgresUrl, 'deep template', 1 + OTHERS);
  const [neighbour, ...others] = tenants as [Tenant, ...Tenant[]];
  await fill(url, { scopes: evenly([neighbour.id], DEEP_SCOPES, DEEP), contents: mixed });
  return { url, neighbour, others };
}
