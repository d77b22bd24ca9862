/** One scope: how far its documents agree and how that has gone, what stands in the way, and its facts. */
import { get, scopePath } from '../core/api.js';
import { h, kept, patch } from '../core/dom.js';
import { count, counted, duration, share } from '../core/format.js';
import { nameOf, tenants } from '../core/names.js';
import { poll } from '../core/poll.js';
import { href } from '../core/router.js';
import { Chart } from '../parts/chart.js';
import { chip } from '../parts/chips.js';
import { failing, loading } from '../parts/states.js';
import { FactsSheet } from './facts.js';

const EVERY_MS = 5000;
const percent = (value) => `${share(value)}`;

const trend = {
  title: 'How it has gone',
  heading: 'h2',
  height: 188,
  least: 1.02,
  byNumber: true,
  hint: 'A point is made after each batch and each decision. The score is best at 100, disagreement at 0.',
  series: [
    { name: 'score', ink: 'accent', format: percent },
    { name: 'disagreement', ink: 'warn', format: percent },
  ],
};

const meanings = {
  agreement: 'How far documents that speak of the same thing say the same',
  coverage: 'How many of the documents are processed',
  stability: 'How little the last documents have changed',
  corroboration: 'How much is said by more than one document',
};

export function openScope(root, first, signal) {
  const [tenantId, scopeId] = first.parts;
  const path = scopePath(tenantId, scopeId);
  const chart = new Chart(trend, signal);
  const sheet = new FactsSheet(tenantId, scopeId, signal);
  const facts = kept(sheet.element);
  let summary = null;
  let latency = null;
  let problem = null;
  let isCharted = false;

  const draw = () =>
    patch(
      root,
      h(
        'p',
        { class: 'crumbs' },
        h('a', { href: href(['scopes']) }, 'Scopes'),
        ' › ',
        h('a', { href: href(['scopes'], { tenant: tenantId }) }, nameOf(tenantId)),
      ),
      h('h1', { tabindex: -1 }, summary?.scope.name ?? scopeId),
      problem && !summary && failing(problem),
      !problem && !summary && loading(4),
      summary && head(summary, latency, tenantId, scopeId),
      summary && h('div', { class: 'charts' }, isCharted && chart.element, dimensions(summary.convergence)),
      summary && blockers(summary.convergence.blockers, tenantId, scopeId),
      summary && facts,
    );

  poll(
    async () => {
      try {
        const [now, metrics] = await Promise.all([
          get(`${path}/summary`, {}, { signal }),
          get(`${path}/metrics`, {}, { signal }),
        ]);
        [summary, latency, problem] = [now, metrics.latency_ms.total, null];
        const { history } = metrics.convergence;
        if (history.length > 1) {
          chart.set([
            history.map((_point, n) => n + 1),
            history.map(({ score }) => score),
            history.map(({ disagreement }) => disagreement),
          ]);
          isCharted = true;
        }
      } catch (error) {
        problem = error;
      }
      if (!signal.aborted) draw();
    },
    EVERY_MS,
    signal,
  );
  tenants.watch(draw, signal);
  sheet.show(first);
  return { update: (place) => sheet.show(place) };
}

function head({ documents, contradictions, claims, convergence, runtime }, latency, tenantId, scopeId) {
  const { status, score, groups, batches_to_go } = convergence;
  const ofState = (state) => href(['documents'], { state, tenant: tenantId, scope: scopeId });
  const waiting = documents.queued + documents.processing;
  return h(
    'div',
    { class: 'scope-head' },
    h(
      'p',
      { class: 'line' },
      chip(status),
      runtime.effective_state !== 'running' && chip(runtime.effective_state),
      batches_to_go > 0 &&
        h(
          'span',
          { class: 'muted' },
          `About ${counted(batches_to_go, 'batch', 'batches')} until there is next to no disagreement.`,
        ),
      latency.p50 !== null &&
        h(
          'span',
          { class: 'muted' },
          `Half are done ${duration(latency.p50)} after they were queued, 99 in 100 within ${duration(latency.p99)}.`,
        ),
    ),
    h(
      'dl',
      { class: 'tiles' },
      tile('Score', score === null ? '–' : share(score), 'of 100'),
      tile(
        'Open contradictions',
        contradictions.open > 0
          ? h('a', { href: href(['contradictions', tenantId, scopeId]) }, count(contradictions.open))
          : '0',
        contradictions.resolved > 0 && `${count(contradictions.resolved)} resolved`,
      ),
      tile('Facts', count(groups.total), `${count(groups.disputed)} disputed`),
      tile('Documents processed', count(documents.processed), `${count(claims.total)} claims`),
      tile('Waiting', waiting > 0 ? h('a', { href: ofState('queued') }, count(waiting)) : '0'),
      tile('Failed', documents.failed > 0 ? h('a', { href: ofState('failed') }, count(documents.failed)) : '0'),
    ),
  );
}

const tile = (title, value, more) =>
  h('div', { class: 'card', key: title }, h('dt', {}, title), h('dd', {}, value, more && h('small', {}, more)));

function dimensions({ dimensions: all }) {
  if (!all) return null;
  return h(
    'section',
    { class: 'card dimensions' },
    h('h2', {}, 'What the score is made of'),
    h(
      'dl',
      {},
      Object.entries(meanings).map(([name, meaning]) => {
        const { score, weight } = all[name];
        return h(
          'div',
          { key: name, title: meaning },
          h('dt', {}, name, h('small', {}, `counts ${share(weight)} %`)),
          h(
            'dd',
            {},
            h('span', { class: 'bar' }, h('span', { vars: { '--part': score } })),
            h('strong', {}, share(score)),
          ),
        );
      }),
    ),
  );
}

function blockers(list, tenantId, scopeId) {
  if (list.length === 0) return null;
  return h(
    'section',
    { 'aria-labelledby': 'blockers-title' },
    h('h2', { id: 'blockers-title' }, 'What stands in the way'),
    h(
      'ul',
      { class: 'card blockers' },
      list.map(({ contradiction_id, severity, subject, reason }) =>
        h(
          'li',
          { key: contradiction_id },
          h(
            'a',
            { class: 'row', href: href(['contradictions', tenantId, scopeId, contradiction_id]) },
            chip(severity),
            h('span', { class: 'words' }, reason ?? subject ?? 'Two documents contradict each other'),
          ),
        ),
      ),
    ),
  );
}
