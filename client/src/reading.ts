/** What a tenant reads: documents and what they say, where they disagree, and what scopes hold. */
import type * as Api from './api-types.ts';
import { type Filter, type Listing, list } from './listing.ts';
import type { CallOptions, Transport } from './transport.ts';

export class Reading {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  document(scopeId: string, documentId: string, options?: CallOptions): Promise<Api.Document> {
    return this.transport.call('GET /api/documents/{document_id}', placeOf(scopeId, documentId), options);
  }

  /** Of the newest version, unless another is asked for. */
  text(
    scopeId: string,
    documentId: string,
    { version, ...options }: CallOptions & { version?: number | undefined } = {},
  ): Promise<Api.DocumentText> {
    const { path, query } = placeOf(scopeId, documentId);
    return this.transport.call(
      'GET /api/documents/{document_id}/text',
      { path, query: { ...query, version } },
      options,
    );
  }

  /** In order of seq; every version is one of its own. */
  documents(
    scopeId: string,
    filter: Filter<'GET /api/scopes/{scopeId}/documents'> = {},
    options?: CallOptions,
  ): Listing<Api.DocumentRecord, Api.DocumentList> {
    const input = { path: { scopeId }, query: filter };
    return list(this.transport, 'GET /api/scopes/{scopeId}/documents', input, (page) => page.documents, options);
  }

  /** In order of the text. A ConflictError says that no version is processed yet, or that another is by now. */
  claims(
    scopeId: string,
    documentId: string,
    filter: Filter<'GET /api/documents/{document_id}/claims'> = {},
    options?: CallOptions,
  ): Listing<Api.Claim, Api.ClaimList> {
    const { path, query } = placeOf(scopeId, documentId);
    const input = { path, query: { ...query, ...filter } };
    return list(this.transport, 'GET /api/documents/{document_id}/claims', input, (page) => page.claims, options);
  }

  contradictions(
    scopeId: string,
    filter: Filter<'GET /api/contradictions'> = {},
    options?: CallOptions,
  ): Listing<Api.Contradiction, Api.ContradictionList> {
    const input = { query: { scope_id: scopeId, ...filter } };
    return list(this.transport, 'GET /api/contradictions', input, (page) => page.contradictions, options);
  }

  contradiction(contradictionId: string, options?: CallOptions): Promise<Api.Contradiction> {
    return this.transport.call('GET /api/contradictions/{contradictionId}', { path: { contradictionId } }, options);
  }

  scopes(filter: Filter<'GET /api/scopes'> = {}, options?: CallOptions): Listing<Api.Scope, Api.ScopeList> {
    return list(this.transport, 'GET /api/scopes', { query: filter }, (page) => page.scopes, options);
  }

  scope(scopeId: string, options?: CallOptions): Promise<Api.Scope> {
    return this.transport.call('GET /api/scopes/{scopeId}', { path: { scopeId } }, options);
  }

  /** What it holds. With `wait`, the answer comes within so many seconds, as soon as everything up to `through` is done. */
  summary(
    scopeId: string,
    { signal, ...query }: CallOptions & { wait?: number | undefined; through?: number | undefined } = {},
  ): Promise<Api.ScopeSummary> {
    return this.transport.call('GET /api/scopes/{scopeId}/summary', { path: { scopeId }, query }, { signal });
  }

  /** How far its documents agree. */
  async convergence(scopeId: string, options?: CallOptions): Promise<Api.ScopeConvergence> {
    return (await this.summary(scopeId, options)).convergence;
  }

  facts(
    scopeId: string,
    filter: Filter<'GET /api/scopes/{scopeId}/facts'> = {},
    options?: CallOptions,
  ): Listing<Api.Fact, Api.FactList> {
    const input = { path: { scopeId }, query: filter };
    return list(this.transport, 'GET /api/scopes/{scopeId}/facts', input, (page) => page.facts, options);
  }

  /** With the first page of its evidence. */
  fact(scopeId: string, factId: string, options?: CallOptions): Promise<Api.FactWithEvidence> {
    const path = { scopeId, fact_id: factId };
    return this.transport.call('GET /api/scopes/{scopeId}/facts/{fact_id}', { path }, options);
  }

  /** Everything that documents say of a fact. */
  evidence(
    scopeId: string,
    factId: string,
    filter: Filter<'GET /api/scopes/{scopeId}/facts/{fact_id}'> = {},
    options?: CallOptions,
  ): Listing<Api.FactEvidence, Api.FactWithEvidence> {
    const input = { path: { scopeId, fact_id: factId }, query: filter };
    return list(this.transport, 'GET /api/scopes/{scopeId}/facts/{fact_id}', input, (page) => page.evidence, options);
  }
}

export const placeOf = (scopeId: string, documentId: string) => ({
  path: { document_id: documentId },
  query: { scope_id: scopeId },
});
