/** What the headings of a text make the sentences below them be about. */
import { LABEL_SHOWN } from '../claim.ts';
import { cut } from '../storable.ts';
import { attachFigures } from './figures.ts';
import { namedScene, type Scene } from './scene.ts';
import { subjectOf } from './subject.ts';
import type { Token } from './tokens.ts';

/** Of what all headings above a text name together. */
const MAX_SUBJECT = 12;

interface Open {
  level: number;
  subject: string[];
  name: string;
}

export class Headings {
  /** Stems of the names in running text. */
  readonly #names: ReadonlySet<string>;
  /** Those with a name that the text below stands under, the title first. */
  #open: Open[] = [];
  #isFirst = true;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** `about` is what the document as a whole is about. */
  enter(level: number, text: string, tokens: Token[], before: Scene, about: string[]): Scene {
    // 'Boiler 7' has its number.
    attachFigures(text, tokens);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const last = this.#open.at(-1);
    this.#open = this.#open.filter((above) => above.level < level);
    const above = this.#open.at(-1);
    const { stems, hasName } = subjectOf(tokens, tokens.length);
    const isProper = stems.every((stem) => /\d/.test(stem) || this.#names.has(stem));
    const isNamed = hasName && !(stems.length === 1 && before.subject.length > 0) && (isFirst || isProper || above);
    if (isNamed) {
      // 'API Reference' names nothing by itself: it is that of what the title names.
      const subject = isProper || !above ? stems : [...new Set([...above.subject, ...stems])].slice(0, MAX_SUBJECT);
      this.#open.push({ level, subject, name: cut(text, LABEL_SHOWN) });
    }
    const now = this.#open.at(-1);
    if (now === last) return before;
    return now
      ? { ...before, ...namedScene(now.subject, now.name), title: now.subject }
      : { ...before, ...namedScene(about, ''), title: [] };
  }
}
