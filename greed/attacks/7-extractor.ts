/** 7: documents of one tenant break the extractor; those of another are to be read by it all the same. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeLater } from '../../storm/ending.ts';
import type { Attack, Scene } from '../attack.ts';
import { BYSTANDER_SCOPE } from '../bystander/posts.ts';
import { flood } from '../flood.ts';
import { requestOf } from '../line.ts';

const CONNECTIONS = 16;
const SCOPES = 4;
/** Of a bystander's documents may be read by the built-in one. */
const MAX_SHARE = 0.05;

/**
 * The only thing it knows is the scope: it breaks for all but the bystander's. Half of what breaks it is answered 500, and
 * tried again; half with what is no JSON, and at once the next.
 */
async function startExtractor(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { scope_id: scopeId } = JSON.parse(body).document;
    const isBystander = scopeId.startsWith(BYSTANDER_SCOPE);
    response.statusCode = /[02]$/.test(scopeId) && !isBystander ? 500 : 200;
    response.setHeader('content-type', 'application/json').end(isBystander ? '{"claims":[]}' : 'broken');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => server.closeAllConnections());
  closeLater(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export const extractor: Attack = {
  number: 7,
  name: 'extractor',
  settings: async () => ({ EXTRACTOR_URL: await startExtractor() }),
  parts: [
    {
      name: '',
      what: 'documents that break an extractor of the operator, beside those that it reads',
      async strike({ url, tenant }, isOver) {
        const request = (n: number) => {
          const body = JSON.stringify({ scope_id: `broken-${n % SCOPES}`, name: 'paper', text: 'Stone or river?' });
          return requestOf({ path: '/api/ingest', headers: { 'X-Tenant-ID': tenant.id }, body });
        };
        const answers = await flood({ callers: CONNECTIONS, url, isOver, request, pauseMs: 50 });
        return { 'broken documents': answers.length };
      },
      async alongside(scene) {
        const [bystander] = scene.deployment.tenants;
        const before = await readBy(scene, bystander?.id ?? '');
        return async () => {
          const after = await readBy(scene, bystander?.id ?? '');
          const documents = after.documents - before.documents;
          const builtIn = after.builtIn - before.builtIn;
          const broken = await readBy(scene, scene.tenant.id);
          const isMany = builtIn > MAX_SHARE * documents;
          return {
            bites: { 'documents that broke it': broken.builtIn },
            complaints: isMany
              ? [`${builtIn} of ${documents} documents of the bystander were read by the built-in extractor`]
              : [],
          };
        };
      },
    },
  ],
};

/** How many documents of a tenant were processed, and how many of them not by the extractor that was asked. */
async function readBy({ deployment }: Scene, tenantId: string): Promise<{ documents: number; builtIn: number }> {
  const [row] = await deployment.ask(
    `select count(*)::int as documents,
            (count(*) filter (where exists (select from unnest(warnings) w where w like 'extractor:%')))::int as "builtIn"
       from documents join scopes using (scope_key, generation)
      where tenant_id = $1 and finished_at is not null`,
    [tenantId],
  );
  return row;
}
