/** Generated documents of 2 KB, varied, over 50 scopes and 10 tenants. The same for every generator. */

const WORDS =
  'lease tenant landlord annual rent euro payment quarter notice period building renovation signed agreement clause ' +
  'supplier delivery warehouse contract renewal penalty interest invoice schedule inspection repair insurance policy ' +
  'deposit garden storage parking access shared meter heating water energy certificate registered owner successor';

/** A small generator of its own, so that every run sends the same. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export function makeBodies(count: number): string[] {
  const random = randomFrom(7);
  const words = WORDS.split(' ');
  return Array.from({ length: count }, (_item, i) => {
    let text = '';
    while (text.length < 2000) {
      const sentence = Array.from(
        { length: 8 + Math.floor(random() * 8) },
        () => words[Math.floor(random() * words.length)],
      );
      text += `${sentence.join(' ')} ${Math.floor(random() * 10_000)}. `;
    }
    return JSON.stringify({ scope_id: `scope-${i % 50}`, name: `Document ${i}`, text: text.slice(0, 2000) });
  });
}
