/** Holds the schema against that of the release before, which runs beside this one while it is rolled out. */
import { readFileSync } from 'node:fs';
import { readPrevious } from './previous-release.ts';
import { readSchemaText } from './schema-text.ts';
import { objections } from './upgrade-rules.ts';

const NUMBER = /export const RELEASE = (\d+);/;

const previous = readPrevious();
if (!previous.show) {
  process.stdout.write(`note: ${previous.why}; whether it runs beside this one was not checked\n`);
} else {
  const before = Number(NUMBER.exec(previous.show('src/storage/release.ts') ?? '')?.[1] ?? 1);
  const now = Number(NUMBER.exec(readFileSync('src/storage/release.ts', 'utf8'))?.[1]);
  const found = objections(
    readSchemaText(previous.show('migrations/schema.sql') ?? ''),
    readSchemaText(readFileSync('migrations/schema.sql', 'utf8')),
  );
  if (now !== before + 1)
    found.push(`src/storage/release.ts says ${now}, and ${before + 1} comes after the release before`);
  for (const line of found) process.stderr.write(`${line}\n`);
  if (found.length > 0) process.exitCode = 1;
}
