/** Makes elements, and changes those on the page into new ones without losing focus, scroll or what is being typed. */

const SVG = 'http://www.w3.org/2000/svg';
const SVG_NAMES = new Set(['svg', 'path', 'circle', 'line', 'polyline', 'rect']);
/** Set as properties: as attributes they would only say what a field begins with. */
const PROPERTIES = new Set(['value', 'checked', 'selected', 'disabled', 'open']);

const EMPTY = { value: '', checked: false, selected: false, disabled: false, open: false };

/**
 * An element. `key` tells it from its siblings when a list changes; `vars` are custom properties of CSS, since the policy of
 * the page allows no style attribute; what begins with `on` is a handler. Children that are null or false are left out.
 */
export function h(name, props, ...children) {
  const element = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  element.$own = {};
  for (const [prop, value] of Object.entries(props ?? {})) {
    if (prop === 'key') element.$key = String(value);
    else if (prop === 'vars') element.$vars = value;
    else if (PROPERTIES.has(prop) || prop.startsWith('on')) element.$own[prop] = value;
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(prop, value === true ? '' : value);
  }
  element.append(...flat(children).map((child) => (child.$kept ? standIn(child) : child)));
  // After the children: the value of a select is one of its options.
  setOwn(element, element.$own);
  setVars(element);
  return element;
}

/** An element that stays as it is, whatever is drawn around it: it draws itself. */
export function kept(element) {
  element.$kept = true;
  return filled(element);
}

/** Holds the place of one that is kept, which has to stay where it is on the page until it is known where it belongs. */
function standIn(element) {
  const stand = document.createComment('');
  stand.$standsFor = element;
  return stand;
}

/** With those that are kept in their places. */
function filled(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_COMMENT);
  /** @type {Comment[]} */
  const stands = [];
  while (walker.nextNode()) if (walker.currentNode.$standsFor) stands.push(/** @type {Comment} */ (walker.currentNode));
  for (const stand of stands) stand.replaceWith(/** @type {Element} */ (stand.$standsFor));
  return node;
}

/** Makes the children of an element be these. */
export function patch(parent, ...children) {
  patchChildren(parent, flat(children));
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/** What is not wanted any more goes first: to move a row past it would take the focus away from the row. */
function patchChildren(parent, given) {
  const wanted = given.map((node) => node.$standsFor ?? node);
  const keys = new Set(wanted.map(({ $key }) => $key));
  const byKey = new Map();
  for (const node of [...parent.childNodes]) {
    if (node.$kept ? !wanted.includes(node) : !isPlain(node) && !keys.has(node.$key)) node.remove();
    else if (!isPlain(node)) byKey.set(node.$key, node);
  }
  let at = parent.firstChild;
  for (const next of wanted) {
    const match = matchOf(next, at, byKey);
    byKey.delete(next.$key);
    if (match?.parentNode === parent) at = passPlain(at, match);
    if (match === at && at) at = at.nextSibling;
    else parent.insertBefore(match ?? filled(next), at);
    if (match && match !== next) patchNode(match, next);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Told from its siblings by its place only. */
const isPlain = (node) => !node.$kept && node.$key === undefined;

function passPlain(from, to) {
  let at = from;
  while (at && at !== to && isPlain(at)) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
  return at;
}

function matchOf(next, at, byKey) {
  if (next.$kept) return next;
  const found = next.$key === undefined ? at : byKey.get(next.$key);
  const fits = found && !found.$kept && found.$key === next.$key && found.nodeName === next.nodeName;
  return fits ? found : null;
}

function patchNode(old, next) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== next.data) old.data = next.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (name !== 'style' && !next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (name !== 'style' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  patchChildren(old, [...next.childNodes]);
  for (const prop of Object.keys(old.$own ?? {})) if (!(prop in next.$own)) old[prop] = EMPTY[prop] ?? null;
  const before = old.$own;
  old.$own = next.$own;
  setOwn(old, next.$own ?? {}, before);
  old.$vars = next.$vars;
  setVars(old);
}

function setOwn(element, own, before = null) {
  for (const [prop, value] of Object.entries(own)) {
    // What somebody is typing is theirs, and what they have typed until something else is wanted there.
    const isTyped = element === document.activeElement || before?.value === value;
    if (prop === 'value' && element.nodeName === 'INPUT' && isTyped) continue;
    if (element[prop] !== value) element[prop] = value ?? (prop === 'value' ? '' : null);
  }
}

function setVars(element) {
  for (const [name, value] of Object.entries(element.$vars ?? {})) element.style.setProperty(name, String(value));
}
