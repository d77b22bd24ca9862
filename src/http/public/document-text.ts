/** GET /api/documents/{document_id}/text: what was sent, as it was sent. */
import { Type } from '@sinclair/typebox';
import { IfNoneMatchHeader, TenantKeyHeader } from '../../contract/common.ts';
import { DocumentPath, DocumentText, DocumentTextQuery } from '../../contract/documents.ts';
import { getText } from '../../domain/documents.ts';
import { deedOf } from '../audits.ts';
import { readAsTenant, tenantOf } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { namesTag } from '../entity-tags.ts';

export function mountDocumentText(app: App, deps: Deps): void {
  app.get(
    '/documents/:document_id/text',
    {
      config: {
        errors: ['unauthorized', 'not_found', 'too_many_requests'],
        headers: { 200: ['ETag'], 304: ['ETag'] },
        forOperators: 'reads',
        auditsOperators: 'document.text_read',
      },
      onRequest: readAsTenant(deps),
      schema: {
        operationId: 'getDocumentText',
        summary: 'Read back the text of a version of a document',
        description:
          'The newest version, unless another is asked for. The answer has an `ETag`; sent back as `If-None-Match`, it ' +
          'is answered 304 without a body as long as the version is the same.',
        tags: ['documents'],
        headers: Type.Object({ ...TenantKeyHeader.properties, ...IfNoneMatchHeader }),
        params: DocumentPath,
        querystring: DocumentTextQuery,
        response: { 200: DocumentText, 304: Type.Null({ description: 'It is what If-None-Match names' }) },
      },
    },
    async (request, reply) => {
      const wanted = {
        scopeId: request.query.scope_id,
        documentId: request.params.document_id,
        version: request.query.version,
      };
      const isKnown = (tag: string) => namesTag(request.headers['if-none-match'], `"${tag}"`);
      const deed = request.operator ? deedOf(request) : null;
      const { tag, content } = await getText(deps.db, tenantOf(request), wanted, isKnown, deed);
      // Whoever keeps it asks each time whether it still is what it was, and whether it may still have it.
      // Beside the origin, which is named already where pages of others may ask.
      const vary = [reply.getHeader('vary') ?? [], 'X-Tenant-API-Key'].flat().join(', ');
      reply.headers({ etag: `"${tag}"`, 'cache-control': 'private, no-cache', vary });
      if (content) return content;
      return reply.code(304).send(null);
    },
  );
}
