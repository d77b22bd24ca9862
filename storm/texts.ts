/** Documents of which it is known beforehand what they claim, and which of them contradict each other. */
import { extract } from '../src/pipeline/extract/extract.ts';
import { readDocument } from '../src/pipeline/read.ts';
import type { Chance } from './chance.ts';

/** Syllables that make no English words: a firm's name must mean nothing else to the reader. */
const SYLLABLES = [
  'zor',
  'vik',
  'qua',
  'mel',
  'dru',
  'fex',
  'hob',
  'jun',
  'kav',
  'lyn',
  'pov',
  'rix',
  'sut',
  'tev',
  'wub',
  'yal',
];

/** Another one for each number. */
export function firmName(n: number): string {
  let name = '';
  for (let rest = n + SYLLABLES.length ** 2; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    name += SYLLABLES[rest % SYLLABLES.length];
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

export interface Statement {
  firm: string;
  employees: number;
  text: string;
}

/** A question claims nothing, and takes its time to be read. */
export const LONG_READING = ' Stone or river?'.repeat(200);

/** How many claims the pipeline finds in it, when nothing happens to it on the way. */
export function claimsIn(name: string, text: string): number {
  // Without what claims nothing: the books of a long storm would take as long to settle as the storm itself.
  const document = { name, type: 'txt', text: text.replaceAll(LONG_READING, '') };
  return extract(readDocument(document)).claims.length;
}

export const state = (firm: string, employees: number): Statement => ({
  firm,
  employees,
  text: `${firm} has ${employees.toLocaleString('en')} employees.`,
});

/**
 * From here to a hundred times as much: documents that give the same number are compared too, and with fewer numbers there
 * would be the more of them the more a scope has, so that a soak would ask for more from hour to hour.
 */
const NUMBERS = 10_000;

/** Statements on one firm come in pairs, which agree or contradict each other; a scope has its firms for itself. */
export class Statements {
  readonly #chance: Chance;
  #firms = 0;
  #second: Statement | null = null;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  next(filler = ''): Statement {
    const statement = this.#next();
    return { ...statement, text: statement.text + filler };
  }

  #next(): Statement {
    if (this.#second) {
      const second = this.#second;
      this.#second = null;
      return second;
    }
    const firm = firmName(this.#firms++);
    const employees = NUMBERS + this.#chance.below(99 * NUMBERS);
    const more = Math.round((employees * (10 + this.#chance.below(20))) / 100);
    this.#second = state(firm, this.#chance.is(0.5) ? employees : employees + more);
    return state(firm, employees);
  }
}
