/** What the page works out by itself, without a browser; and what holds for all of its modules. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPath, get, scopePath, withQuery } from '../../console/core/api.js';
import { bucketsOf, difference, quantile, samplesOf } from '../../console/core/histogram.js';
import { Recent } from '../../console/core/recent.js';
import { href, parse } from '../../console/core/router.js';
import { EventParser } from '../../console/core/sse.js';
import { beginningOf, reasonsOf } from '../../console/views/reasons.js';
import { sideOf } from '../../console/views/support.js';
import { differing, isAt } from '../../console/views/texts.js';
import { workersOfAll } from '../../console/views/workers.js';

const modules = readdirSync('console', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(js|css)$/.test(name),
);

describe('the modules', () => {
  it.each(modules)('%s is short, begins with what it is for, and names nothing outside', (name) => {
    const text = readFileSync(`console/${name}`, 'utf8');
    expect(text.split('\n').length).toBeLessThan(200);
    expect(text).toMatch(/^\/\*/);
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/[a-z]|innerHTML|eval\(/);
  });
});

describe('the address', () => {
  it('holds a place as it was, whatever ids are made of', () => {
    const parts = ['documents', 'ten_1', 'acme', 'a/b?c#d é%'];
    const query = { state: 'any', error: 'took “long” & more' };
    expect(parse(href(parts, query))).toEqual({ parts, query });
    expect(parse(href(['now'], { gone: '', none: undefined }))).toEqual({ parts: ['now'], query: {} });
  });

  it('of nonsense is a place, too', () => {
    expect(parse('')).toEqual({ parts: [], query: {} });
    expect(parse('#/%E0%A4%A/x')).toEqual({ parts: ['%E0%A4%A', 'x'], query: {} });
  });
});

describe('figures', () => {
  const text = `# HELP docket_lanes Of the whole service
docket_lanes{state="in_work"} 2
docket_lanes{state="held"} 1
docket_lanes_other 9
docket_batch_seconds_bucket{le="0.1"} 10
docket_batch_seconds_bucket{le="1"} 20
docket_batch_seconds_bucket{le="+Inf"} 20
`;

  it('are read from the text of Prometheus', () => {
    expect(samplesOf(text, 'docket_lanes').map(({ labels, value }) => [labels.state, value])).toEqual([
      ['in_work', 2],
      ['held', 1],
    ]);
    expect(bucketsOf(text, 'docket_batch_seconds')).toEqual([
      [0.1, 10],
      [1, 20],
      [Infinity, 20],
    ]);
  });

  it('give percentiles of what has come since, and none when the counters are others', () => {
    const now = bucketsOf(text, 'docket_batch_seconds');
    const before: [number, number][] = [
      [0.1, 10],
      [1, 10],
      [Infinity, 10],
    ];
    expect(quantile(difference(now, before), 0.5)).toBeCloseTo(0.55);
    expect(quantile(now, 0.25)).toBeCloseTo(0.05);
    expect(quantile(difference(now, now), 0.5)).toBeNull();
    expect(difference(now, [])).toEqual(now);
    expect(difference(before, now)).toBeNull();
    expect(quantile(null, 0.5)).toBeNull();
  });
});

describe('what was counted of late', () => {
  const told = (
    node: number,
    fast: number,
    slow: number,
    route = '/api/ingest',
  ) => `docket_node_info{node_id="${node}"} 1
seconds_bucket{route="${route}",le="0.1"} ${fast}
seconds_bucket{route="${route}",le="1"} ${fast + slow}
seconds_bucket{route="${route}",le="+Inf"} ${fast + slow}
`;

  it('is what came since a node was first heard, of the last half minute, and nothing of before', () => {
    const recent = new Recent('seconds');
    expect(recent.percentiles(told(1, 1000, 1000), 100)).toEqual([null, null]);
    expect(recent.percentiles(told(1, 1010, 1000), 102)[0]).toBeCloseTo(50);
    // Slow ones after that, until all that is in the window is slow.
    expect(recent.percentiles(told(1, 1010, 1100), 120)[0]).toBeGreaterThan(100);
    expect(recent.percentiles(told(1, 1010, 1100), 140)[0]).toBeGreaterThan(500);
    expect(recent.percentiles(told(1, 1010, 1100), 200)).toEqual([null, null]);
  });

  it('is of all nodes that answer, whichever is asked, and of the series that fit', () => {
    const recent = new Recent('seconds', ({ route }: { route: string }) => route === '/api/ingest');
    for (const [node, at] of [
      [1, 100],
      [2, 102],
    ] as const)
      expect(recent.percentiles(told(node, 0, 0), at)).toEqual([null, null]);
    // Node 1 has fast ones, node 2 slow ones: neither is taken for the other that has restarted.
    expect(recent.percentiles(told(1, 10, 0), 104)[1]).toBeLessThan(100);
    expect(recent.percentiles(told(2, 0, 10), 106)[1]).toBeGreaterThan(900);
    expect(recent.percentiles(told(1, 10, 0) + told(1, 0, 99, '/other'), 108)[0]).toBeCloseTo(100);
  });

  it('begins anew where counters are less than they were', () => {
    const recent = new Recent('seconds');
    recent.percentiles(told(1, 50, 50), 100);
    expect(recent.percentiles(told(1, 5, 0), 102)).toEqual([null, null]);
    expect(recent.percentiles(told(1, 6, 0), 104)[1]).toBeLessThan(100);
  });
});

