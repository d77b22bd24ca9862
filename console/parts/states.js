/** What a view shows in place of its content: that it loads, that there is nothing, that it failed, that the key is not enough. */
import { h } from '../core/dom.js';
import { icon } from './icons.js';

/** Grey lines where the content will be. It is shown late, so that what comes at once does not flicker. */
export const loading = (lines = 3) =>
  h(
    'div',
    { class: 'loading', role: 'status' },
    h('span', { class: 'hidden' }, 'Loading…'),
    Array.from({ length: lines }, () => h('span', { class: 'bone', 'aria-hidden': 'true' })),
  );

export const empty = (title, text, ...actions) =>
  h('div', { class: 'notice' }, h('h2', {}, title), text && h('p', {}, text), actions);

export function failing(problem, onRetry) {
  if (problem.status === 403) return forbidden(problem.message);
  return h(
    'div',
    { class: 'notice bad', role: 'alert' },
    h('h2', {}, icon('alert'), problem.status === 404 ? 'It is not there' : 'That did not work'),
    h('p', {}, problem.message),
    onRetry && h('button', { type: 'button', onclick: onRetry }, icon('retry'), 'Try again'),
  );
}

/** What would help stands beside it: an operator can issue such a key. */
export const forbidden = (text, command) =>
  h(
    'div',
    { class: 'notice' },
    h('h2', {}, icon('lock'), 'This key does not reach that'),
    h('p', {}, text),
    command && h('p', {}, h('code', {}, command)),
  );

export const INTERNALS_COMMAND = 'npm run keys -- issue internals --read-only --label console';
