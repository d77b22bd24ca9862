/** The contradictions of a scope, one at a time: why, both texts side by side, and a decision. A hundred need no mouse. */
import { get, part, scopePath } from '../core/api.js';
import { h, kept, patch } from '../core/dom.js';
import { count } from '../core/format.js';
import { letterKeys, toggleLetterKeys } from '../core/letter-keys.js';
import { nameOf, tenants } from '../core/names.js';
import { go, href } from '../core/router.js';
import { mayChange } from '../core/session.js';
import { wordFor } from '../parts/chips.js';
import { choice } from '../parts/fields.js';
import { Pages } from '../parts/pages.js';
import { empty, failing, loading } from '../parts/states.js';
import { toast } from '../parts/toast.js';
import { DecisionBar } from './decision.js';
import { reason, sayingOf, side, titleOf, whyOf } from './sides.js';
import { Support } from './support.js';
import { TextPane } from './texts.js';

const PAGE = 50;
/** So many before the last that was read, more are read. */
const AHEAD = 5;

export function openDeck(root, first, signal) {
  const [tenantId, scopeId] = first.parts;
  const path = `${scopePath(tenantId, scopeId)}/contradictions`;
  let place = first;
  let pages;
  let wanted = null;
  /** One that the address names and the list does not have. */
  let single = null;
  /** All that was read is decided, and more is on its way, or has to be asked for again. */
  let isWaiting = false;
  const pane = () => new TextPane(tenantId, scopeId, signal, () => !signal.aborted && draw());
  const panes = { a: pane(), b: pane() };
  for (const { element } of Object.values(panes)) kept(element);
  const bar = new DecisionBar(
    path,
    { onDecided: (...given) => afterDecision(...given), onStep: (n) => move(n) },
    signal,
  );
  kept(bar.element);
  const support = new Support(tenantId, scopeId, signal, () => draw());

  const status = () => place.query.status ?? 'open';
  const address = (id) => ['contradictions', tenantId, scopeId, ...(id ? [id] : [])];
  const at = () => pages.items.findIndex(({ id }) => id === place.parts[2]);
  const current = () => pages.items[at()] ?? (single?.id === place.parts[2] ? single : null);

  const move = (step) => {
    const next = pages.items[at() + step];
    if (next) go(address(next.id), place.query);
    if (at() + step >= pages.items.length - AHEAD) pages.more();
  };
  /** The row is found by its id: another one may be shown by then. */
  const afterDecision = (decided, isShown) => {
    const n = pages.items.findIndex(({ id }) => id === decided.id);
    if (n >= 0) pages.items[n] = decided;
    if (single?.id === decided.id) single = decided;
    if (!isShown) return draw();
    if (n >= pages.items.length - AHEAD) pages.more();
    goOn();
  };
  const goOn = () => {
    const isLeft = (one) => one.status === status();
    const next = pages.items.slice(at() + 1).find(isLeft) ?? pages.items.find(isLeft);
    isWaiting = !next && !pages.isDone && !pages.isFull;
    if (next) return go(address(next.id), place.query);
    if (isWaiting) pages.more();
    else toast('Nothing is left to decide in what was read of this scope.', 'plain');
    draw();
  };

  const reload = () => {
    pages?.close();
    const fresh = new Pages(
      async (cursor, stop) => {
        const query = { status: status(), document_id: place.query.document, limit: PAGE, cursor };
        const { contradictions, next_cursor } = await get(path, query, { signal: stop });
        return { items: contradictions, next: next_cursor };
      },
      () => fresh === pages && settle(),
    );
    pages = fresh;
    fresh.more();
  };
  /** Somewhere in the list, unless the address says where. */
  const settle = () => {
    if (isWaiting && !pages.isLoading) return goOn();
    if (!place.parts[2] && pages.items.length > 0)
      return go(address(pages.items[0].id), place.query, { replace: true });
    if (place.parts[2] && !pages.isLoading && !current()) readSingle(place.parts[2]);
    draw();
  };
  const readSingle = async (id) => {
    const read = await get(`${path}/${part(id)}`, {}, { signal }).catch((problem) => ({ id, problem }));
    if (signal.aborted || id !== place.parts[2]) return;
    single = read;
    draw();
  };

  const draw = () => {
    const shown = current();
    const found = shown && !shown.problem ? shown : null;
    panes.a.show(found?.evidence_a, found?.evidence_b, found?.claim_a, found?.source_a);
    panes.b.show(found?.evidence_b, found?.evidence_a, found?.claim_b, found?.source_b);
    const said = support.of(found);
    const says = (name) => (found ? sayingOf(name, found, said, panes[name].title) : '');
    const ends = { isFirst: at() <= 0, isLast: at() >= pages.items.length - 1 && pages.isDone };
    bar.show(found, ends, { a: says('a'), b: says('b') });
    patch(
      root,
      h(
        'p',
        { class: 'crumbs' },
        h('a', { href: href(['contradictions']) }, 'Contradictions'),
        ' › ',
        h('a', { href: href(['scopes', tenantId, scopeId]) }, `${nameOf(tenantId)} › ${scopeId}`),
      ),
      h('h1', { tabindex: -1 }, found ? titleOf(found) : 'Contradictions'),
      // Who goes on by a key stays where they are on the page, and is told what is there now.
      h('p', { class: 'hidden', role: 'status' }, found ? `${titleOf(found)}. ${whyOf(found)}` : ''),
      h(
        'div',
        { class: 'section-head' },
        choice({
          label: 'Which',
          value: status(),
          options: ['open', 'deferred', 'resolved'].map((one) => [one, wordFor(one)]),
          onChange: (value) => go(address(), { ...place.query, status: value }),
        }),
        h('div', { class: 'line' }, h('p', { class: 'muted', role: 'status' }, position()), letterButton()),
      ),
      shown?.problem && failing(shown.problem, () => readSingle(shown.id)),
      pages.problem &&
        h(
          'div',
          { key: 'failing' },
          failing(pages.problem, () => pages.again()),
        ),
      pages.isPaused && h('button', { type: 'button', key: 'on', onclick: () => pages.again() }, 'Look on'),
      !shown && pages.isLoading && loading(6),
      !shown && pages.isDone && pages.items.length === 0 && !place.parts[2] && nothing(status(), tenantId, scopeId),
      found && reason(found, support.line()),
      found && h('div', { class: 'sides' }, side('a', found, panes.a, said), side('b', found, panes.b, said)),
      found && (mayChange() || pages.items.length > 1) && bar.element,
    );
  };

  const position = () => {
    const left = pages.items.filter((one) => one.status === status()).length;
    if (at() < 0) return pages.items.length > 0 ? `${count(left)} ${wordFor(status())}` : '';
    return `${count(at() + 1)} of ${count(pages.items.length)}${pages.isDone ? '' : ' or more'}; ${count(left)} still ${wordFor(status())}`;
  };

  const update = (next) => {
    place = next;
    isWaiting = false;
    const key = JSON.stringify([status(), next.query.document]);
    if (key !== wanted) {
      wanted = key;
      reload();
    }
    settle();
  };
  document.addEventListener('keydown', (event) => bar.onKey(event), { signal });
  signal.addEventListener('abort', () => pages.close());
  update(first);
  for (const store of [tenants, letterKeys]) store.watch(draw, signal);
  return { update };
}

const letterButton = () =>
  h(
    'button',
    { type: 'button', class: 'quiet letter-keys', onclick: toggleLetterKeys, title: 'A, B, L, N and P' },
    `Switch letter keys ${letterKeys.value ? 'off' : 'on'}`,
  );

const nothing = (status, tenantId, scopeId) =>
  empty(
    status === 'open' ? 'Nothing is left to decide here' : `Nothing is ${wordFor(status)} here`,
    status === 'open' ? 'All contradictions of this scope are decided, or there were none.' : null,
    h('p', {}, h('a', { href: href(['scopes', tenantId, scopeId]) }, 'See how far the scope agrees now')),
  );
