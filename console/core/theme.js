/** Light or dark: as the system has it, unless somebody has chosen, which this browser remembers. */
import { Store } from './store.js';

const NAME = 'docket-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const chosen = () => {
  const value = localStorage.getItem(NAME);
  return value === 'dark' || value === 'light' ? value : null;
};

const current = () => chosen() ?? (system.matches ? 'dark' : 'light');

export const theme = new Store(current());

function apply() {
  const value = chosen();
  if (value) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
  if (theme.value !== current()) theme.set(current());
}

export function toggleTheme() {
  const next = current() === 'dark' ? 'light' : 'dark';
  // What the system has anyway is no choice.
  if (next === (system.matches ? 'dark' : 'light')) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, next);
  apply();
}

system.addEventListener('change', apply);
apply();
