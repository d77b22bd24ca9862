/** Has an extractor of the operator's own read a batch. Where it fails, the built-in one does, and the document says so. */
import type { ClaimedDocument, Lease } from '../storage/lanes.ts';
import type { RemoteExtractor } from './extractor.ts';
import { ExtractorFailed } from './extractor-client.ts';
import type { ThreadDocument } from './thread.ts';
import type { Watcher } from './thread-pool.ts';

export function askExtractor(
  extractor: Pick<RemoteExtractor, 'extract'>,
  { tenant_id, scope_id }: Lease,
  documents: ClaimedDocument[],
  watcher: Watcher,
): Promise<ThreadDocument[]> {
  return Promise.all(
    documents.map(async ({ document_id, version, name, type, text, traceparent }): Promise<ThreadDocument> => {
      const document = { name, type, text };
      try {
        const asked = { document_id, version, scope_id, ...document, traceparent };
        const answer = await extractor.extract(tenant_id, asked, watcher);
        return { ...document, given: answer };
      } catch (error) {
        if (!(error instanceof ExtractorFailed)) throw error;
        return { ...document, warning: `extractor: ${error.message}; the built-in one was used` };
      } finally {
        watcher.onProgress();
      }
    }),
  );
}
