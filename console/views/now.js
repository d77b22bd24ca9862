/** Now: whether all is well, what needs somebody, what is paused and by whom, how much comes and goes, and who is at work. */
import { h, patch } from '../core/dom.js';
import { health, held } from '../core/held.js';
import { tenants } from '../core/names.js';
import { samples } from '../core/sampler.js';
import { seesInternals } from '../core/session.js';
import { forbidden, INTERNALS_COMMAND } from '../parts/states.js';
import { headline } from './headline.js';
import { heldSection } from './held-levels.js';
import { needsSection, watchNeeds } from './needs.js';
import { nodesSection } from './nodes.js';
import { nowCharts } from './now-charts.js';
import { workersSection } from './workers.js';

function open(root, _place, signal) {
  const charts = seesInternals() ? nowCharts(signal) : null;
  const needs = watchNeeds(() => draw(), signal);

  const draw = () =>
    patch(
      root,
      h('h1', { tabindex: -1 }, 'Now'),
      headline(health.value, held.value),
      heldSection(held.value),
      needsSection(needs),
      h('h2', {}, 'How much comes and goes'),
      charts?.element ?? noFigures(),
      workersSection(samples.value, health.value),
      nodesSection(health.value),
    );

  for (const store of [health, held, tenants]) store.watch(draw, signal);
  samples.watch((sampled) => {
    charts?.set(sampled);
    draw();
  }, signal);
  return { update: draw };
}

const noFigures = () =>
  forbidden(
    'Rates, what waits and how long it takes are shown to an internals key; one that only reads is enough.',
    INTERNALS_COMMAND,
  );

export const now = { title: 'Now', open };
