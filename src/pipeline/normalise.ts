/** Turns a document of any type into plain text in blocks, with the way back to the original. */
import { readCsv } from './formats/csv.ts';
import { readHtml } from './formats/html.ts';
import { readJson } from './formats/json.ts';
import { readMarkdown } from './formats/markdown.ts';
import { readTxt } from './formats/txt.ts';
import { whyNotText } from './not-text.ts';
import { type Normalised, PlainText } from './plain-text.ts';

export interface SourceText {
  name: string;
  type: string;
  text: string;
}

const readers = new Map<string, (out: PlainText) => void>([
  ['', readTxt],
  ['txt', readTxt],
  ['text', readTxt],
  ['plain', readTxt],
  ['md', readMarkdown],
  ['markdown', readMarkdown],
  ['html', readHtml],
  ['htm', readHtml],
  ['xhtml', readHtml],
  ['json', readJson],
  ['csv', readCsv],
  ['tsv', readCsv],
  ['tab-separated-values', readCsv],
]);

const KNOWN = 'Known are txt, md, html, json, csv and tsv.';

export function normalise({ type, text }: SourceText): Normalised {
  const out = new PlainText(text);
  const read = readers.get(type) ?? readers.get(formatOf(type));
  if (!read) out.warnings.push(`The type ${JSON.stringify(type)} is not known: it was read as plain text. ${KNOWN}`);
  const doubt = whyNotText(text);
  if (doubt) out.warnings.push(doubt);
  (read ?? readTxt)(out);
  return out.finish();
}

/** From 'html', '.html', 'text/html; charset=utf-8', 'application/xhtml+xml' or 'application/ld+json'. */
function formatOf(type: string): string {
  const [media = ''] = type.toLowerCase().split(';');
  const name = media.slice(media.lastIndexOf('/') + 1).trim();
  if (name.endsWith('+json')) return 'json';
  return name.replace(/^\.|^x-|\+xml$/g, '');
}
