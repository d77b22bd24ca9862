/** What stands above the two texts of a contradiction, and what is around each of them. */
import { h } from '../core/dom.js';
import { chip } from '../parts/chips.js';
import { saidBy } from './support.js';

/** What it is about. */
export const titleOf = ({ subject, attribute }) => [subject, attribute].filter(Boolean).join(': ') || 'A contradiction';

export const whyOf = ({ reason: why }) => why ?? 'Somebody has reported that these two contradict each other.';

const MAX_QUOTED = 120;

/** What a side says and which document does, in a few words: its value where that is known, and otherwise its sentence. */
export function sayingOf(name, found, said, title) {
  const evidence = found[`evidence_${name}`];
  const sentence = evidence?.sentence ?? found[`claim_${name}`];
  const short = sentence.length > MAX_QUOTED ? `${sentence.slice(0, MAX_QUOTED)}…` : sentence;
  const source = title ?? evidence?.document_id ?? found[`source_${name}`];
  return `${said?.[name]?.text ?? `“${short}”`}${source ? ` (${source})` : ''}`;
}

/** Why the two cannot both be right, and what became of it; `line` is how many say what. */
export function reason(found, line) {
  const { severity, status, resolution, resolved_by, upholds } = found;
  const holds = upholds ? `${upholds.toUpperCase()} holds. ` : '';
  return h(
    'div',
    { class: 'card reason' },
    h('p', { class: 'lead words' }, whyOf(found)),
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
