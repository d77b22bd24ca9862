/**
 * Documents of all tenants, found by what became of them or by their id. Three walks do it, each of which reads only so much at a time:
 * what has failed is found by when and by why; everything else, and what is looked for in one tenant, scope by scope; and so is an id,
 * of which a scope has one document at most.
 */
import type { Static } from '@sinclair/typebox';
import type { FoundDocumentsQuery } from '../contract/found-documents.ts';
import { invalid } from '../errors.ts';
import type { Queryable } from '../storage/database.ts';
import * as storage from '../storage/found-documents.ts';
import { momentOf } from './moments.ts';
import { decodeCursor, encodeCursor } from './paging.ts';

/** A few milliseconds of reading: so much is looked at for a page, found or not. */
const LOOKED_AT = 2000;

const OF_FAILED = /^\d{1,16} \d{1,18} \d{1,9} \d{1,15}$/;
const OF_ERRORS = /^\d{1,16} \d{1,18} \d{1,9} \d{1,15} [^\0]{0,50}$/u;
const OF_SCOPES = /^[\w-]{1,100} [a-z0-9][a-z0-9-]{0,119} (?:-1|\d{1,15})$/;

type Query = Static<typeof FoundDocumentsQuery>;
export type Wanted = Pick<Query, 'state' | 'tenant_id' | 'scope_id' | 'error' | 'older_than' | 'document_id'>;

/** `part` is where it was asked for. Only what has failed is looked for by its error, unless another state is named. */
export function toFilter(wanted: Wanted, part: 'query' | 'body'): storage.DocumentFilter {
  const { state, tenant_id: tenantId = null, scope_id: scopeId = null, error = '', older_than } = wanted;
  const { document_id: documentId = null } = wanted;
  if (scopeId !== null && tenantId === null)
    throw invalid(`${part}/tenant_id`, 'is required to address a scope, whose id is its tenant’s own');
  return {
    ...{ state: state ?? (error ? 'failed' : null), tenantId, scopeId, documentId, error },
    before: older_than === undefined ? null : momentOf(older_than),
  };
}

interface Walk {
  /** Of its cursors. */
  list: string;
  shape: RegExp;
  next(db: Queryable, place: string | null, most: storage.Most): Promise<storage.Found>;
}

/** The walk for a filter: `next` has what comes after a place. */
export function walkFor(filter: storage.DocumentFilter): Walk {
  if (filter.documentId !== null)
    return {
      ...{ list: 'documents by id', shape: OF_SCOPES },
      next: (db, place, most) => storage.listByDocumentIdAcrossTenants(db, filter, place, most),
    };
  if (filter.state !== 'failed' || filter.tenantId !== null)
    return {
      ...{ list: 'documents of scopes', shape: OF_SCOPES },
      next: (db, place, most) => storage.listInScopesAcrossTenants(db, filter, place, most),
    };
  return {
    ...(filter.error ? { list: 'failed by error', shape: OF_ERRORS } : { list: 'failed', shape: OF_FAILED }),
    next: (db, place, most) => storage.listFailedAcrossTenants(db, filter, place, most),
  };
}

export async function findDocuments(db: Queryable, { cursor, limit, ...wanted }: Query) {
  const filter = toFilter(wanted, 'query');
  const { list, shape, next } = walkFor(filter);
  const place = decodeCursor(list, cursor, shape, '') || null;
  const { places, reached } = await next(db, place, { found: limit + 1, lookedAt: LOOKED_AT });
  const page = places.slice(0, limit);
  const rows = await storage.listDocumentsAtAcrossTenants(db, page);
  const last = rows.at(-1);
  // A page may end where it gets large, at the one more that tells that there is another, or where enough was looked at.
  const cut = last?.goes_on ? page[last.nth - 1] : places.length > limit ? page.at(-1) : undefined;
  const end = cut?.place ?? reached;
  return {
    // What has changed since it was found is not what was asked for; nor is, of those found by their id, one of another state.
    documents: rows.filter(({ state }) => filter.state === null || state === filter.state),
    next_cursor: end === null ? null : encodeCursor(list, end),
  };
}
