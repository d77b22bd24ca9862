/** Who may import whom. The rooms of the house and their doors; no cycles; nothing that leads nowhere. */
import { readdirSync } from 'node:fs';
import { cruise, type IFlattenedRuleSet, type IForbiddenRuleType } from 'dependency-cruiser';

const below = ['contract', 'errors'];
const middle = [...below, 'storage', 'pipeline', 'queue', 'events'];

/** Each room, and what it may reach beside itself. `app`, `wire` and `main` may cross rooms; nobody imports those. */
const doors: Record<string, string[]> = {
  contract: [],
  errors: [],
  slots: [],
  'give-way': [],
  ndjson: [],
  within: [],
  periodic: ['within'],
  terminal: [],
  'log-lines': ['terminal'],
  log: ['log-lines', 'terminal'],
  welcome: ['terminal'],
  closers: ['log', 'within'],
  settings: [],
  figures: ['errors'],
  config: ['errors', 'settings'],
  storage: below,
  pipeline: below,
  queue: [...below, 'within'],
  events: [...below, 'slots'],
  domain: [...middle, 'within', 'periodic', 'give-way', 'ndjson', 'figures'],
  runtime: [...middle, 'domain', 'slots', 'within', 'periodic', 'figures'],
  http: ['domain', 'events', 'contract', 'errors', 'slots', 'give-way', 'ndjson', 'within', 'figures'],
  chores: ['domain', 'periodic', 'settings'],
  'kernel-settings': ['domain', 'runtime', 'settings'],
  cli: ['config', 'domain', 'errors', 'storage', 'terminal'],
  app: ['http'],
};

/** The client is a package of its own: it reaches nothing of ours, and only commands call the service. */
const CLIENT = '^client/';

const at = (rooms: string[]) => `^src/(${rooms.join('|')})(/|\\.ts$)`;

const forbidden: IForbiddenRuleType[] = [
  ...Object.entries(doors).map(([room, reach]) => ({
    name: `${room} reaches only ${reach.join(', ') || 'itself'}`,
    severity: 'error' as const,
    from: { path: at([room]) },
    to: { path: '^src/', pathNot: at([room, ...reach]) },
  })),
  ...['public', 'admin', 'internals'].map((tier) => ({
    name: `${tier} does not reach the other tiers`,
    severity: 'error' as const,
    from: { path: `^src/http/${tier}/` },
    to: { path: `^src/http/(public|admin|internals)/`, pathNot: `^src/http/${tier}/` },
  })),
  {
    name: 'only cli calls the service',
    severity: 'error',
    from: { pathNot: [at(['cli']), CLIENT] },
    to: { path: CLIENT },
  },
  {
    name: 'the lexicon reaches only itself',
    severity: 'error',
    from: { path: '^src/pipeline/lexicon/' },
    to: { pathNot: '^src/pipeline/lexicon/' },
  },
  { name: 'the client reaches only itself', severity: 'error', from: { path: CLIENT }, to: { pathNot: CLIENT } },
  { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'every import leads somewhere', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'the service runs without devDependencies',
    severity: 'error',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
];

const { output } = await cruise(['src', 'client/src'], {
  validate: true,
  ruleSet: { forbidden } as IFlattenedRuleSet,
  tsPreCompilationDeps: true,
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  doNotFollow: { path: 'node_modules' },
});
if (typeof output === 'string') throw new Error(output);

// A cruiser that cannot read TypeScript reports no violations over nothing at all.
const within = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const files = within('src');
const all = [...files.map((name) => `src/${name}`), ...within('client/src').map((name) => `client/src/${name}`)];
const seen = new Set(output.modules.map(({ source }) => source));
const unseen = all.filter((name) => !seen.has(name));
const unknown = files.filter(
  (name) => !/^(app|wire|main)\.ts$/.test(name) && !((name.split(/[/.]/)[0] as string) in doors),
);

for (const name of unseen) process.stderr.write(`${name} was not looked at\n`);
for (const name of unknown) process.stderr.write(`src/${name} is in no room: give it one in tools/imports.ts\n`);
for (const { rule, from, to } of output.summary.violations) process.stderr.write(`${rule.name}: ${from} → ${to}\n`);
if (unseen.length + unknown.length + output.summary.violations.length > 0) process.exitCode = 1;
else process.stdout.write(`${all.length} modules, every import through a door\n`);
