// Looks at what vitest skipped where there is no Redis: all of it must be about Redis. Usage: node skipped.mjs REPORT.json
import { readFileSync } from 'node:fs';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const skipped = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${name}: ${fullName}`),
);
const others = skipped.filter((name) => !/redis/i.test(name));
for (const name of others) process.stdout.write(`✗ skipped: ${name}\n`);
if (others.length === 0)
  process.stdout.write(`✓ ${skipped.length} tests were skipped, all of them for want of Redis\n`);
process.exitCode = others.length > 0 ? 1 : 0;
