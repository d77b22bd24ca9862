/** Reads what a document claims, page by page: of the newest version that is processed, in order of the text. */
import { hash } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import type { DocumentClaim } from '../contract/claims.ts';
import { AppError, notFound } from '../errors.ts';
import { RULES } from '../pipeline/claim.ts';
import { decodeClaims } from '../pipeline/claim-text.ts';
import { shownClaim } from '../pipeline/shown/claim.ts';
import { hashesOf, inOrder, type PlacedClaim } from '../pipeline/shown/in-order.ts';
import type { Queryable } from '../storage/database.ts';
import * as storage from '../storage/document-claims.ts';
import { findDocument } from '../storage/documents.ts';
import type { ScopeHandle } from '../storage/scopes.ts';
import { claimIdOf, factIdOf } from './derived-ids.ts';
import { decodeCursor, type Page, toPage } from './paging.ts';
import { requireScope } from './scopes.ts';
import { MAX_PLACES } from './settle/places.ts';

interface Wanted {
  scopeId: string;
  documentId: string;
}

export async function listClaims(db: Queryable, tenantId: string, wanted: Wanted, { cursor, limit }: Page) {
  const scope = await requireScope(db, tenantId, wanted.scopeId);
  const reading = await storage.findReading(db, scope, wanted.documentId);
  if (!reading) throw await whyUnread(db, scope, wanted);
  const tag = tagOf(scope, reading);
  const [of, first] = decodeCursor('claims', cursor, /^[0-9a-f]{16} \d{1,4}$/, `${tag} 0`).split(' ') as [
    string,
    string,
  ];
  if (of !== tag) throw readMeanwhile(wanted);
  const disputes = await storage.listContradictionsOfClaims(db, scope, reading.seq, MAX_PLACES.ofDocument);
  const { placed, show } = claimsOf(reading, disputes);
  const page = placed.slice(Number(first), Number(first) + limit + 1);
  const { items, next_cursor } = toPage('claims', page, limit, ({ nth }) => `${tag} ${nth + 1}`);
  return { document_id: wanted.documentId, version: reading.version, claims: items.map(show), next_cursor };
}

/** The claims of a reading in order of the text, and how each is shown: who wants all of a long one shows some at a time. */
export function claimsOf(
  { document_hash, claims, rules }: Pick<storage.DocumentReading, 'document_hash' | 'claims' | 'rules'>,
  disputes: storage.ClaimContradiction[],
) {
  const placed = inOrder(decodeClaims(claims).claims);
  const disputesOf = disputesByClaim(placed, disputes);
  const show = (one: PlacedClaim): Static<typeof DocumentClaim> => {
    const hashes = hashesOf(one);
    return {
      claim_id: claimIdOf(document_hash, hashes.claim),
      ...shownClaim(one.claim),
      // What other rules have read is in groups that today's rules do not make.
      fact_id: rules === RULES ? factIdOf(hashes.group) : null,
      contradictions: disputesOf.get(one) ?? [],
    };
  };
  return { placed, show };
}

/** A document that is there and has no reading was not processed yet, or could not be. */
async function whyUnread(db: Queryable, scope: ScopeHandle, { scopeId, documentId }: Wanted): Promise<AppError> {
  const name = `Document ${documentId} in scope ${scopeId}`;
  const document = await findDocument(db, scope, documentId);
  if (!document) return notFound(name);
  return new AppError('conflict', `${name} is ${document.state}; it has claims once it is processed.`);
}

function readMeanwhile({ scopeId, documentId }: Wanted): AppError {
  const detail = `Document ${documentId} in scope ${scopeId} was processed again since the page before: begin again without a cursor.`;
  return new AppError('conflict', detail);
}

/** Another one for each reading there ever was under this name, also in a scope that was reset or made again. */
function tagOf({ scope_key, generation }: ScopeHandle, { seq, revision }: storage.DocumentReading): string {
  return hash('sha256', [scope_key, generation, seq, revision].join(' ')).slice(0, 16);
}

/**
 * A contradiction knows its claim by span, group and value. One that is of older rules than the reading, and waits to be judged
 * by newer ones, names a group of theirs: the first claim of its sentence has it.
 */
function disputesByClaim(placed: PlacedClaim[], disputes: storage.ClaimContradiction[]): Map<PlacedClaim, string[]> {
  const found = new Map<PlacedClaim, string[]>();
  for (const { id, start, end, group, value } of disputes) {
    const ofSpan = placed.filter(({ claim: { span } }) => span.start === start && span.end === end);
    const isNamed = (one: PlacedClaim) => {
      const hashes = hashesOf(one);
      return hashes.group === group && hashes.value === value;
    };
    const one = ofSpan.find(isNamed) ?? ofSpan[0];
    if (one) found.set(one, [...(found.get(one) ?? []), id]);
  }
  return found;
}
