// Asks the loader of a minimal root for every native file that npm ci brought there: what does it need that a base system
// does not have? Usage: node native-files.mjs ROOT FOLDER, the folder as it is named inside of the root.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** What is never loaded, so that it may lack what it likes. */
const NEVER_LOADED = [
  [
    /\/lib\/postgresql\/(\w+_)?pl(perl|python3|tcl)u?\.so$/,
    'languages for functions of Postgres; ours are in PL/pgSQL',
  ],
  [/\/lib\/postgresql\/pgxs\//, 'programs by which Postgres tests extensions'],
  [/\.musl\.node$/, 'for another C library; the one for glibc is beside it'],
];

const MACHINES = { x64: 62, arm64: 183 };

const [root, folder] = process.argv.slice(2);
/** Null when it is no native file; else for which processor it is, and whether it wants the loader of another C library. */
function elfOf(file) {
  const head = Buffer.alloc(4096);
  const handle = openSync(file);
  readSync(handle, head);
  closeSync(handle);
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return null;
  return { isOurs: head.readUInt16LE(18) === MACHINES[process.arch], isMusl: head.includes('/lib/ld-musl') };
}
const files = readdirSync(join(root, folder, 'node_modules'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter(elfOf)
  .map((file) => file.slice(root.length));

let bad = 0;
for (const file of files) {
  if (NEVER_LOADED.some(([pattern]) => pattern.test(file))) continue;
  const { stdout, stderr } = spawnSync('chroot', [root, 'ldd', file], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/bin' },
  });
  const missing = [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
  const { isOurs, isMusl } = elfOf(join(root, file));
  const other = isOurs && !isMusl ? [] : [isMusl ? 'the loader of musl' : 'another processor'];
  // A static program has no list; anything else that the loader has to say is a complaint.
  if (!/=>|statically linked|not a dynamic executable/.test(stdout + stderr))
    other.push(stderr.trim() || 'what ldd cannot tell');
  for (const what of [...missing, ...other]) {
    bad++;
    process.stdout.write(`✗ ${file} needs ${what}, which a base system does not have\n`);
  }
}
// A look at nothing must not pass for a good one: Node, Postgres and its libraries alone are more than this.
if (files.length < 50) process.stdout.write(`✗ only ${files.length} native files were found in ${folder}\n`);
else if (bad === 0) process.stdout.write(`✓ ${files.length} native files need nothing beyond a base system\n`);
process.exitCode = bad > 0 || files.length < 50 ? 1 : 0;
