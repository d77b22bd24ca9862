/** export(): every record once, however often it is cut off; what came is what was sent; and it can be sent elsewhere. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  type ExportEnd,
  type ExportLine,
  type ExportOptions,
  NotFoundError,
} from '../../client/src/index.ts';
import { newClient, type TestClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ settings: { ROLE: 'all' } });
const owner = await newClient(service);
const COUNT = 2500;
const documents = Array.from({ length: COUNT }, (_, n) => ({
  name: `Lease ${n}`,
  document_id: `lease-${n}`,
  text: `Lease ${n} runs for ${n % 7} years.`,
}));
for await (const { status } of owner.docket.ingestMany(documents, { scopeId: 'leases' })) expect(status).toBe(202);
for (const [document_id, years] of [
  ['a', 'three'],
  ['b', 'five'],
] as const)
  await owner.docket.ingest({
    scope_id: 'small',
    name: document_id,
    document_id,
    text: `The lease runs for ${years} years.`,
  });
await owner.docket.wait('leases');
await owner.docket.wait('small');

async function exported({ docket }: TestClient, scopeId: string, options: ExportOptions = {}): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of docket.export(scopeId, options)) lines.push(line);
  return lines;
}

const records = (lines: ExportLine[]) => lines.filter(({ kind }) => kind !== 'cursor' && kind !== 'end');
const ids = (lines: ExportLine[]) => lines.flatMap((line) => (line.kind === 'document' ? [line.document_id] : []));

/** A client whose answers are changed on their way. */
const changing = (change: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>, options = {}) =>
  newClient(service, {
    tenant: owner.tenant,
    ...options,
    fetch: async (...args) => {
      const { body, status, headers } = await fetch(...args);
      return new Response(body && change(body as ReadableStream<Uint8Array>), { status, headers });
    },
  });

/** Breaks off with an error after so many bytes. */
function cutAfter(bytes: number) {
  let left = bytes;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (piece.length >= left) {
        controller.enqueue(piece.subarray(0, left));
        controller.error(new TypeError('terminated'));
      } else controller.enqueue(piece);
      left -= piece.length;
    },
  });
}

/** What came before the connection was given up. */
async function* failing(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportLine> {
  try {
    yield* lines;
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectionError);
    return;
  }
  throw new Error('it was not cut off');
}

async function bytesOf({ docket }: TestClient, scopeId: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of docket.exportBytes(scopeId)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('an export', () => {
  it('has all that the scope holds, and what it says of itself', async () => {
    const lines = await exported(owner, 'small');
    expect(ids(lines)).toEqual(['a', 'b']);
    expect(lines.find(({ kind }) => kind === 'document')).toMatchObject({ text: 'The lease runs for three years.' });
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(
      new Set(['document', 'claim', 'fact', 'contradiction', 'end']),
    );
    expect(lines.at(-1)).toMatchObject({ kind: 'end', changed: false, counts: { documents: 2, contradictions: 1 } });
  });

  it('has only what is asked for', async () => {
    const lines = await exported(owner, 'small', { include: ['documents'] });
    expect(lines.map(({ kind }) => kind)).toEqual(['document', 'document', 'end']);
    expect(lines[0]).not.toHaveProperty('text');
  });

  it('goes on after a cursor', async () => {
    const lines = await exported(owner, 'leases', { include: ['documents'] });
    expect(ids(lines)).toEqual(documents.map(({ document_id }) => document_id));
    const at = lines.findIndex(({ kind }) => kind === 'cursor');
    const { cursor } = lines[at] as { cursor: string };
    const rest = await exported(owner, 'leases', { include: ['documents'], cursor });
    expect(ids(rest)).toEqual(ids(lines.slice(at)));
  });

  it('is complete, and has everything once, however it is cut off', async () => {
    const whole = records(await exported(owner, 'leases'));
    expect(whole.length).toBeGreaterThan(2 * COUNT);
    const first = (await bytesOf(owner, 'leases')).indexOf('{"kind":"cursor"');
    // Before the first cursor nothing is given, since all of it comes again; behind it, it goes on there.
    const early = await changing((body) => body.pipeThrough(cutAfter(first)), { maxRetries: 2 });
    const given: ExportLine[] = [];
    for await (const line of failing(early.docket.export('leases'))) given.push(line);
    expect(given).toEqual([]);

    const cuts = [first, first + 5000, first + 5000];
    const client = await changing((body) => body.pipeThrough(cutAfter(cuts.shift() ?? Number.POSITIVE_INFINITY)));
    const lines = await exported(client, 'leases');
    expect(records(lines)).toEqual(whole);
    expect(cuts).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ kind: 'end', changed: false });
  });

  it('that was changed on its way is not taken', async () => {
    const flip = () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          const text = new TextDecoder().decode(piece);
          controller.enqueue(new TextEncoder().encode(text.replace('three years', 'seven years')));
        },
      });
    const client = await changing((body) => body.pipeThrough(flip()));
    await expect(exported(client, 'small')).rejects.toMatchObject({ code: 'export_damaged' });
  });

  it('of a scope that is not there, or of another tenant, is refused', async () => {
    await expect(exported(owner, 'no-such-scope')).rejects.toBeInstanceOf(NotFoundError);
    await expect(exported(await newClient(service), 'small')).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('the bytes of one', () => {
  it('are as they were sent, to the last', async () => {
    const text = await bytesOf(owner, 'small');
    const lines = text.trimEnd().split('\n');
    const end = JSON.parse(lines.at(-1) as string) as ExportEnd;
    const before = text.slice(0, text.length - (lines.at(-1) as string).length - 1);
    expect(createHash('sha256').update(before).digest('hex')).toBe(end.sha256);
  });

  it('that broke off are not complete', async () => {
    const client = await changing((body) => body.pipeThrough(cutAfter(500)));
    const reading = (async () => {
      for await (const _piece of client.docket.exportBytes('small'));
    })();
    await expect(reading).rejects.toBeInstanceOf(ConnectionError);
  });
});

it('sent elsewhere, it makes the same claims and contradictions', async () => {
  const { docket } = await newClient(service);
  for await (const { status } of docket.ingestMany(owner.docket.export('small'), { scopeId: 'copy' }))
    expect([202, 204]).toContain(status);
  await docket.wait('copy');
  const told = async (lines: ExportLine[]) =>
    lines.flatMap((line) =>
      line.kind === 'claim'
        ? [line.sentence]
        : line.kind === 'contradiction'
          ? [`${line.claim_a} ${line.claim_b}`]
          : [],
    );
  const [here, there] = [await exported(owner, 'small'), await exported({ ...owner, docket }, 'copy')];
  expect(await told(there)).toEqual(await told(here));
});
