/** Whether single letters act. Who speaks to their computer, or hits a key by mistake, can switch them off; this browser remembers it. */
import { Store } from './store.js';

const NAME = 'docket-letter-keys';

export const letterKeys = new Store(localStorage.getItem(NAME) !== 'off');

export function toggleLetterKeys() {
  if (letterKeys.value) localStorage.setItem(NAME, 'off');
  else localStorage.removeItem(NAME);
  letterKeys.set(!letterKeys.value);
}