it('an id of dots is refused before the browser asks for something else', async () => {
  for (const id of ['.', '..', 'a/../b', '../b', 'a\\..']) {
    await expect(get(`${scopePath('ten_1', 'acme')}/documents/${encodeURIComponent(id)}`)).rejects.toMatchObject({
      code: 'unaddressable',
    });
    const events = withQuery(`${scopePath('ten_1', id)}/events`, { types: 'scope.*' });
    expect(() => checkPath(events)).toThrow('cannot be asked for');
  }
  const others = [
    scopePath('t', '...'),
    scopePath('t', '.x'),
    scopePath('t', 'a/b.'),
    withQuery('/x', { error: '/../' }),
  ];
  for (const path of others) expect(() => checkPath(path)).not.toThrow();
});

it('events are read however the bytes are cut', () => {
  const text = 'retry: 2000\n\nid: 7\nevent: document.queued\ndata: {"a":"b: c"}\n\n: still here\nid: 8\n\n';
  const parser = new EventParser();
  const blocks = [...text].flatMap((character) => [...parser.read(character)]);
  expect(blocks).toMatchObject([
    { retry: '2000' },
    { id: '7', event: 'document.queued', data: '{"a":"b: c"}' },
    { id: '8' },
  ]);
});

it('an event without an end is not kept', () => {
  const parser = new EventParser();
  const piece = 'x'.repeat(64 * 1024);
  const readOn = () => {
    for (let n = 0; n < 17; n++) for (const _ of parser.read(piece)) throw new Error('it has ended');
  };
  expect(readOn).toThrow('has no end');
});

describe('two sentences', () => {
  const words = (sentence: string, other: string) =>
    differing(sentence, other)
      .filter(({ differs }) => differs)
      .map(({ text }) => text.trim());

  it('differ in the words that the other lacks', () => {
    expect(words('It has 1,900 employees.', 'Acme Robotics has 2,310 employees.')).toEqual(['It', '1,900']);
    expect(words('The rent is due.', 'the rent is due')).toEqual([]);
    expect(
      differing('The lease runs three years.', 'x')
        .map(({ text }) => text)
        .join(''),
    ).toBe('The lease runs three years.');
  });

  it('are found where the evidence says, or not', () => {
    const evidence = { sentence: 'It has 1,900 employees.', span: { start: 6, end: 29 } };
    expect(isAt('Acme. It has 1,900\nemployees.', evidence)).toBe(true);
    expect(isAt('Something else was written there since.', evidence)).toBe(false);
    expect(isAt('', evidence)).toBe(false);
  });
});

it('a side counts who says the same, however they write it', () => {
  const years = (text: string, number: number) => ({ value: { type: 'number', text, number }, polarity: 'affirmed' });
  const fact = {
    values: [
      { ...years('five years', 5), documents: 3 },
      { ...years('three years', 3), documents: 1 },
    ],
    evidence: [
      { ...years('5 years', 5), document_id: 'amended', sentence: 'It runs for 5 years.' },
      { ...years('three years', 3), document_id: 'lease', sentence: 'It runs for three years.' },
    ],
  };
  expect(sideOf(fact, fact.evidence[0])).toEqual({ text: 'five years', documents: 3 });
  expect(sideOf(fact, fact.evidence[1])).toEqual({ text: 'three years', documents: 1 });
  expect(sideOf(fact, { document_id: 'lease', sentence: 'It has another.' })).toBeNull();
});

it('errors that differ in a figure are one reason', () => {
  const items = ['Reading it took longer than 10 s.', 'Reading it took longer than 20 s.', 'No text.'].map((error) => ({
    error,
  }));
  expect(beginningOf('Reading it took longer than 10 s.')).toBe('Reading it took longer than');
  expect(reasonsOf([...items, { error: null }])).toEqual([
    { error: 'Reading it took longer than', n: 2, isWhole: false },
    { error: 'No text.', n: 1, isWhole: true },
  ]);
});

it('workers are those of all nodes that are up, and of the one that answers those of now', () => {
  const node = (node_id: string, actual: number, busy: number, state = 'up') => ({
    node_id,
    state,
    workers: { target: actual, actual, busy },
  });
  const nodes = [node('api', 0, 0), node('one', 4, 1), node('two', 4, 3), node('gone', 4, 4, 'lost')];
  expect(workersOfAll(nodes, { node_id: 'api', workers: [] })).toEqual({ nodes: 2, actual: 8, busy: 4 });
  const own = [{ lane: { scope_id: 's' } }, { lane: { scope_id: 't' } }, { lane: null }, { lane: null }];
  expect(workersOfAll(nodes, { node_id: 'one', workers: own })).toEqual({ nodes: 2, actual: 8, busy: 5 });
  expect(workersOfAll([node('api', 0, 0)], null)).toEqual({ nodes: 0, actual: 0, busy: 0 });
});
