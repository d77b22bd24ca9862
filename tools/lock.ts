/** Names every platform package that package-lock.json mentions and does not hold: one missing breaks npm ci everywhere. */
import { readFileSync } from 'node:fs';

interface Locked {
  optionalDependencies?: Record<string, string>;
}

const packages: Record<string, Locked> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !packages[`${place}/node_modules/${name}`] && !packages[`node_modules/${name}`])
    .map(
      ([name, version]) =>
        `${place.replace('node_modules/', '')} wants ${name}@${version}, which the lock does not hold`,
    ),
);

for (const line of missing) process.stderr.write(`${line}\n`);
if (missing.length > 0) process.exitCode = 1;
else process.stdout.write(`${Object.keys(packages).length} packages, none missing\n`);
