/** Whatever order documents come in, and however they fall into batches, what is found out is the same in the end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditScope } from '../support/audit.ts';
import { auditFacts } from '../support/fact-audit.ts';
import { type Tenant, type TestKernel, withVerbs } from '../support/kernel.ts';
import { rounds } from '../support/rounds.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const RUNS = rounds(6, 25);
/**
 * One that has all in memory, one that files all at once and remembers nothing, one that has some here and some there, and one that
 * has the keys of much in memory that it has filed.
 */
const settings = [
  {},
  { INDEX_SCOPE_KEYS: '0', INDEX_CACHE_MB: '0' },
  { INDEX_SCOPE_KEYS: '60' },
  { INDEX_SCOPE_KEYS: '200' },
];
const services = await Promise.all(
  settings.map(async (own) => {
    const service = withVerbs(await startTestService({ settings: { ROLE: 'all', ...own } }));
    return { service, tenant: await service.newTenant() };
  }),
);

const sentence = fc
  .record({
    firm: fc.constantFrom('Acme Robotics', 'Borealis Foods', 'Cobalt Shipping'),
    said: fc.oneof(
      fc.constantFrom('1,900', '2,310', '2.31 thousand', 'about 1,900').map((n) => `has ${n} employees`),
      fc.constantFrom('1987', '1989', 'May 1987').map((year) => `was founded in ${year}`),
      fc.constantFrom('is', 'is not').map((verb) => `${verb} listed on the stock exchange`),
    ),
  })
  .map(({ firm, said }) => `${firm} ${said}.`);
const text = fc.array(sentence, { minLength: 1, maxLength: 3 }).map((sentences) => sentences.join(' '));
/** What each document says, version by version. */
const documents = fc.array(fc.array(text, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 8 });

interface Place {
  service: TestKernel;
  tenant: Tenant;
}

interface Post {
  document_id: string;
  text: string;
}

/** An order that keeps the versions of each document in theirs, cut into pieces that are waited for. */
const arrival = (versions: string[][]) =>
  fc
    .tuple(
      fc.shuffledSubarray(
        versions.flatMap((texts, n) => texts.map(() => n)),
        { minLength: versions.flat().length },
      ),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    )
    .map(([order, sizes]) => {
      const next = versions.map(() => 0);
      const posts = order.map((n): Post => {
        const at = next[n] as number;
        next[n] = at + 1;
        return { document_id: `d${n}`, text: versions[n]?.[at] as string };
      });
      const pieces: Post[][] = [];
      for (let at = 0, n = 0; at < posts.length; at += sizes[n++ % sizes.length] as number)
        pieces.push(posts.slice(at, at + (sizes[n % sizes.length] as number)));
      return pieces;
    });

const history = documents.chain((versions) =>
  fc.tuple(arrival(versions), arrival(versions), arrival(versions), arrival(versions)),
);

/** What is there after all have come, and after the first document was deleted. */
async function play({ service, tenant }: Place, scopeId: string, pieces: Post[][]) {
  for (const piece of pieces) {
    for (const { document_id, text: said } of piece) await service.ingest(tenant, scopeId, said, { document_id });
    await until(
      () => service.summary(tenant, scopeId),
      ({ documents: counted }) => counted.queued + counted.processing === 0,
    );
  }
  const before = await outcome({ service, tenant }, scopeId);
  const path = `/api/documents/d0?scope_id=${scopeId}`;
  expect(await service.call('DELETE', path, { tenantKey: tenant.key })).toMatchObject({ status: 204 });
  return { before, after: await outcome({ service, tenant }, scopeId) };
}

async function outcome({ service, tenant }: Place, scopeId: string) {
  expect(await auditScope(service.db, tenant.tenantId, scopeId)).toEqual([]);
  expect(await auditFacts(service, tenant, scopeId)).toEqual([]);
  const { claims, convergence, contradictions } = await service.summary(tenant, scopeId);
  const listed = await service.call('GET', `/api/contradictions?scope_id=${scopeId}&limit=200`, {
    tenantKey: tenant.key,
  });
  const { agreement, coverage, corroboration } = convergence.dimensions;
  return {
    claims,
    groups: convergence.groups,
    scores: [agreement.score, coverage.score, corroboration.score],
    counted: contradictions.open,
    leftOut: contradictions.left_out,
    contradictions: listed.body.contradictions
      .map((one: Record<string, unknown>) =>
        JSON.stringify([
          one.document_ids,
          one.claim_a,
          one.claim_b,
          one.severity,
          one.reason,
          one.subject,
          one.attribute,
        ]),
      )
      .sort(),
  };
}

/** Every one says something else of the same, and has enough to say that not all of it is shown. */
const crowd = fc
  .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 10, maxLength: 14 })
  .map((numbers) =>
    numbers.map((n) => [`Acme Robotics has ${n}00 employees. Acme Robotics was founded in 19${n + 9}.`]),
  )
  .chain((versions) => fc.tuple(arrival(versions), arrival(versions), arrival(versions), arrival(versions)));

it('any order of arrival leaves out the same where there are too many contradictions', async () => {
  let scopes = 0;
  await fc.assert(
    fc.asyncProperty(crowd, async (arrivals) => {
      const scopeId = `crowd-${scopes++}`;
      const [first, ...others] = await Promise.all(
        services.map((place, n) => play(place, scopeId, arrivals[n] as Post[][])),
      );
      for (const other of others) expect(other).toEqual(first);
      expect(first?.before.leftOut).toBeGreaterThan(0);
    }),
    { numRuns: rounds(2, 15) },
  );
});

it('any order of arrival gives the same groups, contradictions, agreement, corroboration and coverage', async () => {
  let scopes = 0;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(history, async (arrivals) => {
      const scopeId = `scope-${scopes++}`;
      const [first, ...others] = await Promise.all(
        services.map((place, n) => play(place, scopeId, arrivals[n] as Post[][])),
      );
      for (const other of others) expect(other).toEqual(first);
      expect(first?.before.counted).toBe(first?.before.contradictions.length);
      found += first?.before.counted ?? 0;
    }),
    { numRuns: RUNS },
  );
  // Or the test would show nothing; how many there are is chance.
  expect(found).toBeGreaterThan(0);
});
