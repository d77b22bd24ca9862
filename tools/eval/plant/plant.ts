/** Plants contradictions in a corpus: documents that say of the same thing something else than one that is there. */
import type { Chance } from '../../../storm/chance.ts';
import type { Source } from '../read.ts';
import { FieldValues, statementsOfFields } from './fields.ts';
import { statementsOfProse } from './prose.ts';
import { statementsOfRows } from './rows.ts';
import type { Range, Statement } from './statement.ts';

export interface Plant {
  kind: string;
  form: string;
  /** By their names: the one that was there, and the one that was planted. */
  source: string;
  planted: Source;
  saidInSource: Range;
  saidInPlanted: Range;
  from: string;
  to: string;
}

/** Kinds take turns, so that none of them fills the plants, and no document is contradicted twice. */
export function plantIn(sources: Source[], wanted: number, chance: Chance): Plant[] {
  const kinds = Map.groupBy(shuffled(statementsOf(sources, chance), chance), ({ kind }) => kind);
  const used = new Set<string>();
  const plants: Plant[] = [];
  while (plants.length < wanted && kinds.size > 0)
    for (const [kind, statements] of [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const next = statements.find(({ source }) => !used.has(source.name));
      if (!next) kinds.delete(kind);
      if (!next || plants.length >= wanted) continue;
      used.add(next.source.name);
      plants.push(toPlant(next, plants.length + 1, chance));
    }
  return plants;
}

function statementsOf(sources: Source[], chance: Chance): Statement[] {
  const values = new FieldValues(sources.filter(({ type }) => type === 'json'));
  return sources.flatMap((source) => {
    const own = chance.fork(source.name);
    if (source.type === 'json') return statementsOfFields(source, values, own);
    if (source.type === 'csv') return statementsOfRows(source, own);
    return source.type === 'html' ? [] : statementsOfProse(source, own);
  });
}

function toPlant({ kind, source, said, from, to, forms }: Statement, number: number, chance: Chance): Plant {
  const form = chance.pick(forms);
  const planted = { name: `planted/${number}`, type: source.type, text: form.text };
  return {
    ...{ kind, form: form.name, source: source.name, planted, from, to },
    ...{ saidInSource: said, saidInPlanted: form.said },
  };
}

function shuffled<Item>(items: Item[], chance: Chance): Item[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
