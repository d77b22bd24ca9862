import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { Histogram } from '../../src/figures/histogram.ts';
import { HttpFigures } from '../../src/figures/http.ts';
import { Refusals } from '../../src/figures/refusals.ts';
import { toText } from '../../src/figures/text.ts';

it('writes a histogram as Prometheus reads it: each bucket with all that is below it', () => {
  const histogram = new Histogram([1, 2.5]);
  for (const value of [0, 1, 1.1, 2.5, 2.6, 100]) histogram.observe(value);
  const family = { name: 'a_b', help: 'of\nlines', type: 'histogram' as const };
  expect(toText([{ ...family, samples: [{ labels: { who: 'a "b" \\' }, value: histogram }] }])).toBe(
    [
      '# HELP a_b of\\nlines',
      '# TYPE a_b histogram',
      'a_b_bucket{who="a \\"b\\" \\\\",le="1"} 2',
      'a_b_bucket{who="a \\"b\\" \\\\",le="2.5"} 4',
      'a_b_bucket{who="a \\"b\\" \\\\",le="+Inf"} 6',
      'a_b_sum{who="a \\"b\\" \\\\"} 107.2',
      'a_b_count{who="a \\"b\\" \\\\"} 6',
      '',
    ].join('\n'),
  );
});

it('says nothing of a family without samples', () => {
  expect(toText([{ name: 'a', help: 'b', type: 'gauge', samples: [] }])).toBe('');
});

it('counts answers by route and class, and nothing for what is no status', () => {
  const http = new HttpFigures();
  const route = http.route('GET', '/api/documents/:document_id');
  for (const status of [200, 204, 404, 503, 0, 999, Number.NaN]) route.answered(status, 3);
  http.unrouted.answered(404, 1);
  const { samples } = http.family();
  expect(
    samples.map(({ labels, value }) => ({ ...labels, n: (value as Histogram).counts.reduce((a, b) => a + b) })),
  ).toEqual([
    { method: 'any', route: 'none', status: '4xx', n: 1 },
    { method: 'GET', route: '/api/documents/{document_id}', status: '2xx', n: 2 },
    { method: 'GET', route: '/api/documents/{document_id}', status: '4xx', n: 1 },
    { method: 'GET', route: '/api/documents/{document_id}', status: '5xx', n: 1 },
  ]);
});

it('counts refusals by reasons that are known, whatever they are called', () => {
  const refusals = new Refusals();
  const before = refusals.family().samples.length;
  const limit = (name: string) => ({ limit: { name, quota: 1, perSecond: true } });
  refusals.count(new AppError('too_many_requests', '', limit('rate_per_s')));
  for (let n = 0; n < 50; n++) refusals.count(new AppError('too_many_requests', '', limit(`made up ${n}`)));
  refusals.count(new AppError('unavailable', '', { reason: 'postgres' }));
  refusals.count(new AppError('unavailable', ''));
  refusals.count(new AppError('not_found', ''));
  const { samples } = refusals.family();
  expect(samples).toHaveLength(before);
  expect(samples.filter(({ value }) => value !== 0)).toEqual([
    { labels: { status: '429', reason: 'rate_per_s' }, value: 1 },
    { labels: { status: '429', reason: 'other' }, value: 50 },
    { labels: { status: '503', reason: 'postgres' }, value: 1 },
    { labels: { status: '503', reason: 'other' }, value: 1 },
  ]);
});
