/** What a start says, in each situation that it may be in. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { type Welcome, welcome } from '../src/welcome.ts';

const url = 'http://127.0.0.1:8080';
const later: Welcome = { url, servesApi: true, firstKeys: null, hasGivenKeys: false, hasOwnStore: false };
const firstKeys = { admin: 'da_abc', internals: 'di_abc' };

it('at the first start has the address, the keys, and a line to paste at the very left', () => {
  expect(welcome({ ...later, firstKeys }, false)).toBe(`
  Docket is at ${url}, its documentation at ${url}/docs

  This is the first start. Two keys were made; they are shown only now and kept as hashes:

    admin      da_abc
    internals  di_abc

  Try it: create a tenant.

curl -X POST ${url}/admin/tenants -H 'Authorization: Bearer da_abc' -H 'Content-Type: application/json' -d '{"name": "Acme"}'

`);
});

it('at a later start says how to get another key', () => {
  expect(welcome(later, false)).toBe(`
  Docket is at ${url}, its documentation at ${url}/docs

  Keys are shown once, when they are made. For a new one: npm run keys -- issue admin

`);
  expect(welcome({ ...later, hasOwnStore: true }, false)).toContain('with the same settings: npm run keys');
});

it('says nothing of keys to whoever has set them', () => {
  expect(welcome({ ...later, hasGivenKeys: true }, false)).toBe(
    `\n  Docket is at ${url}, its documentation at ${url}/docs\n\n`,
  );
});

it('of a worker names nothing that it does not serve, and still shows keys that were made', () => {
  const line = `\n  Docket is at ${url}, a worker: it answers only for its health and under /internals\n\n`;
  expect(welcome({ ...later, servesApi: false }, false)).toBe(line);
  const first = welcome({ ...later, servesApi: false, firstKeys }, false);
  expect(first).toContain('di_abc');
  expect(first).not.toMatch(/curl|docs/);
});

it('says the same in colour, but for the line to paste', () => {
  const coloured = welcome({ ...later, firstKeys }, true);
  expect(coloured).toContain('\u001b[');
  expect(stripVTControlCharacters(coloured)).toBe(welcome({ ...later, firstKeys }, false));
  expect(coloured).toMatch(/^curl .*"Acme"\}'$/m);
});
