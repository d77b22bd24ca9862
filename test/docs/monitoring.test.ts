/** Whatever examples/monitoring and docs/operating.md name is a metric of the service, and each metric of ours is in the docs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { WHOLE_SERVICE } from '../../src/figures/text.ts';
import { namesIn, startMonitored } from '../support/monitored.ts';

// biome-ignore lint/suspicious/noExplicitAny: rules and dashboards are walked as the plain JSON that they are.
type Json = any;

const read = (name: string) => readFileSync(`examples/monitoring/${name}`, 'utf8');
const rules: Json[] = parse(read('docket-rules.yml')).groups.flatMap((group: Json) => group.rules);
const dashboard: Json = JSON.parse(read('grafana-dashboard.json'));
const docs = readFileSync('docs/operating.md', 'utf8');
const { metrics } = await startMonitored();
const text = await metrics();
const there = namesIn(text);

/** What looks like a metric in an expression of PromQL, without those that Prometheus or a rule makes. */
function metricsOf(expression: string): string[] {
  const names = expression.replaceAll(/"[^"]*"/g, '').match(/[a-z_:][\w:]*/gi) ?? [];
  return names.filter((name) => /^(docket[_:]|process_|nodejs_)/.test(name));
}
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const unknownIn = (expressions: string[]) =>
  expressions.flatMap(metricsOf).filter((name) => !there.has(name) && !recorded.has(name));

it('sees a metric that is not there', () => {
  expect(unknownIn(['max(docket_backlog_documents and on (instance) docket_made_up == 1)'])).toEqual([
    'docket_made_up',
  ]);
  expect(unknownIn(['rate(docket_flush_seconds_sum{kind="docket_x"}[5m]) / docket:none'])).toEqual(['docket:none']);
});

it('has rules about metrics that there are', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  for (const { expr } of rules)
    expect([expr, metricsOf(expr).length > 0 || expr.startsWith('up{')]).toEqual([expr, true]);
});

it('has a dashboard of metrics that there are, each panel with one', () => {
  const panels: Json[] = dashboard.panels.filter(({ type }: Json) => type !== 'row');
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }: Json) => expr));
  expect(panels.length).toBeGreaterThan(20);
  expect(
    unknownIn([...expressions, ...dashboard.templating.list.flatMap(({ definition }: Json) => definition ?? [])]),
  ).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it('takes the largest of what is of the whole service, and never the sum', () => {
  const whole = text
    .split('\n')
    .flatMap((line) => (line.includes(`${WHOLE_SERVICE}:`) ? [line.split(' ')[2] as string] : []));
  expect(whole).toEqual([
    'docket_backlog_documents',
    'docket_oldest_waiting_seconds',
    'docket_lanes',
    'docket_nodes',
    'docket_runtime_state',
  ]);
  const all = [
    ...rules.map(({ expr }) => expr as string),
    ...dashboard.panels.flatMap(({ targets = [] }: Json) => targets.map(({ expr }: Json) => expr)),
  ];
  const ofWhole = all.filter((expr) => metricsOf(expr).some((name) => whole.includes(name)));
  expect(ofWhole.length).toBeGreaterThan(5);
  expect(ofWhole.filter((expr) => !/^max( by \(state\))? ?\(/.test(expr))).toEqual([]);
});

it('is in the docs, each of them, and the docs name no other', () => {
  const families = [...text.matchAll(/^# TYPE (docket_\w+) /gm)].map(([, name]) => name as string);
  expect(families.length).toBeGreaterThan(20);
  expect(families.filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
  const named = [...docs.matchAll(/`(docket_\w+)/g)].map(([, name]) => name as string);
  // Without an extractor of one's own there is nothing to tell of it.
  expect(named.filter((name) => !families.includes(name) && !name.startsWith('docket_extractor_'))).toEqual([]);
});
