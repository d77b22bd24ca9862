/** How a score has gone, as a line the size of a word. */
import { h } from '../core/dom.js';

const [WIDTH, HEIGHT] = [96, 26];

const line = (values, ink) => {
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map((value, n) => `${(n * step).toFixed(1)},${(HEIGHT - 2 - value * (HEIGHT - 4)).toFixed(1)}`);
  return h('polyline', { class: `ink-${ink}`, points: points.join(' ') });
};

/** The points of a history: the score, and the disagreement below it. */
export function spark(history) {
  if (!history || history.length < 2) return h('span', { class: 'spark muted' }, '');
  const [first, last] = [history[0].score, history.at(-1).score].map((score) => Math.round(score * 100));
  return h(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `The score went from ${first} to ${last}`,
    },
    line(
      history.map(({ disagreement }) => disagreement),
      'warn',
    ),
    line(
      history.map(({ score }) => score),
      'accent',
    ),
  );
}
