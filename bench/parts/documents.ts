/** Generated documents, varied, and the same in every run. */
import { fractionsFrom } from './random.ts';

export interface Content {
  name: string;
  type: string;
  text: string;
}

const WORDS = (
  'lease tenant landlord annual rent euro payment quarter notice period building renovation signed agreement clause ' +
  'supplier delivery warehouse contract renewal penalty interest invoice schedule inspection repair insurance policy ' +
  'deposit garden storage parking access shared meter heating water energy certificate registered owner successor'
).split(' ');

const upTo = (random: () => number, most: number) => Math.floor(random() * most);
const words = (random: () => number, count: number) =>
  Array.from({ length: count }, () => WORDS[upTo(random, WORDS.length)]).join(' ');

/** Bodies to post: plain texts of 2 KB over 50 scopes. */
export function makeBodies(count: number): string[] {
  return makePlain(count).map(({ name, text }, i) => JSON.stringify({ scope_id: `scope-${i % 50}`, name, text }));
}

/** Plain texts of 2 KB. */
export function makePlain(count: number): Content[] {
  const random = fractionsFrom(7);
  return Array.from({ length: count }, (_, i) => {
    let text = '';
    while (text.length < 2000) text += `${words(random, 8 + upTo(random, 8))} ${upTo(random, 10_000)}. `;
    return { name: `Document ${i}`, type: 'txt', text: text.slice(0, 2000) };
  });
}

const SMALLEST = 1000;
const LARGEST = 20_000;

/** Each writes a bit of its type: a paragraph, a row. */
const writers: Record<string, { head: string; bit: (random: () => number) => string; tail: string }> = {
  txt: { head: '', bit: (random) => `${paragraph(random)}\n\n`, tail: '' },
  md: { head: '# Agreement\n\n', bit: markdown, tail: '' },
  html: { head: '<!doctype html><title>Agreement</title><body>\n', bit: html, tail: '</body>' },
  json: { head: '[', bit: (random) => `${JSON.stringify(record(random))},\n`, tail: '{"end": true}]' },
  csv: { head: 'id,supplier,city,rent,signed,remark\n', bit: csv, tail: '' },
};

/** Of the five types in turn and of 1 to 20 KB, small ones more often than large ones. */
export function makeMixed(count: number): Content[] {
  const random = fractionsFrom(11);
  const types = Object.entries(writers);
  return Array.from({ length: count }, (_, i) => {
    const [type, { head, bit, tail }] = types[i % types.length] as [string, (typeof writers)[string]];
    const size = SMALLEST * (LARGEST / SMALLEST) ** random();
    let text = head;
    while (text.length < size) text += bit(random);
    return { name: `Document ${i}`, type, text: text + tail };
  });
}

function sentence(random: () => number): string {
  const text = words(random, 6 + upTo(random, 14));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${upTo(random, 10_000).toLocaleString('en')}.`;
}

const paragraph = (random: () => number) =>
  Array.from({ length: 2 + upTo(random, 5) }, () => sentence(random)).join(' ');

function markdown(random: () => number): string {
  const kind = upTo(random, 5);
  if (kind === 0) return `## ${words(random, 3)}\n\n`;
  if (kind === 1)
    return `${Array.from({ length: 4 }, () => `- **${words(random, 2)}**: ${sentence(random)}`).join('\n')}\n\n`;
  if (kind === 2) {
    const rows = Array.from({ length: 4 }, () => `| ${words(random, 2)} | ${upTo(random, 5000)} |`);
    return `| item | euro |\n|---|---|\n${rows.join('\n')}\n\n`;
  }
  return `${paragraph(random)} See [the ${words(random, 1)}](https://example.org/${upTo(random, 1000)}).\n\n`;
}

function html(random: () => number): string {
  const kind = upTo(random, 4);
  if (kind === 0) return `<h2 class="section">${words(random, 3)}</h2>\n`;
  if (kind === 1) {
    const rows = Array.from(
      { length: 4 },
      () => `<tr><td>${words(random, 2)}</td><td>&euro; ${upTo(random, 5000)}</td></tr>`,
    );
    return `<table class="figures">${rows.join('')}</table>\n`;
  }
  return `<p class="text">${paragraph(random)} <a href="/x/${upTo(random, 1000)}">more &amp; more</a></p>\n`;
}

function record(random: () => number) {
  return {
    id: upTo(random, 100_000),
    party: { name: words(random, 2), city: words(random, 1), active: random() < 0.5 },
    rent: { amount: upTo(random, 5000), currency: 'EUR' },
    clauses: [sentence(random), sentence(random)],
  };
}

function csv(random: () => number): string {
  const signed = `2024-0${1 + upTo(random, 9)}-11`;
  return `${upTo(random, 100_000)},${words(random, 2)},${words(random, 1)},${upTo(random, 5000)},${signed},"${sentence(random)}"\n`;
}
