/** What stands above the two texts of a contradiction, and what is around each of them. */
import { h } from '../core/dom.js';
import { chip } from '../parts/chips.js';
import { saidBy } from './support.js';

/** Why the two cannot both be right, and what became of it; `line` is how many say what. */
export function reason({ reason: why, severity, status, resolution, resolved_by, upholds }, line) {
  const holds = upholds ? `${upholds.toUpperCase()} holds. ` : '';
  return h(
    'div',
    { class: 'card reason' },
    h('p', { class: 'lead words' }, why ?? 'Somebody has reported that these two contradict each other.'),
    h(
      'p',
      { class: 'line' },
      chip(severity),
      status !== 'open' && chip(status),
      status !== 'open' && h('span', { class: 'words' }, `${holds}“${resolution}” ${resolved_by}`),
    ),
    line,
  );
}

export function side(name, found, pane, said) {
  const { upholds } = found;
  const letter = name.toUpperCase();
  return h(
    'section',
    { class: upholds === name ? 'card side upheld' : 'card side', 'aria-label': `Side ${letter}`, key: name },
    h(
      'p',
      { class: 'line' },
      h('span', { class: 'letter', 'aria-hidden': 'true' }, letter),
      upholds && (upholds === name ? chip('upheld') : chip('wrong')),
      saidBy(said, name),
    ),
    pane.element,
  );
}
