/** Writes what is derived from the code: openapi.yaml, and the tables of the README and docs. --check only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { TObject, TSchema } from '@sinclair/typebox';
import { stringify } from 'yaml';
import { buildApp } from '../src/app.ts';
import { expectation, settings } from '../src/config.ts';
import { eventKinds } from '../src/contract/events.ts';
import type { App, Deps } from '../src/http/deps.ts';
import { createLog } from '../src/log.ts';

/** The routes are only described here, never called: nothing has to stand behind them. */
async function describeApp(): Promise<App> {
  const options = {
    servesApi: true,
    requestTimeoutMs: 1000,
    handlerTimeoutMs: 1000,
    maxConnections: 1,
    onUnavailable: () => {},
  };
  const app = await buildApp(options, {} as Deps, createLog('silent'));
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

function tierMap(app: App): string {
  const rows = app.routes
    .filter(({ schema, method }) => schema && !('hide' in schema) && method !== 'HEAD')
    .map(({ method, url, schema, config }) => {
      const headers = schema?.headers as { properties: object; required?: string[] } | undefined;
      const isAsked = headers && 'X-Tenant-API-Key' in headers.properties;
      const tenantKey = isAsked ? (headers.required ? ' + tenant key' : ' (+ tenant key)') : '';
      const needs = `${config?.tier === 'public' ? '' : 'operator key'}${tenantKey}`.replace(/^ \+ /, '');
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      return `| ${config?.tier} | \`${method} ${path}\` | ${needs || 'none'} | ${(schema as { summary: string }).summary} |`;
    });
  return ['| tier | route | key | what it does |', '|---|---|---|---|', ...rows].join('\n');
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

const app = await describeApp();
const tables: Record<string, Record<string, string>> = {
  'README.md': { configuration: configurationTable(), routes: tierMap(app) },
  'docs/events.md': { events: eventTable() },
};
const files: Record<string, string> = {
  'openapi.yaml': `# Made by npm run generate from src/contract and the routes. Do not edit.\n${stringify(app.swagger(), { lineWidth: 120, aliasDuplicateObjects: false })}`,
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
  else if (readFileSync(name, 'utf8') !== text) {
    process.stderr.write(`${name} does not say what the code does: run npm run generate and commit it\n`);
    process.exitCode = 1;
  }
}
