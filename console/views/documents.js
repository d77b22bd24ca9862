/** Documents of all tenants by what became of them; those that failed first, with their errors. */
import { get } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { tenants } from '../core/names.js';
import { poll } from '../core/poll.js';
import { go, href } from '../core/router.js';
import { Pages } from '../parts/pages.js';
import { heights, VirtualList } from '../parts/virtual.js';
import { DocumentPanel } from './document.js';
import { ending, filterOf, filters, row, summary } from './document-list.js';

const PAGE = 100;
const FRESH_MS = 10_000;

const keyOf = ({ tenant_id, scope_id, document_id, version }) => [tenant_id, scope_id, document_id, version].join('/');

function open(root, first, signal) {
  let place = first;
  let pages;
  let wanted = '';
  const list = new VirtualList(
    {
      label: 'Documents',
      rowHeight: heights(64, 104),
      keyOf,
      draw: (item) => row(item, place),
      onEnd: () => pages?.more(),
    },
    signal,
  );
  const panel = new DocumentPanel(() => reload());

  /** Those of the filter that is chosen now, whatever is chosen while they are read. */
  const newPages = () => {
    const filter = filterOf(place.query);
    const load = async (cursor, stop) => {
      const query = { ...filter, limit: PAGE, cursor };
      const { documents: items, next_cursor: next } = await get('/admin/documents', query, { signal: stop });
      return { items, next };
    };
    const made = new Pages(load, () => made === pages && draw());
    return made;
  };
  const reload = () => {
    pages?.close();
    pages = newPages();
    pages.more();
  };
  const change = (query) => {
    const next = { ...place.query, ...query };
    go(['documents'], next, { replace: 'error' in query || 'document' in query });
  };

  const draw = () => {
    list.set(pages.items);
    const isOpen = place.parts.length === 3;
    patch(
      root,
      h('h1', { tabindex: -1 }, 'Documents'),
      filters(place.query, change),
      h(
        'div',
        { class: isOpen ? 'split is-open' : 'split' },
        h(
          'div',
          { class: 'list' },
          summary(pages, place.query, change, reload),
          pages.items.length > 0 && h('div', { class: 'card' }, list.element),
          ending(pages, place.query),
        ),
        isOpen && panel.element,
      ),
    );
  };

  const update = (next) => {
    place = next;
    const key = JSON.stringify(filterOf(next.query));
    if (key !== wanted) {
      wanted = key;
      reload();
    }
    if (next.parts.length === 3) panel.show(next.parts, href(['documents'], next.query));
    else panel.hide();
    draw();
  };

  signal.addEventListener('abort', () => {
    pages.close();
    panel.hide();
  });
  update(first);
  tenants.watch(draw, signal);
  // Who has scrolled down is reading: nothing is moved under their eyes.
  poll(
    async () => {
      if (document.getElementById('main').scrollTop > 0 || pages.isLoading || pages.items.length > PAGE) return;
      const [shown, next] = [pages, newPages()];
      await next.more();
      // What was asked for under one filter is nothing to show under another; and who has read on keeps what they have.
      if (signal.aborted || next.problem || shown !== pages || pages.isLoading || pages.items.length > PAGE) return;
      pages = next;
      draw();
    },
    FRESH_MS,
    signal,
  );
  return { update };
}

export const documents = { title: 'Documents', open };
