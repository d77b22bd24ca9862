/** The public tier, for tenants. */
import { chargeAnswers } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { declareTier, refuseOtherMethods } from '../tiers.ts';
import { mountContradictions } from './contradictions.ts';
import { mountDocumentClaims } from './document-claims.ts';
import { mountDocumentText } from './document-text.ts';
import { mountDocuments } from './documents.ts';
import { mountEvents } from './events.ts';
import { mountExport } from './export.ts';
import { mountFacts } from './facts.ts';
import { mountHealth } from './health.ts';
import { mountIngest } from './ingest.ts';
import { mountIngestBatch } from './ingest-batch.ts';
import { mountIngestStream } from './ingest-stream.ts';
import { mountScopes } from './scopes.ts';
import { mountStreamTokens } from './stream-tokens.ts';

export async function publicTier(app: App, deps: Deps & { servesApi: boolean }): Promise<void> {
  const methods = declareTier(app, 'public');
  chargeAnswers(app, deps.admission);
  mountHealth(app, deps);
  if (deps.servesApi) {
    mountIngest(app, deps);
    mountIngestBatch(app, deps);
    await mountIngestStream(app, deps);
    mountDocuments(app, deps);
    mountDocumentText(app, deps);
    mountDocumentClaims(app, deps);
    mountContradictions(app, deps);
    mountScopes(app, deps);
    mountFacts(app, deps);
    mountExport(app, deps);
    mountEvents(app, deps);
    mountStreamTokens(app, deps);
  }
  refuseOtherMethods(app, methods);
}
