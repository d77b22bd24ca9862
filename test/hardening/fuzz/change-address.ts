/** Changes to the address and the method. */
import type { Random } from './random.ts';
import type { FuzzRequest } from './request.ts';

const PARTS = [
  '%2F',
  '..%2F..%2Fadmin',
  '%2e%2e',
  '..',
  '.',
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%ED%A0%80',
  '%FF',
  '%C0%80',
  '%2500',
  '%F0%9F%99%82'.repeat(200),
  '%F0%9F%99%82'.repeat(201),
  'x'.repeat(200),
  'x'.repeat(2500),
  'x'.repeat(7000),
  '\xe4',
  Buffer.from('東京').toString('latin1'),
  ';a=b',
  'a;b',
  '*',
  ':scopeId',
  '{scopeId}',
  '__proto__',
  'constructor',
  '%20',
  '+',
  "'%20or%201=1--",
  '%0d%0aX-Injected:1',
  '',
];
const QUERY_TEXTS = [
  '',
  '0',
  '1',
  '-1',
  '201',
  '1e2',
  '1.5',
  'NaN',
  '%205',
  '5abc',
  '0x10',
  '9007199254740993',
  '9'.repeat(400),
  'true',
  'null',
  '%00',
  '%zz',
  '%ED%A0%80',
  '%F0%9F%99%82',
  '\xe4',
  'x'.repeat(5000),
  '__proto__',
  'AAAA',
  'LTE',
  'OTk5OTk5OTk5OTk5OTk5OTk5OTk',
  '900000000000000',
];
const QUERY_NAMES = [
  'extra',
  '__proto__',
  'constructor',
  'limit[]',
  'limit[a]',
  'scope_id[]',
  '',
  'a.b',
  '%00',
  'cursor',
  'limit',
  'token',
];

type Change = (request: FuzzRequest, random: Random) => void;

const CHANGES: Record<string, Change> = {
  'an odd part of the path': (request, random) => {
    const parts = request.path.split('/');
    parts[random.int(1, parts.length - 1)] = random.pick(PARTS);
    request.path = parts.join('/');
    request.isRouted = false;
  },
  'an odd identifier': (request, random) => {
    const { template, parameters } = request.operation;
    const wanted = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => `{${name}}`);
    if (wanted.length === 0) return;
    const parts = request.path.split('/');
    parts[template.split('/').indexOf(random.pick(wanted))] = random.pick(PARTS);
    request.path = parts.join('/');
    request.isRouted = false;
  },
  'an odd end of the path': (request, random) => {
    request.path += random.pick(['/', '//', '/.', '/..', '%2f', '%00', ';', '/x', '.json']);
    request.isRouted = false;
  },
  'an odd beginning of the path': (request, random) => {
    request.path = random
      .pick(['//x', '/.', '/API', '/%61pi', 'http://x', '/api/..', '*'])
      .concat(random.is(0.5) ? request.path : '');
    request.isRouted = false;
  },
  'another case': (request) => {
    request.path = request.path.toUpperCase();
    request.isRouted = false;
  },
  'a query of an odd value': ({ query, operation }, random) => {
    const names = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const name = random.pick(names.length > 0 ? names : QUERY_NAMES);
    const given = query.find(([known]) => known === name);
    if (given) given[1] = random.pick(QUERY_TEXTS);
    else query.push([name, random.pick(QUERY_TEXTS)]);
  },
  'a query of an odd name': ({ query }, random) => {
    query.push([random.pick(QUERY_NAMES), random.pick(QUERY_TEXTS)]);
  },
  'a query twice': ({ query }, random) => {
    const [name, text] = query.length > 0 ? random.pick(query) : ['limit', '5'];
    query.push([name, random.pick([text, random.pick(QUERY_TEXTS)])]);
  },
  'a query without sense': (request, random) => {
    request.query.push([random.pick(['&&&', '===', '?', '%', '#', 'a'.repeat(9000)]), '']);
  },
  'no query': (request) => {
    request.query = [];
  },
};

export function changeAddress(request: FuzzRequest, random: Random): void {
  const [name, change] = random.pick(Object.entries(CHANGES));
  change(request, random);
  request.isChangedOutside = true;
  request.changes.push(name);
}

export function changeMethod(request: FuzzRequest, random: Random): void {
  request.method = random.pick([
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'QUERY',
    'get',
    'NONSENSE',
  ]);
  request.isRouted &&= request.method === request.operation.method;
  request.isChangedOutside = true;
  request.changes.push('another method');
}
