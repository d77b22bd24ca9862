/** A view that is a list, or one of what it lists: whichever the address names. */

/** Each of the two opens as a view does. */
export const listOrOne = (openList, openOne) => (root, first, signal) => {
  let stop;
  let shown = null;
  let view;
  const show = (place) => {
    const key = place.parts.slice(0, 2).join('/');
    if (key === shown) return view.update(place);
    stop?.abort();
    stop = new AbortController();
    root.replaceChildren();
    root.scrollTop = 0;
    const isFirst = shown === null;
    shown = key;
    view = (place.parts.length >= 2 ? openOne : openList)(root, place, stop.signal);
    if (!isFirst) root.querySelector('h1')?.focus();
  };
  signal.addEventListener('abort', () => stop.abort());
  show(first);
  return { update: show };
};
