/** /openapi.json, and /docs: the same as a page to read, to which / leads. All that the page loads comes from here. */
import type { App } from './deps.ts';
import { FixedAnswer } from './fixed-answer.ts';
import { jsonLine } from './json-answer.ts';
import { reference } from './reference.ts';
import { declareTier, refuseOtherMethods } from './tiers.ts';

/** Looser than elsewhere: the page has a script and styles of its own inline. It still talks to nobody but us. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function docs(app: App): Promise<void> {
  const methods = declareTier(app, 'open');
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY);
    reply.header('cache-control', 'public, max-age=300');
  });
  // None of these pages depends on who asks: made for each request, they would be megabytes for each.
  const answers = new Map<string, FixedAnswer>();
  app.addHook('onSend', async (request, reply, payload: string | Uint8Array | null) => {
    const { url } = request.routeOptions;
    if (reply.statusCode !== 200 || !payload || !url) return payload;
    const answer = answers.get(url) ?? new FixedAnswer(payload);
    answers.set(url, answer);
    return answer.payloadFor(request, reply);
  });

  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 302));
  let document: Buffer;
  app.addHook('onReady', async () => {
    document = Buffer.from(jsonLine(app.swagger()));
  });
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send((await reference()).page),
  );
  app.get('/docs/js/scalar.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/javascript; charset=utf-8').send((await reference()).script),
  );
  refuseOtherMethods(app, methods);
}
