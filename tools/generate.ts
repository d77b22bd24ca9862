/** Writes what is derived from the code: openapi.yaml, the client's types, schema.sql, the tables of the docs. --check only compares. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { TObject, TSchema } from '@sinclair/typebox';
import { Document, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import { buildApp } from '../src/app.ts';
import { toldUsage } from '../src/cli/usage.ts';
import { eventKinds } from '../src/contract/events.ts';
import { type ErrorCode, errorTitles } from '../src/errors.ts';
import type { App } from '../src/http/deps.ts';
import { errorStatus } from '../src/http/problem.ts';
import type { Tier } from '../src/http/tiers.ts';
import { createLog } from '../src/log.ts';
import { expectation, settings } from '../src/settings.ts';
import { clientTypes } from './client-types.ts';
import { keyOf, permissionOf, probedDeps } from './route-keys.ts';
import { describeNewDatabase } from './schema-sql.ts';

const USAGE = `usage: npm run generate -- [--check]
  Writes what is derived from the code: openapi.yaml, client/src/api-types.ts, migrations/schema.sql, and the tables of
  the docs.
  --check  only compares, and fails when something is out of date`;
if (toldUsage(USAGE)) process.exit();

/** Only the guards of the routes are ever called here: nothing has to stand behind them. */
async function describeApp(): Promise<App> {
  const options = {
    servesApi: true,
    requestTimeoutMs: 1000,
    handlerTimeoutMs: 1000,
    maxConnections: 1,
    onUnavailable: () => {},
  };
  const app = await buildApp(options, probedDeps, createLog('silent'));
  await app.ready();
  return app;
}

function configurationTable(): string {
  const rows = Object.entries<TSchema>(settings.properties).map(([name, schema]) => {
    const value = Array.isArray(schema.default) ? '' : (schema.default ?? '');
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${schema.description} | ${expectation(schema)} |`;
  });
  return ['| variable | default | what it does | expected |', '|---|---|---|---|', ...rows].join('\n');
}

async function routeTable(app: App, tier: Tier): Promise<string> {
  const routes = app.routes.filter(
    ({ schema, method, config }) => config?.tier === tier && schema && !('hide' in schema) && method !== 'HEAD',
  );
  const rows: string[] = [];
  for (const route of routes) {
    const { summary, description, deprecated } = route.schema as Described;
    const does = deprecated ? `Deprecated. ${description?.replace(/\/[\w/-]+/, '`$&`')}` : summary;
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    const [key, permission] = [await keyOf(app, route), await permissionOf(app, route)];
    rows.push(`| \`${route.method} ${path}\` | ${key} | ${permission} | ${does} |`);
  }
  return ['| route | key | permission | what it does |', '|---|---|---|---|', ...rows].join('\n');
}

interface Described {
  summary: string;
  description?: string;
  deprecated?: boolean;
}

function errorTable(): string {
  const rows = (Object.keys(errorTitles) as ErrorCode[]).map(
    (code) => `| \`${code}\` | ${errorStatus[code]} | ${errorTitles[code]} |`,
  );
  return ['| code | status | title |', '|---|---|---|', ...rows].join('\n');
}

function eventTable(): string {
  const rows = Object.entries<{ what: string; payload: TObject }>(eventKinds).map(([type, { what, payload }]) => {
    const members = Object.entries<TSchema>(payload.properties).map(
      ([name, schema]) => `\`${name}\` ${typeOf(schema)}${payload.required?.includes(name) ? '' : ', optional'}`,
    );
    return `| \`${type}\` | ${what} | ${members.join('; ') || 'nothing'} |`;
  });
  return ['| type | when | payload |', '|---|---|---|', ...rows].join('\n');
}

function typeOf(schema: TSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.type === 'array') return `array of ${typeOf(schema.items)}`;
  return schema.type;
}

function withTable(file: string, text: string, name: string, table: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`${file} has no place for the table "${name}"`);
  return text.replace(pattern, (_all, begin, end) => `${begin}\n${table}\n\n${end}`);
}

/** Of JSON; with its indentation it is a line of at most 132 characters in most places. */
const SHORT = 112;

/** What is short stands on one line, as one would write it by hand. */
function openApiYaml(app: App): string {
  const document = new Document(app.swagger(), { aliasDuplicateObjects: false });
  const foldShort = (_key: unknown, node: YAMLMap | YAMLSeq) => {
    node.flow = JSON.stringify(node).length <= SHORT;
  };
  visit(document, { Map: foldShort, Seq: foldShort });
  const header = '# Made by npm run generate from src/contract and the routes. Do not edit.\n';
  return header + document.toString({ lineWidth: 120 });
}

const app = await describeApp();
const tables: Record<string, Record<string, string>> = {
  'docs/configuration.md': { configuration: configurationTable() },
  'docs/routes.md': {
    'routes of no tier': await routeTable(app, 'open'),
    'routes of /api': await routeTable(app, 'public'),
    'routes of /admin': await routeTable(app, 'admin'),
    'routes of /internals': await routeTable(app, 'internals'),
    errors: errorTable(),
  },
  'docs/events.md': { events: eventTable() },
};
const openApi = openApiYaml(app);
const files: Record<string, string> = {
  'openapi.yaml': openApi,
  'client/src/api-types.ts': clientTypes(openApi),
  'migrations/schema.sql': await describeNewDatabase(),
};
await app.close();
for (const [file, content] of Object.entries(tables)) {
  files[file] = Object.entries(content).reduce(
    (text, [name, table]) => withTable(file, text, name, table),
    readFileSync(file, 'utf8'),
  );
}

for (const [name, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(name, text);
  else if (!existsSync(name) || readFileSync(name, 'utf8') !== text) {
    process.stderr.write(`${name} does not say what the code does: run npm run generate and commit it\n`);
    process.exitCode = 1;
  }
}
