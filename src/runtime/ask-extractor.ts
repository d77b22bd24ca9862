/** Has an extractor of the operator's own read a batch. Where it fails, the built-in one does, and the document says so. */
import type { ClaimedDocument, Lease } from '../storage/lanes.ts';
import { ExtractorFailed, type RemoteExtractor } from './extractor.ts';
import type { ThreadDocument } from './thread.ts';
import type { Watcher } from './threads.ts';

export function askExtractor(
  extractor: Pick<RemoteExtractor, 'extract'>,
  { scope_id }: Lease,
  documents: ClaimedDocument[],
  { signal, onProgress }: Watcher,
): Promise<ThreadDocument[]> {
  return Promise.all(
    documents.map(async ({ document_id, version, name, type, text }): Promise<ThreadDocument> => {
      const document = { name, type, text };
      try {
        const answer = await extractor.extract({ document_id, version, scope_id, ...document }, signal);
        return { ...document, given: answer };
      } catch (error) {
        if (!(error instanceof ExtractorFailed)) throw error;
        return { ...document, warning: `extractor: ${error.message}; the built-in one was used` };
      } finally {
        onProgress();
      }
    }),
  );
}
