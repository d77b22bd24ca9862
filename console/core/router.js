/** Where the page is: all of it stands behind the # of the address, so that a view can be sent to somebody. */

/** `#/scopes/ten_1/acme?tab=facts` as its parts and its parameters. */
export function parse(hash) {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a place. Parameters without a value are left out. */
export function href(parts, query = {}) {
  const path = parts.map(encodeURIComponent).join('/');
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path}${search ? `?${search}` : ''}`;
}

/** Goes there. With `replace` the place before is not one to come back to, as while a filter is typed. */
export function go(parts, query, { replace = false } = {}) {
  const address = href(parts, query);
  if (address === location.hash) return;
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export const here = () => parse(location.hash);
