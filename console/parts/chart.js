/** A live chart: the figures of now in large, and how they have gone. */
import uPlot from '/vendor/uplot.js';
import { h, kept, patch } from '../core/dom.js';
import { timeOfDay } from '../core/format.js';
import { theme } from '../core/theme.js';

const numbered = (tick) => (Number.isInteger(tick) ? tick : '');
/** Seconds only where ticks are closer than a minute. */
const clock = (tick, _at, ticks) => timeOfDay(tick * 1000).slice(0, ticks[1] - ticks[0] < 60 ? 8 : 5);

/** What a custom property comes to here; uPlot draws on a canvas, which knows none. */
function colour(name) {
  const probe = document.body.appendChild(h('i', { class: `ink-${name}` }));
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * `series` are `{ name, ink, format }`; `least` is what the upper end is at least, so that nothing looks like much; `window` are
 * the seconds that are shown at least; `byNumber` is of points that are counted and not timed. The element stays; `set([times, …values])` draws. Who points at it sees the figures of
 * that moment in place of those of now.
 */
export class Chart {
  element;
  #options;
  #figures = h('div', { class: 'figures' });
  #plot = null;
  #data = null;
  #canvas = h('div', { class: 'plot', role: 'img' });

  constructor(options, signal) {
    this.#options = { heading: 'h3', height: 132, least: 1, window: 0, ...options };
    const { heading, title, hint, height } = this.#options;
    const head = h('div', { class: 'chart-head' }, h(heading, { title: hint ?? null }, title), this.#figures);
    this.element = kept(h('section', { class: 'card chart' }, head, this.#canvas));
    const resized = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width > 0) this.#plot?.setSize({ width: contentRect.width, height });
    });
    resized.observe(this.#canvas);
    theme.watch(() => this.#rebuild(), signal);
    signal.addEventListener('abort', () => {
      resized.disconnect();
      this.#plot?.destroy();
      this.#plot = null;
    });
  }

  set(data) {
    this.#data = data;
    if (!this.#plot) this.#rebuild();
    else this.#plot.setData(data);
    if (!this.#isPointedAt()) this.#show(data[0].length - 1);
  }

  #isPointedAt() {
    return (this.#plot?.cursor.left ?? -1) >= 0;
  }

  /**
   * Also of a single point, for which uPlot would find none.
   * @returns {[number, number]}
   */
  #span(window) {
    const [times] = this.#data;
    const last = times.at(-1);
    return [Math.min(times[0], last - window), last];
  }

  #show(at) {
    if (!this.#data) return;
    const values = this.#options.series.map(({ name, ink, format }, n) => {
      const value = this.#data[n + 1][at];
      return { name, ink, text: value === null || value === undefined ? '–' : format(value) };
    });
    patch(
      this.#figures,
      values.map(({ name, ink, text }) =>
        h('p', { class: `figure ink-${ink}` }, h('strong', {}, text), name && h('span', {}, name)),
      ),
    );
    const words = values.map(({ name, text }) => [name, text].filter(Boolean).join(' ')).join(', ');
    this.#canvas.setAttribute('aria-label', `${this.#options.title}: ${words}`);
  }

  #rebuild() {
    if (!this.#data) return;
    this.#plot?.destroy();
    const [grid, text] = [colour('line'), colour('muted')];
    const axis = { stroke: text, font: '11px system-ui', grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const { series, height, least, window, byNumber } = this.#options;
    const { format } = series[0];
    this.#plot = new uPlot(
      {
        width: this.#canvas.clientWidth || 300,
        height,
        legend: { show: false },
        padding: [8, 22, 0, 0],
        cursor: { y: false, drag: { setScale: false }, points: { size: 6 } },
        scales: {
          x: { time: !byNumber, range: () => this.#span(window) },
          y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, least)] },
        },
        axes: [
          {
            ...axis,
            space: 70,
            size: 28,
            gap: 8,
            grid: { show: false },
            values: (_plot, ticks) => (byNumber ? ticks.map(numbered) : ticks.map(clock)),
          },
          {
            ...axis,
            space: 34,
            size: 54,
            gap: 4,
            values: (_plot, ticks) => ticks.map((tick) => format(tick).replace(/\.0\b/, '')),
          },
        ],
        series: [
          {},
          ...series.map(({ ink }, n) => ({
            stroke: colour(ink),
            // Below the first one only: two of them would be a third colour.
            ...(n === 0 && { fill: colour(ink).replace(')', ' / 9%)').replaceAll(',', '') }),
            width: 1.75,
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor }) => this.#show((this.#isPointedAt() ? cursor.idx : null) ?? this.#data[0].length - 1),
          ],
        },
      },
      this.#data,
      this.#canvas,
    );
  }
}
