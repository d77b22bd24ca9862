/** Live: what happens, as it happens, with filters, a pause and a search. When the stream breaks off, it is taken up where it was. */
import { scopePath, withQuery } from '../core/api.js';
import { h, kept, patch } from '../core/dom.js';
import { count, counted } from '../core/format.js';
import { tenants } from '../core/names.js';
import { go } from '../core/router.js';
import { seesInternals } from '../core/session.js';
import { follow } from '../core/sse.js';
import { choice, tenantField, textField } from '../parts/fields.js';
import { icon } from '../parts/icons.js';
import { empty, forbidden, INTERNALS_COMMAND } from '../parts/states.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { EventLog, row } from './events.js';

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
  let stream = { key: null, stop: new AbortController(), position: { lastId: '' } };
  let status = { state: 'connecting', detail: '' };
  let isPaused = false;
  let isDrawing = false;
  const log = new EventLog();
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

  const source = () => {
    const { tenant, scope, family } = query;
    const types = family ? `${family}.*` : undefined;
    if (tenant && scope) return withQuery(`${scopePath(tenant, scope)}/events`, { types });
    return seesInternals() ? withQuery('/internals/kernel/events', { types }) : null;
  };

  const connect = () => {
    const path = source();
    if (path === stream.key && !stream.stop.signal.aborted) return;
    stream.stop.abort();
    const isSame = path === stream.key;
    const stop = new AbortController();
    stream = { key: path, stop, position: isSame ? stream.position : { lastId: '' } };
    if (!isSame) log.clear();
    if (path === null) return;
    follow(path, {
      position: stream.position,
      signal: stop.signal,
      onEvent: (type, event) => {
        log.add(type, event);
        drawSoon();
      },
      onState: (state, detail) => {
        if (stop.signal.aborted) return;
        status = { state, detail };
        drawSoon();
      },
    });
  };

  const draw = () => {
    const shown = log.shown(query);
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
        { class: `pulse ${status.state}` },
        h('span', { 'aria-hidden': 'true' }),
        isPaused ? `Paused; ${counted(log.waiting, 'new event')}` : states[status.state],
        h('small', { class: 'muted' }, status.detail || `${count(shown.length)} shown`),
      ),
      h(
        'button',
        { type: 'button', 'aria-pressed': String(isPaused), onclick: togglePause },
        icon(isPaused ? 'play' : 'pause'),
        isPaused ? 'Go on' : 'Pause',
      ),
    ),
    shown.length > 0
      ? h('div', { class: 'card list', role: 'log', 'aria-live': 'off', 'aria-label': 'Events' }, list.element)
      : quiet(),
  ];
  const quiet = () =>
    query.q
      ? empty('Nothing that has come fits the search')
      : empty(
          'Nothing has happened since this page was opened',
          'Whatever happens from now on is shown here, the newest first.',
        );

  const togglePause = () => {
    isPaused = !isPaused;
    log.hold(isPaused);
    draw();
  };

  const tell = setInterval(() => {
    const words = log.takeNews();
    if (words && !isPaused) told.textContent = words;
  }, TOLD_MS);
  // A browser has six connections to one place: a tab that nobody sees gives its own back, and misses nothing by it.
  document.addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden) return connect();
      stream.stop.abort();
      status = { state: 'asleep', detail: '' };
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    clearInterval(tell);
    stream.stop.abort();
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
