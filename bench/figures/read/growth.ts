/** Whether reading takes longer in a large scope: two scopes of one shape, asked in turn. */
import { encodeCursor } from '../../../src/domain/paging.ts';
import { amount, median, say } from '../../parts/report.ts';
import type { Stores } from '../../parts/stores.ts';
import type { Outcome } from '../figure.ts';
import { READ, READS } from '../sizes.ts';
import { sayingOf } from './firms.ts';
import { Reader } from './reader.ts';

const PORTION = 5000;
const WARM_UP = 20;

/**
 * What is asked of both scopes, in pages that the smaller one fills, too. FACT is the one that most documents of each speak of;
 * DOCUMENT and SUBJECT are of its first contradiction. NEXT is the second page of what one document says, and LAST the page on
 * which begins what no second one says.
 */
const PATHS = {
  facts: 'scopes/SCOPE/facts?limit=20',
  'facts by id': 'scopes/SCOPE/facts?limit=20&order=fact_id',
  'facts by a word': 'scopes/SCOPE/facts?limit=20&q=employees',
  'facts in dispute': 'scopes/SCOPE/facts?limit=20&state=disputed',
  'what one document says': 'scopes/SCOPE/facts?limit=20&min_documents=1&order=fact_id',
  'the next page of it': 'scopes/SCOPE/facts?limit=20&min_documents=1&order=fact_id&cursor=NEXT',
  'what no second one says': 'scopes/SCOPE/facts?limit=20&min_documents=1&cursor=LAST',
  evidence: 'scopes/SCOPE/facts/FACT?limit=20',
  documents: 'scopes/SCOPE/documents?limit=20',
  claims: 'documents/DOCUMENT/claims?scope_id=SCOPE&limit=20',
  contradictions: 'contradictions?scope_id=SCOPE&limit=20',
  'newest contradictions': 'contradictions?scope_id=SCOPE&limit=20&order=newest',
  'contradictions by severity': 'contradictions?scope_id=SCOPE&limit=20&severity=medium&status=open',
  'contradictions of a document': 'contradictions?scope_id=SCOPE&limit=20&document_id=DOCUMENT',
  'contradictions of a subject': 'contradictions?scope_id=SCOPE&limit=20&subject=SUBJECT',
};

export async function measureGrowth(stores: Stores): Promise<Outcome[]> {
  const reader = await Reader.start(stores);
  const sides = [READ.few, READ.many];
  for (const [scope, size] of sides.entries()) await reader.fill(scope, size, PORTION, (nth) => sayingOf(nth, size));
  await reader.analyze();
  const ids = await Promise.all(sides.map((_, scope) => findIds(reader, scope)));
  const ratios = [];
  for (const [what, path] of Object.entries(PATHS)) {
    const times: number[][] = sides.map(() => []);
    for (let n = -WARM_UP; n < READS; n++)
      for (const scope of sides.keys()) {
        const ms = await reader.timeOf(scope, withIds(path, ids[scope] as Ids));
        if (n >= 0) times[scope]?.push(ms);
      }
    const [few, many] = times.map((list) => median(list)) as [number, number];
    const told = `${few.toFixed(2)} ms in a scope of ${amount(READ.few)}, ${many.toFixed(2)} ms in one of ${amount(READ.many)}`;
    say(`${what}: ${told}, ${(many / few).toFixed(2)} times as long`);
    ratios.push(many / few);
  }
  await reader.end();
  return [{ value: Math.max(...ratios) }];
}

type Ids = Record<'FACT' | 'DOCUMENT' | 'SUBJECT' | 'NEXT' | 'LAST', string>;

/** After all that two documents speak of; a large scope has too many of those to be read up to here. */
const LAST = encodeCursor('facts by documents', `1${'0'.repeat(16)}`);

async function findIds(reader: Reader, scope: number): Promise<Ids> {
  const { facts } = await reader.read(scope, PATHS['facts in dispute']);
  const { contradictions } = await reader.read(scope, PATHS.contradictions);
  const [{ document_ids, subject }] = contradictions;
  const { next_cursor } = await reader.read(scope, PATHS['what one document says']);
  return { FACT: facts[0].fact_id, DOCUMENT: document_ids[0], SUBJECT: subject, NEXT: next_cursor, LAST };
}

const withIds = (path: string, ids: Ids) =>
  path.replace(/FACT|DOCUMENT|SUBJECT|NEXT|LAST/, (name) => encodeURIComponent(ids[name as keyof Ids]));
