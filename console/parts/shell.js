/** The frame around all views: the menu, whose console it is, and a banner when the service does not answer. */
import { h, patch } from '../core/dom.js';
import { timeOfDay } from '../core/format.js';
import { held } from '../core/held.js';
import { href } from '../core/router.js';
import { session } from '../core/session.js';
import { theme, toggleTheme } from '../core/theme.js';
import { views } from '../views/index.js';
import { icon } from './icons.js';

const shell = document.getElementById('shell');
const banner = document.getElementById('banner');
let current = '';

export function drawShell(name = current) {
  current = name;
  patch(
    shell,
    h('a', { class: 'brand', href: href(['now']) }, brand()),
    h(
      'nav',
      { 'aria-label': 'Views' },
      h(
        'ul',
        {},
        Object.entries(views).map(([key, { title }]) => item(key, title, name)),
      ),
    ),
    h(
      'div',
      { class: 'about' },
      h(
        'p',
        { class: 'service', title: 'The service behind this console' },
        session.service.replace(/^https?:\/\//, ''),
      ),
      h('p', {}, `${session.tier} key`, session.readOnly && h('span', { class: 'chip plain' }, 'read-only')),
      themeButton(),
    ),
  );
}

function item(key, title, name) {
  const paused = key === 'now' ? (held.value.levels?.length ?? 0) : 0;
  return h(
    'li',
    { key },
    h(
      'a',
      { href: href([key]), 'aria-current': key === name ? 'page' : null },
      icon(key),
      h('span', {}, title),
      paused > 0 &&
        h(
          'span',
          { class: 'badge', title: `${paused} paused or stopped` },
          paused,
          h('span', { class: 'hidden' }, ' paused or stopped'),
        ),
    ),
  );
}

function themeButton() {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  return h(
    'button',
    { type: 'button', class: 'quiet', onclick: toggleTheme, title: `Change to ${next}` },
    icon(next),
    h('span', {}, `Use ${next} colours`),
  );
}

const signal = new AbortController().signal;
held.watch(() => current && drawShell(), signal);
theme.watch(() => current && drawShell(), signal);

const titles = {
  away: 'The service does not answer',
  gone: 'The console does not answer',
  refused: 'The service refuses this key',
  locked: 'The console was started anew',
};

const helps = {
  away: 'What you see may be old. It is tried again every few seconds.',
  gone: 'What you see may be old. Start it again with npm run console, and open the link that it prints.',
  refused: 'It is wrong, has ended or was revoked. End the console, and start it again with another one.',
  locked: 'Open the link that npm run console has printed.',
};

export function drawBanner({ state, detail, since }) {
  patch(
    banner,
    state !== 'up' &&
      h(
        'div',
        { class: 'banner' },
        h('strong', {}, `${titles[state]}, since ${timeOfDay(since)}. `),
        h('span', {}, detail ? `${detail} ` : '', helps[state]),
      ),
  );
}

const brand = () => [h('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), 'Docket'];

/** In place of all views, before anything is known. */
export const startTitle = () => h('h1', { class: 'brand' }, brand());

export const startTrouble = ({ state, detail }) =>
  h(
    'div',
    { class: 'notice', role: 'alert' },
    h(
      'h2',
      {},
      icon(state === 'refused' || state === 'locked' ? 'lock' : 'alert'),
      state === 'locked' ? 'This browser has no pass yet' : (titles[state] ?? 'The console cannot begin'),
    ),
    // What the service says to programs is of no use to people.
    state !== 'refused' && state !== 'locked' && h('p', {}, detail),
    h('p', {}, helps[state]),
    state === 'locked' &&
      h('p', {}, 'It lets this browser in until the console is ended; anybody else on this machine stays out.'),
  );
