/** Live: what happens, as it happens, with filters, a pause and a search. When the stream breaks off, it is taken up where it was. */
import { scopePath } from '../core/api.js';
import { h, kept, patch } from '../core/dom.js';
import { count, counted } from '../core/format.js';
import { tenants } from '../core/names.js';
import { go } from '../core/router.js';
import { seesInternals } from '../core/session.js';
import { choice, tenantField, textField } from '../parts/fields.js';
import { icon } from '../parts/icons.js';
import { empty, forbidden, INTERNALS_COMMAND } from '../parts/states.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { row } from './events.js';
import { tail } from './tail.js';

const FAMILIES = ['document', 'contradiction', 'scope', 'runtime', 'worker', 'tenant', 'key'];
/** A screen reader is told of what has come so often, and not of each event. */
const TOLD_MS = 5000;
const states = {
  connecting: 'Connecting…',
  open: 'Live',
  waiting: 'Broken off; it is taken up again',
  refused: 'Refused',
  asleep: 'Resting while nobody looks',
};

function open(root, first, signal) {
  let { query } = first;
  let isDrawing = false;
  const { log } = tail;
  const told = kept(h('p', { class: 'hidden', role: 'status' }));
  const list = new VirtualList(
    { label: 'Events', rowHeight: heights(36, 58), keyOf: ({ id }) => id, draw: row },
    signal,
  );
  const change = (more) => go(['live'], { ...query, ...more }, { replace: 'q' in more });

  /** At most once for each picture of the screen, however much comes. */
  const drawSoon = () => {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      if (!signal.aborted) draw();
    });
  };

  /** The route knows no tenant, and one stream of all families lets somebody look from one to the other: they are told apart here. */
  const source = () => {
    const { tenant, scope } = query;
    if (tenant && scope) return `${scopePath(tenant, scope)}/events`;
    return seesInternals() ? '/internals/kernel/events' : null;
  };

  const connect = () => {
    tail.follow(source(), drawSoon);
    log.choose(query);
  };

  const draw = () => {
    const shown = log.shown(query.q);
    list.set(shown);
    patch(
      root,
      h('h1', { tabindex: -1 }, 'Live'),
      h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Which events', onsubmit: (event) => event.preventDefault() },
        tenantField({
          value: query.tenant,
          onChange: (tenant) => change({ tenant, scope: '' }),
          all: seesInternals() ? 'All tenants' : 'Choose a tenant',
        }),
        query.tenant &&
          textField({
            label: 'Scope',
            value: query.scope,
            placeholder: 'all scopes',
            maxlength: 120,
            onChange: (scope) => change({ scope }),
          }),
        textField({ label: 'Search', value: query.q, placeholder: 'in what has come', onChange: (q) => change({ q }) }),
      ),
      choice({
        label: 'What about',
        value: query.family ?? '',
        options: [
          ['', 'everything'],
          ...FAMILIES.map((family) => [family, family === 'runtime' ? family : `${family}s`]),
        ],
        onChange: (family) => change({ family }),
      }),
      source() === null ? refused() : stage(shown),
      told,
    );
  };

  const refused = () =>
    forbidden(
      'With an admin key, choose a tenant and name one of its scopes. What happens everywhere is shown to an internals key.',
      INTERNALS_COMMAND,
    );

  const stage = (shown) => [
    h(
      'div',
      { class: 'section-head' },
      h(
        'p',
        { class: `pulse ${tail.status.state}` },
        h('span', { 'aria-hidden': 'true' }),
        log.isHeld ? `Paused; ${counted(log.waiting, 'new event')}` : states[tail.status.state],
        h('small', { class: 'muted' }, tail.status.detail || `${count(shown.length)} shown`),
      ),
      h(
        'button',
        { type: 'button', 'aria-pressed': String(log.isHeld), onclick: togglePause },
        icon(log.isHeld ? 'play' : 'pause'),
        log.isHeld ? 'Go on' : 'Pause',
      ),
    ),
    shown.length > 0
      ? h('div', { class: 'card list', role: 'log', 'aria-live': 'off', 'aria-label': 'Events' }, list.element)
      : quiet(),
  ];
  const quiet = () =>
    query.q || log.isHeld
      ? empty(log.isHeld ? 'Nothing that is held fits' : 'Nothing that has come fits the search')
      : empty(
          `Nothing ${query.tenant || query.family ? 'that fits ' : ''}has happened since this page was opened`,
          'Whatever happens from now on is shown here, the newest first.',
        );

  const togglePause = () => {
    log.hold(!log.isHeld);
    draw();
  };

  const tell = setInterval(() => {
    const words = log.takeNews();
    if (words && !log.isHeld) told.textContent = words;
  }, TOLD_MS);
  // A browser has six connections to one place: a tab that nobody sees gives its own back, and misses nothing by it.
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) tail.leave();
      else connect();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    clearInterval(tell);
    tail.leave();
  });
  connect();
  tenants.watch(draw, signal);
  return {
    update(place) {
      query = place.query;
      connect();
      draw();
    },
  };
}

export const live = { title: 'Live', open };
