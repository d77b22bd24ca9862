/** States in a word, with a sign that tells them apart without colours. */
import { h } from '../core/dom.js';

const kinds = {
  up: ['good', 'up'],
  lost: ['bad', 'lost'],
  down: ['bad', 'down'],
  running: ['good', 'running'],
  paused: ['warn', 'paused'],
  stopped: ['bad', 'stopped'],
  pending: ['plain', 'not queued'],
  queued: ['info', 'waiting'],
  processing: ['info', 'in work'],
  processed: ['good', 'processed'],
  failed: ['bad', 'failed'],
  superseded: ['plain', 'superseded'],
  converged: ['good', 'converged'],
  converging: ['info', 'converging'],
  plateaued: ['warn', 'stuck'],
  diverging: ['bad', 'drifting apart'],
  empty: ['plain', 'no claims yet'],
  agreed: ['good', 'agreed'],
  disputed: ['bad', 'disputed'],
  varied: ['plain', 'varied'],
  open: ['warn', 'open'],
  resolved: ['good', 'resolved'],
  deferred: ['plain', 'left undecided'],
  upheld: ['good', 'holds'],
  wrong: ['bad', 'does not hold'],
  critical: ['bad', 'critical'],
  medium: ['warn', 'medium'],
  low: ['plain', 'low'],
  idle: ['plain', 'idle'],
  busy: ['info', 'busy'],
  draining: ['warn', 'finishing'],
};

const signs = { good: '✓', warn: '!', bad: '✕', info: '•', plain: '–' };

export function chip(state, text) {
  const [kind, word] = kinds[state] ?? ['plain', state];
  return h(
    'span',
    { class: `chip ${kind}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[kind]),
    text ?? word,
  );
}

export const wordFor = (state) => kinds[state]?.[1] ?? state;
