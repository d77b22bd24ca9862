/** The beginning: finds out what the key is good for, draws the frame, and shows the view that the address names. */
import { connection } from './core/api.js';
import { patch } from './core/dom.js';
import { startWatching } from './core/held.js';
import { readTenants, TENANTS_EVERY_MS } from './core/names.js';
import { takePass } from './core/pass.js';
import { poll } from './core/poll.js';
import { here, href } from './core/router.js';
import { startSampling } from './core/sampler.js';
import { openSession, seesInternals } from './core/session.js';
import { drawBanner, drawShell, startTitle, startTrouble } from './parts/shell.js';
import { views } from './views/index.js';

const main = document.getElementById('main');
const forever = new AbortController().signal;
const RETRY_MS = 2000;

takePass();
// The link in a tab that is open already: another console may have another key.
addEventListener('hashchange', (event) => {
  if (!takePass()) return;
  event.stopImmediatePropagation();
  location.reload();
});

// Its address is no view.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

let shown = { name: '', view: null, stop: new AbortController() };

function show() {
  const { parts, query } = here();
  const name = Object.hasOwn(views, parts[0] ?? '') ? parts[0] : 'now';
  if (name !== parts[0]) return location.replace(href([name]));
  drawShell(name);
  if (shown.name === name) return shown.view.update({ parts: parts.slice(1), query });
  shown.stop.abort();
  const isFirst = shown.name === '';
  const stop = new AbortController();
  main.replaceChildren();
  main.scrollTop = 0;
  shown = { name, view: views[name].open(main, { parts: parts.slice(1), query }, stop.signal), stop };
  document.title = `${views[name].title} · Docket`;
  // Who has followed a link is told where it has led.
  if (!isFirst) main.querySelector('h1')?.focus();
}

/** The page waits for a service that is away; a key that is refused waits for somebody to act. */
async function begin() {
  for (;;) {
    try {
      await openSession();
      break;
    } catch (problem) {
      patch(main, startTitle(), startTrouble({ ...connection.value, detail: problem.message }));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  main.replaceChildren();
  connection.watch(drawBanner, forever);
  startWatching(forever);
  poll(() => readTenants(), TENANTS_EVERY_MS, forever);
  if (seesInternals()) startSampling(forever);
  addEventListener('hashchange', show);
  show();
}

begin();
