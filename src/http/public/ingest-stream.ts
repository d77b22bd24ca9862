/** POST /api/ingest/stream: documents as lines of JSON, as many as there are, each answered when it is stored. */
import { Type } from '@sinclair/typebox';
import { TenantIdHeader, TraceparentHeader } from '../../contract/common.ts';
import {
  ContentEncodingHeader,
  IngestLine,
  IngestStreamAnswers,
  IngestStreamQuery,
} from '../../contract/ingest-stream.ts';
import { AppError } from '../../errors.ts';
import { streamAsTenant } from '../auth.ts';
import type { App, Deps } from '../deps.ts';
import { refuseIdempotencyKey } from '../idempotency-key.ts';
import { makeValidators, type Validate } from '../ingest-stream/validators.ts';

/**
 * What a stream has in hand of its body, a long line apart: 512 KB that are being stored, 128 KB each that lie ready and that are cut
 * into lines, and as much for what unpacks them.
 */
const BODY_WINDOW = 1024 * 1024;
const MEDIA_TYPE = 'application/x-ndjson';

export async function mountIngestStream(tier: App, deps: Deps): Promise<void> {
  const compile = validatorOf(tier);
  const validators = makeValidators((schema) => compile(schema, 'body'));
  // By itself, so that its parser is of this route alone.
  await tier.register(async (plain) => {
    const app = plain as App;
    app.removeAllContentTypeParsers();
    // It is read by the handler, which no body is given to.
    app.addContentTypeParser(MEDIA_TYPE, (_request, _stream, done) => done(null));
    app.addContentTypeParser('*', (_request, _stream, done) => done(otherType()));
    app.post(
      '/ingest/stream',
      {
        config: {
          errors: ['unauthorized', 'too_many_requests'],
          boundsItself: true,
          checksScopes: true,
          audits: 'nothing',
          bodyWindow: BODY_WINDOW,
        },
        onRequest: [streamAsTenant(deps), refuseIdempotencyKey],
        // Each line is checked by itself.
        validatorCompiler: ({ schema, httpPart = '' }) =>
          httpPart === 'body' ? () => true : compile(schema, httpPart),
        schema: {
          operationId: 'ingestStream',
          summary: 'Queue documents, one a line, as many as there are; each is answered by a line',
          description:
            'It is read as fast as it is stored. Limits slow it down, and a line that is wrong costs that line. Lines with a ' +
            '`kind` are taken as those of an export. `docs/bulk.md` says how it ends, and how to go on.',
          tags: ['documents'],
          consumes: [MEDIA_TYPE],
          headers: Type.Object({ ...TenantIdHeader.properties, ...ContentEncodingHeader, ...TraceparentHeader }),
          querystring: IngestStreamQuery,
          body: IngestLine,
          response: { 200: IngestStreamAnswers },
        },
      },
      async (request, reply) => {
        const { scope_id: scopeId, answers } = request.query;
        const wanted = { scopeId, errorsOnly: answers === 'errors', validators };
        await deps.ingestStreams.open(deps, request, reply, wanted);
      },
    );
  });
}

type Compile = (schema: unknown, httpPart: string) => Validate;

/** As the other routes of the tier are checked. */
function validatorOf({ validatorCompiler, prefix }: App): Compile {
  if (!validatorCompiler) throw new Error('nothing checks what is sent to the routes of this server yet');
  return (schema, httpPart) => validatorCompiler({ schema, httpPart, method: 'POST', url: prefix }) as Validate;
}

const otherType = () => new AppError('unsupported_media_type', `Send the lines with Content-Type: ${MEDIA_TYPE}.`);
