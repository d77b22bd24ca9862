/** Says in a line what has just been done, and to a screen reader as well. */
import { h } from '../core/dom.js';

const SHOWN_MS = 7000;
const MAX_SHOWN = 3;

export function toast(text, kind = 'good') {
  const place = document.getElementById('toasts');
  const line = h('p', { class: `toast ${kind}` }, text);
  place.append(line);
  while (place.children.length > MAX_SHOWN) place.firstElementChild.remove();
  setTimeout(() => line.remove(), SHOWN_MS);
}
