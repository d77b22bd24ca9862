/** One side of a contradiction: the text of its document with the sentence marked, and in it the words that the other lacks. */
import { get, part, scopePath } from '../core/api.js';
import { h, patch } from '../core/dom.js';
import { moment } from '../core/format.js';
import { Glance } from '../core/glance.js';
import { href } from '../core/router.js';
import { loading } from '../parts/states.js';

const words = (text) => text.match(/[$€£]?[\p{L}\p{N}](?:[\p{L}\p{N}.,:/'’-]*[\p{L}\p{N}%])?|\s+|./gu) ?? [];
const plain = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** The sentence in pieces; `differs` are those that the other sentence does not have. */
export function differing(sentence, other) {
  const known = new Set(words(other).map((word) => word.toLowerCase()));
  const pieces = [];
  for (const text of words(sentence)) {
    const differs = /[\p{L}\p{N}]/u.test(text) && !known.has(text.toLowerCase());
    const last = pieces.at(-1);
    if (last && last.differs === differs) last.text += text;
    else pieces.push({ text, differs });
  }
  return pieces;
}

/** Whether the place in the text is the sentence; another version of the document has something else there. */
export function isAt(text, { span, sentence }) {
  const found = plain(text.slice(span.start, span.end));
  const wanted = plain(sentence).replace(/…$/, '');
  return found !== '' && (found.includes(wanted.slice(0, 40)) || wanted.includes(found.slice(0, 40)));
}

export class TextPane {
  element = h('div', { class: 'pane' });
  /** The name of the document, as soon as it is known. */
  title = null;
  #scope;
  #glance;
  #onRead;
  #shown = '';
  #turn = 0;

  constructor(tenantId, scopeId, signal, onRead = () => {}) {
    this.#scope = [tenantId, scopeId];
    this.#glance = new Glance(signal);
    this.#onRead = onRead;
  }

  /** Reported ones have no evidence, only what somebody has claimed, and where from. */
  show(evidence, other, claim, source) {
    // The other one, too: what is marked is what it lacks.
    const key = JSON.stringify([evidence, other?.sentence, claim, source]);
    if (key === this.#shown) return;
    this.#shown = key;
    // Not the key: who goes on and comes back wants the same again, and not what was given up.
    const turn = ++this.#turn;
    this.title = null;
    this.#glance.leave();
    if (!evidence) {
      patch(this.element, claim && [head(source ?? 'A claim without a document', null), h('blockquote', {}, claim)]);
      return;
    }
    const link = href(['documents', ...this.#scope, evidence.document_id], {
      state: 'any',
      tenant: this.#scope[0],
      scope: this.#scope[1],
    });
    patch(this.element, head(evidence.document_id, link), loading(4));
    this.#read(evidence)
      .catch((problem) => ({ text: null, life: null, said: null, problem }))
      .then((read) => turn === this.#turn && this.#draw(read, link, evidence, other));
  }

  /** The version that says it: mostly the newest, and otherwise that whose number the evidence has. */
  async #read(evidence) {
    const path = `${scopePath(...this.#scope)}/documents/${part(evidence.document_id)}`;
    const options = { signal: await this.#glance.next() };
    const [life, newest] = await Promise.all([get(path, { limit: 200 }, options), get(`${path}/text`, {}, options)]);
    const said = life.versions.find(({ seq }) => seq === evidence.seq) ?? null;
    if (newest.text !== null && isAt(newest.text, evidence)) return { text: newest.text, life, said };
    if (!said || said.version === newest.version) return { text: null, life, said };
    const { text } = await get(`${path}/text`, { version: said.version }, options);
    return { text: text !== null && isAt(text, evidence) ? text : null, life, said };
  }

  #draw({ text, life, said, problem = null }, link, evidence, other) {
    const { sentence, span } = evidence;
    const inMark = (words) =>
      differing(words, other?.sentence ?? '').map(({ text: piece, differs }) =>
        differs ? h('strong', {}, piece) : piece,
      );
    const mark = h('mark', {}, inMark(text === null ? sentence : text.slice(span.start, span.end)));
    const content = h(
      'div',
      { class: 'paper', tabindex: 0, role: 'region', 'aria-label': `The text of ${evidence.document_id}` },
      text === null ? mark : [text.slice(0, span.start), mark, text.slice(span.end)],
    );
    const note =
      problem?.message ??
      (text === null ? 'Only the sentence is shown: its place in the text is not known any more.' : null);
    const top = head(life?.name ?? evidence.document_id, link, life && aboutOf(evidence, life, said));
    patch(this.element, top, content, note && h('p', { class: 'muted' }, note));
    const drawn = this.element.querySelector('mark');
    const paper = this.element.querySelector('.paper');
    paper.scrollTop = drawn.offsetTop - paper.clientHeight / 3;
    this.title = life?.name ?? null;
    this.#onRead();
  }
}

/** When it came often tells which of two holds. */
function aboutOf({ document_id }, life, said) {
  const { version, accepted_at } = said ?? life;
  const which = life.version > 1 ? `, version ${version} of ${life.version}` : '';
  return `${document_id}, accepted ${moment(accepted_at)}${which}`;
}

const head = (title, link, about = null) =>
  h(
    'div',
    {},
    h('h2', { class: 'words' }, link ? h('a', { href: link }, title) : title),
    about && h('small', { class: 'muted words' }, about),
  );
