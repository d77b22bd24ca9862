/** ingestMany(): an answer for each line, in order, and each line stored once, whatever becomes of the connection. */
import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  type DocumentLine,
  type LineAnswer,
  UnauthorizedError,
  ValidationError,
} from '../../client/src/index.ts';
import { newClient, newCutClient, storedIn, type TestClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
let scopes = 0;
const newScope = () => `many-${scopes++}`;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `n-${n}`,
    document_id: `d-${n}`,
    text: `The lease runs for ${n} years.`,
  }));

async function sent(
  { docket }: TestClient,
  documents: Iterable<DocumentLine> | AsyncIterable<DocumentLine>,
  scopeId: string,
): Promise<LineAnswer[]> {
  const answers: LineAnswer[] = [];
  for await (const answer of docket.ingestMany(documents, { scopeId })) answers.push(answer);
  return answers;
}

/** Every line was accepted, and is answered in its place. */
function expectAll(answers: LineAnswer[], count: number): void {
  expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  expect(answers.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  expect(answers.map(({ document }) => document?.document_id)).toEqual(numbered(count).map((one) => one.document_id));
}

describe('lines', () => {
  it('are accepted and answered in order, under keys of their own', async () => {
    const client = await newClient(service);
    const scope = newScope();
    const answers = await sent(client, numbered(1200), scope);
    expectAll(answers, 1200);
    expect(answers.map(({ document }) => document?.seq)).toEqual(Array.from({ length: 1200 }, (_, n) => n));
    expect(new Set(answers.map(({ document }) => document?.idempotency_key)).size).toBe(1200);
    expect(await storedIn(service, scope)).toBe(1200);
    // A few requests, and not one for each line.
    expect(client.attempts.length).toBeLessThan(20);
  });

  it('go in requests of 500 at most, however many are read ahead', async () => {
    const { docket } = await newClient(service);
    const sizes: number[] = [];
    let before = 0;
    const onSent = (lines: number) => {
      sizes.push(lines - before);
      before = lines;
    };
    let answered = 0;
    const options = { scopeId: newScope(), window: 2000, onSent };
    for await (const { line } of docket.ingestMany(numbered(1600), options)) answered = line;
    expect([answered, before, Math.max(...sizes)]).toEqual([1600, 1600, 500]);
  });

  it('that are wrong cost only themselves', async () => {
    const client = await newClient(service);
    const scope = newScope();
    const wrong = { name: '', document_id: 'wrong', text: 't' };
    const [one, two] = numbered(2) as [DocumentLine, DocumentLine];
    const answers = await sent(client, [one, wrong, two, { ...two, scope_id: 'another' }], scope);
    expect(answers.map(({ line, status }) => [line, status])).toEqual([
      [1, 202],
      [2, 400],
      [3, 202],
      [4, 400],
    ]);
    expect(answers[1]?.error).toMatchObject({ code: 'validation_failed', detail: expect.stringContaining('name') });
    expect(await storedIn(service, scope)).toBe(2);
  });

  it('keep the keys that they have, and say when these were used before', async () => {
    const client = await newClient(service);
    const scope = newScope();
    const keyed = numbered(3).map((document, n) => ({
      ...document,
      idempotency_key: `key-${n}`,
      provenance: 'by hand',
    }));
    await sent(client, keyed, scope);
    const again = await sent(client, keyed, scope);
    expect(again.map(({ replayed, document }) => [replayed, document?.idempotency_key])).toEqual([
      [true, 'key-0'],
      [true, 'key-1'],
      [true, 'key-2'],
    ]);
    expect(await storedIn(service, scope)).toBe(3);
    expect(await client.docket.document(scope, 'd-0')).toMatchObject({ provenance: 'by hand' });
  });

  it('of an export are taken if they are documents', async () => {
    const client = await newClient(service);
    const scope = newScope();
    const document = { kind: 'document', scope_id: 'elsewhere', version: 3, state: 'processed', ...numbered(1)[0] };
    const answers = await sent(client, [document, { kind: 'claim' }, { kind: 'end' }], scope);
    expect(answers.map(({ status, skipped }) => [status, skipped])).toEqual([
      [202, undefined],
      [204, 'claim'],
      [204, 'end'],
    ]);
    expect(await storedIn(service, scope)).toBe(1);
  });

  it('are read no faster than their answers are taken', async () => {
    const { docket } = await newClient(service);
    let pulled = 0;
    let ended = false;
    const source = (async function* () {
      try {
        for (const document of numbered(1_000_000)) {
          pulled++;
          yield document;
        }
      } finally {
        ended = true;
      }
    })();
    let taken = 0;
    const sentSoFar: number[] = [];
    const options = { scopeId: newScope(), window: 50, onSent: (lines: number) => void sentSoFar.push(lines) };
    for await (const { line } of docket.ingestMany(source, options)) {
      taken++;
      expect(line).toBe(taken);
      expect(pulled).toBeLessThanOrEqual(taken + options.window);
      if (taken === 500) break;
    }
    await expect.poll(() => ended).toBe(true);
    expect(sentSoFar.at(-1)).toBeLessThanOrEqual(pulled);
    expect(sentSoFar).toEqual(sentSoFar.toSorted((a, b) => a - b));
  });
});

describe('a cut', () => {
  it('costs nothing: what was not answered is sent again, and nothing is stored twice', async () => {
    const client = await newCutClient(service);
    const scope = newScope();
    const answers: LineAnswer[] = [];
    for await (const answer of client.docket.ingestMany(numbered(3000), { scopeId: scope })) {
      answers.push(answer);
      if (answer.line % 400 !== 0) continue;
      client.proxy.down();
      client.proxy.up();
    }
    expectAll(answers, 3000);
    expect(await storedIn(service, scope)).toBe(3000);
  });

  it('after all was sent is no exception', async () => {
    const client = await newCutClient(service);
    const scope = newScope();
    client.proxy.cutAfterSending('POST /api/ingest/stream', 3);
    expectAll(await sent(client, numbered(700), scope), 700);
    expect([client.proxy.cuts(), await storedIn(service, scope)]).toEqual([3, 700]);
  });

  it('that stays is told, after what was answered', async () => {
    const client = await newCutClient(service, { maxRetries: 2 });
    const scope = newScope();
    const lines: number[] = [];
    const reading = (async () => {
      for await (const { line } of client.docket.ingestMany(numbered(2000), { scopeId: scope })) {
        lines.push(line);
        if (line === 600) client.proxy.down();
      }
    })();
    await expect(reading).rejects.toBeInstanceOf(ConnectionError);
    expect(lines.length).toBeGreaterThanOrEqual(600);
    expect(await storedIn(service, scope)).toBeGreaterThanOrEqual(lines.length);
  });
});

describe('what is refused as a whole', () => {
  it('is thrown, by its class', async () => {
    const client = await newClient(service);
    const wrong = await newClient(service, { tenant: { ...client.tenant, key: 'dk_wrong' } });
    await expect(sent(wrong, numbered(3), newScope())).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(sent(client, numbered(3), 'No Scope')).rejects.toBeInstanceOf(ValidationError);
  });

  it('slows a tenant down who is over its limits, and refuses nothing', async () => {
    const slow = await startTestService({ settings: { TENANT_RATE_PER_S: '50', TENANT_BURST: '10' } });
    const client = await newClient(slow);
    expectAll(await sent(client, numbered(120), 's'), 120);
    expect(await storedIn(slow, 's')).toBe(120);
  });
});
