/** 10: a tenant with as many streams as it may have, at full speed, as slow as it may be, or of which nothing is read; and its exports. */
import { makeBodies } from '../../bench/parts/documents.ts';
import { type Attack, type Bites, inPieces, type Part, type Scene, type Target } from '../attack.ts';
import { chunk, hold, sendOn, stay } from '../connections.ts';
import { requestOf } from '../line.ts';

const STREAMS = 8;
const EXPORTS = 8;
const LARGE = 'large';
/** Of 100 KB each: more than the systems of both sides take of them before anybody reads. */
const DOCUMENTS = 400;
/** Of a write. */
const LINES = 500;
/** Of a stream. Postgres keeps them until the end: a bound for the disk. */
const WRITES = 100;
const BYTE_EVERY_MS = 3000;

type Strike = NonNullable<Part['strike']>;

const head = (tenantId: string) =>
  Buffer.from(
    `POST /api/ingest/stream HTTP/1.1\r\nHost: greed\r\nX-Tenant-ID: ${tenantId}\r\n` +
      'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
const linesOf = (bodies: string[]) => chunk(bodies.map((body) => `${body}\n`).join(''));

const streamed: Strike = async ({ url, tenant }, isOver) => {
  const lines = linesOf(makeBodies(LINES));
  const given = { url, isOver, count: STREAMS, request: head(tenant.id) };
  let accepted = 0;
  await hold(given, (socket, isOpen) => {
    socket.on('data', (data) => {
      accepted += data.toString('latin1').split('"status":202').length - 1;
    });
    return sendOn(socket, isOpen, lines, WRITES);
  });
  return { 'lines accepted': accepted };
};

/** Half of them say a byte now and then; of the others, the answers are long and nobody reads them. */
const slow: Strike = async ({ url, tenant }, isOver) => {
  const given = { url, isOver, count: STREAMS / 2, request: head(tenant.id) };
  const document = { name: 'n'.repeat(500), text: 'Stone or river?' };
  const lines = linesOf(
    Array.from({ length: LINES }, (_, n) => JSON.stringify({ scope_id: `unread-${n % 10}`, ...document })),
  );
  const [trickling, unread] = await Promise.all([
    hold(given, async (socket, isOpen) => {
      // Of a line that was begun and is long, more is kept than of others.
      socket.write(chunk(`{"text":"${'x'.repeat(70_000)}`));
      for (; isOpen(); await stay(isOpen, BYTE_EVERY_MS)) socket.write(chunk('x'));
    }),
    hold(given, (socket, isOpen) => {
      socket.once('data', () => socket.pause());
      return sendOn(socket, isOpen, lines, WRITES);
    }),
  ]);
  return { 'trickling streams': trickling, 'unread streams': unread };
};

const exported: Strike = async ({ url, tenant }, isOver) => {
  const request = requestOf({ path: `/api/scopes/${LARGE}/export`, headers: { 'X-Tenant-API-Key': tenant.key } });
  const exports = await hold({ url, isOver, count: EXPORTS, request }, (socket, isOpen) => {
    socket.once('data', () => socket.pause());
    return stay(isOpen);
  });
  return { 'unread exports': exports };
};

/** As if they had been posted, and were not to be processed. */
async function addLarge({ deployment, tenant }: Scene): Promise<void> {
  await deployment.ask('insert into scopes (tenant_id, scope_id, name) values ($1, $2, $2)', [tenant.id, LARGE]);
  await inPieces(DOCUMENTS, 100, (from, to) =>
    deployment.ask(
      `with numbered as (
         select scope_key, generation, n as seq from scopes, generate_series($3::int, $4::int) n
          where tenant_id = $1 and scope_id = $2
       ), contents as (
         insert into document_contents (scope_key, generation, seq, name, type, text)
         select scope_key, generation, seq, 'large', 'txt', repeat('x', 100000) from numbered
       ), documents as (
         insert into documents (scope_key, generation, seq, document_id, version, state, content_sha256)
         select scope_key, generation, seq, 'd-' || seq, 1, 'pending', '' from numbered
       )
       update scopes set next_seq = $4 + 1, pending = pending + $4 - $3 + 1 where tenant_id = $1 and scope_id = $2`,
      [tenant.id, LARGE, from, to],
    ),
  );
}

/** Another tenant for what one may not have beside the rest. */
async function another(target: Target): Promise<Target> {
  const response = await fetch(`${target.url}/admin/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'slow' }),
  });
  const { tenant_id: id, api_key: key } = (await response.json()) as { tenant_id: string; api_key: string };
  return { ...target, tenant: { ...target.tenant, id, key } };
}

const together: Strike = async (target, isOver) => {
  const strikes = [streamed(target, isOver), exported(target, isOver), slow(await another(target), isOver)];
  return Object.assign({}, ...(await Promise.all(strikes))) as Bites;
};

export const streams: Attack = {
  number: 10,
  name: 'streams',
  parts: [
    { name: 'full speed', what: `${STREAMS} streams of documents as fast as they are taken`, strike: streamed },
    {
      name: 'slow',
      what: 'streams of a byte every 3 s in a line of 70 KB, and streams whose answers are not read',
      strike: slow,
    },
    {
      name: 'together',
      what: `both of these, and ${EXPORTS} exports of 40 MB of which nothing is read`,
      isLongOnly: true,
      prepare: addLarge,
      strike: together,
    },
  ],
};
