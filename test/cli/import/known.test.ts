/** What an import sends again, and by which key. */
import { describe, expect, it } from 'vitest';
import { draftOf } from '../../../src/cli/import/draft.ts';
import { Known, type ListedDocument } from '../../../src/cli/import/known.ts';

const file = (text: string, path = 'a.txt', scopeId = 's') => draftOf(scopeId, path, 'txt', text, text.length);
/** As the scope lists it. */
const row = (text: string, version = 1, more: Partial<ListedDocument> = {}, path = 'a.txt'): ListedDocument => {
  const { document_id, name, type, provenance = null } = file(text, path).document;
  return { document_id, name, type, provenance, source: null, version, state: 'processed', ...more };
};
function planned(draft: ReturnType<typeof file>, ...rows: ListedDocument[]) {
  const known = new Known('s');
  for (const listed of rows) known.note(listed);
  return known.plan(draft);
}
const keyOf = (...args: Parameters<typeof planned>) => (planned(...args) as { key: string | null }).key;

describe('a document', () => {
  it.each(['queued', 'processing', 'processed'])('that is %s with the same content is not sent', (state) => {
    expect(planned(file('x'), row('x', 1, { state }))).toBe('unchanged');
    expect(planned(file('x'), row('y', 1, { state: 'superseded' }), row('x', 2, { state }))).toBe('unchanged');
  });

  it('is sent with a key when it is new, was changed, or has another name, type, source or provenance', () => {
    expect(keyOf(file('x'))).toMatch(/^import-[0-9a-f]{64}$/);
    expect(keyOf(file('x'), row('y'))).toMatch(/^import-/);
    for (const other of [{ name: 'b' }, { type: 'md' }, { source: 'u' }, { provenance: null }])
      expect(keyOf(file('x'), row('x', 1, other))).toMatch(/^import-/);
  });

  it('has the same key each time until it is there, and another one in every other case', () => {
    expect(keyOf(file('x'))).toBe(keyOf(file('x')));
    const keys = [
      keyOf(file('x')),
      keyOf(file('y')),
      keyOf(file('x', 'b.txt')),
      // It was changed, and changed back: the key of the first version would give its answer again.
      keyOf(file('x'), row('x', 1, { state: 'superseded' }), row('y', 2)),
      keyOf(file('x'), row('y', 1)),
      keyOf(file('x'), row('y', 3)),
    ];
    const elsewhere = new Known('other').plan(file('x')) as { key: string };
    expect(new Set([...keys, elsewhere.key]).size).toBe(keys.length + 1);
    expect(keyOf(file('x'), row('y', 2))).toBe(keys[3]);
  });

  it.each(['failed', 'pending'])('that is %s is sent again, each time as a request of its own', (state) => {
    expect(planned(file('x'), row('x', 1, { state }))).toEqual({ key: null });
  });

  it('with a provenance of its own, which says nothing of the text, is left to the service', () => {
    const draft = file('x');
    draft.document.provenance = 'box 4';
    expect(keyOf(draft, row('x', 1, { provenance: 'box 4' }))).toMatch(/^import-/);
    const other = file('y');
    other.document.provenance = 'box 4';
    expect(keyOf(other, row('x', 1, { provenance: 'box 4' }))).not.toBe(
      keyOf(draft, row('x', 1, { provenance: 'box 4' })),
    );
  });

  it('without text, an entry of a register, is sent once', () => {
    const entry = file('x');
    entry.document.text = null;
    entry.document.provenance = 'box 4';
    expect(keyOf(entry)).toMatch(/^import-/);
    expect(planned(entry, row('x', 1, { provenance: 'box 4', state: 'pending' }))).toBe('unchanged');
    expect(keyOf(entry, row('x', 1, { provenance: 'box 5', state: 'pending' }))).toMatch(/^import-/);
  });

  it('keeps a key of its own', () => {
    const draft = file('x');
    draft.document.idempotency_key = 'mine';
    expect(planned(draft)).toEqual({ key: 'mine' });
  });

  it('whose id came before in the same import is not sent', () => {
    const known = new Known('s');
    expect(known.plan(file('x'))).toHaveProperty('key');
    expect(known.plan(file('y'))).toBe('twice');
    expect([known.wasPlanned('a.txt'), known.wasPlanned('b.txt')]).toEqual([true, false]);
  });

  it('of which nothing is remembered any more is sent without a key, and the service knows it', () => {
    const known = new Known('s', 1);
    known.note(row('x', 1, {}, 'a.txt'));
    known.note(row('x', 1, {}, 'b.txt'));
    known.note(row('y', 2, {}, 'a.txt'));
    expect(known.plan(file('x', 'b.txt'))).toEqual({ key: null });
    expect(known.plan(file('y', 'a.txt'))).toBe('unchanged');
    // What was planned and is not remembered might be any.
    expect([known.wasPlanned('b.txt'), known.wasPlanned('a.txt')]).toEqual([true, null]);
  });
});
