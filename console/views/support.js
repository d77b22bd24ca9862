/** How many documents say what one side says, and how many say the other: often that tells which of the two is wrong. */
import { get, part, scopePath } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, counted } from '../core/format.js';
import { Glance } from '../core/glance.js';
import { href } from '../core/router.js';
import { valueText } from './values.js';

/** Facts that have the same words in their names; the one that is meant is nearly always the first. */
const LOOKED_AT = 20;
const MAX_EVIDENCE = 50;
const MAX_WORDS = 200;

/** What makes two values the same, however a document writes them. */
function keyOf({ value: { text, ...parts }, polarity }) {
  return JSON.stringify([polarity, parts.type === 'text' ? text.toLowerCase() : parts]);
}

/** What the fact has of a side: its value, and how many documents give it. Null where the fact does not have its sentence. */
export function sideOf(fact, evidence) {
  const own = fact.evidence.find(
    ({ document_id, sentence }) => document_id === evidence.document_id && sentence === evidence.sentence,
  );
  const value = own && fact.values.find((one) => keyOf(one) === keyOf(own));
  return value ? { text: valueText(value), documents: value.documents } : null;
}

export class Support {
  #scope;
  #glance;
  #onChange;
  #id = '';
  #found = null;

  constructor(tenantId, scopeId, signal, onChange) {
    this.#scope = [tenantId, scopeId];
    this.#glance = new Glance(signal);
    this.#onChange = onChange;
  }

  /** Of an open contradiction `{ fact, a, b }` as soon as it is known; null until then, and of those that no fact has. */
  of(contradiction) {
    if (contradiction?.id === this.#id) return this.#found;
    this.#id = contradiction?.id ?? '';
    this.#found = null;
    this.#glance.leave();
    if (contradiction?.evidence_a && contradiction.evidence_b) this.#read(contradiction).catch(() => {});
    return null;
  }

  async #read({ id, subject, attribute, evidence_a, evidence_b }) {
    const path = `${scopePath(...this.#scope)}/facts`;
    const q = [subject, attribute].filter(Boolean).join(' ').slice(0, MAX_WORDS);
    if (!q) return;
    const options = { signal: await this.#glance.next() };
    const { facts } = await get(path, { q, state: 'disputed', limit: LOOKED_AT }, options);
    const meant = facts.find(({ contradictions }) => contradictions.includes(id));
    if (!meant || id !== this.#id) return;
    const fact = await get(`${path}/${part(meant.fact_id)}`, { limit: MAX_EVIDENCE }, options);
    if (id !== this.#id) return;
    this.#found = { fact, a: sideOf(fact, evidence_a), b: sideOf(fact, evidence_b) };
    this.#onChange();
  }

  /** In a sentence, with the way to all that is said of it. */
  line() {
    if (!this.#found) return null;
    const { fact } = this.#found;
    const said = fact.values.slice(0, 4).map((one) => `${count(one.documents)} × ${valueText(one)}`);
    const more = fact.more_values || fact.values.length > said.length ? ', and others' : '';
    return h(
      'p',
      { class: 'muted' },
      `${counted(fact.documents, 'document speaks', 'documents speak')} of it: ${said.join(', ')}${more}. `,
      h('a', { href: href(['scopes', ...this.#scope], { fact: fact.fact_id }) }, 'See what each says'),
    );
  }
}

/** Beside the letter of a side. */
export const saidBy = (found, side) =>
  found?.[side] &&
  h(
    'span',
    { class: 'chip plain' },
    `said by ${count(found[side].documents)} of ${counted(found.fact.documents, 'document')}`,
  );
