import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CLAIMS } from '../../../src/pipeline/claim.ts';
import { groupsOf, keysOf, MAX_KEYS } from '../../../src/pipeline/extract/keys.ts';
import { asWord, writeTerm } from '../../../src/pipeline/term.ts';
import { claimSet, claims } from './read-claims.ts';

const figures = (text: string, type?: string) =>
  claims(text, 'quantity', type).map(({ attribute, value, terms }) => ({
    attribute,
    low: value.low,
    subject: terms.filter(({ kind }) => kind === 'subject').map(({ word }) => word),
  }));

describe('figures', () => {
  it('are of the noun they count', () => {
    expect(figures('Acme employs 1,900 people in Rome.')).toEqual([
      { attribute: 'employ', low: 1900, subject: ['acm'] },
    ]);
  });

  it('are of the noun before a copula', () => {
    expect(figures('The annual budget of Acme is $20,000.')).toMatchObject([{ attribute: 'budget', low: 20000 }]);
  });

  it('are given once when a bracket only converts them', () => {
    expect(figures('The trail at Cedar Ridge is 43 miles (69 km) long.')).toHaveLength(1);
  });

  it('are no claims in a condition', () => {
    expect(figures('If the order exceeds 500 units, Acme grants a discount of 5%.')).toMatchObject([{ low: 5 }]);
  });

  it('leave dates beside them to say when', () => {
    const [claim] = claims('In 2019 Acme had 1,900 employees.', 'quantity');
    expect(claim?.qualifiers.time).toBe('=2019');
    expect(claims('In 2019 Acme had 1,900 employees.', 'quantity')).toHaveLength(1);
  });

  it('is of no time at which its subject only began', () => {
    const timeOf = (text: string) => claims(text, 'quantity').at(-1)?.qualifiers.time;
    for (const text of [
      'Acme, founded in 1987, has 2,310 employees.',
      'Acme (established in 1987) has 2,310 employees.',
      'Acme, opened on 3 May 1987, has 2,310 employees.',
    ])
      expect(timeOf(text), text).toBe('');
    expect(timeOf('Acme, audited in 1987, has 2,310 employees.')).not.toBe('');
    expect(timeOf('Acme in 1987 had 2,310 employees.')).not.toBe('');
  });

  it('of a change are told from those that hold', () => {
    const roles = claims('The staff of Acme rose from 1,900 to 2,310 people.', 'quantity').map(({ role }) => role);
    expect(roles).toContain('change-from');
  });
});

describe('subjects', () => {
  it('are inherited by a pronoun', () => {
    expect(figures('Acme was founded in Rome. It has 1,900 employees.')[0]?.subject).toEqual(['acm']);
  });

  it('are inherited by a generic noun', () => {
    expect(figures('Acme makes boilers. The company has 1,900 employees.')[0]?.subject).toEqual(['acm']);
  });

  it('are inherited by a list from the title', () => {
    expect(figures('# Acme\n\n## Facts\n\n- Founded in 1990\n- 1,900 employees\n', 'md')).toMatchObject([
      { subject: ['acm'], low: 7305 },
      { subject: ['acm'], low: 1900 },
    ]);
  });

  it('stay open where nothing explains a pronoun', () => {
    expect(claims('She has 12 employees.', 'quantity')[0]?.isOpen).toBe(true);
  });
});

describe('denials', () => {
  it('hold for the clause', () => {
    const [claim] = claims('Acme has not closed the Rome plant.', 'statement');
    expect(claim?.polarity).toBe(false);
    expect(claim?.value).toContainEqual(asWord('plant'));
  });

  it('after a with hold only for what follows', () => {
    const polarities = claims('The stair is held by wooden pegs, with no glue at all.', 'statement');
    expect(polarities.map(({ polarity }) => polarity)).toEqual([true, false]);
  });
});

describe('modality', () => {
  it.each([
    ['Acme will open 20 stores in Rome.', 'plan'],
    ['Acme might open 20 stores in Rome.', 'hypothesis'],
    ['Jane Doe said that Acme opened 20 stores.', 'reported'],
    ['Tenants must pay 20 euros.', 'rule'],
    ['Acme opened 20 stores in Rome.', 'fact'],
  ])('of %j is %s', (text, modality) => {
    expect(claims(text, 'quantity')[0]?.modality).toBe(modality);
  });

  it('of a question gives no claim', () => {
    expect(claims('Did Acme open 20 stores in Rome?')).toEqual([]);
  });
});

describe('roles', () => {
  it.each(['Jane Doe is the CEO of Acme.', 'The CEO of Acme is Jane Doe.'])('are read from %j', (text) => {
    expect(claims(text, 'field')).toMatchObject([{ value: { words: ['jan', 'doe'] } }]);
  });

  it('that several may have are no role', () => {
    expect(claims('Jane Doe is one of the directors of Acme.', 'field')).toEqual([]);
  });
});

describe('records', () => {
  it('of JSON are told by their name', () => {
    const text = '{"name":"Acme","employees":1900,"offices":[{"name":"Rome","staff":5},{"staff":7}]}';
    expect(figures(text, 'json')).toEqual([
      { attribute: 'employ', low: 1900, subject: ['acm'] },
      { attribute: 'employ', low: 5, subject: ['rom'] },
    ]);
  });

  it('of JSON within each other keep the path', () => {
    const [claim] = claims('{"name":"Apollo","budget":{"amount":500}}', 'quantity', 'json');
    expect(claim?.terms.map(writeTerm)).toEqual(['@apollo', 'budget', 'amount', '#']);
  });

  it('of CSV are told by their key column', () => {
    expect(figures('sku,name,price\nA1,Chair,50\nA2,Desk,70', 'csv')).toEqual([
      { attribute: 'pric', low: 50, subject: ['a1', 'chair'] },
      { attribute: 'pric', low: 70, subject: ['a2', 'desk'] },
    ]);
  });

  it('of key-value lines are told by the title or a line that names them', () => {
    expect(figures('Acme Ltd\n\nFounded: 1990\nEmployees: 1,900')).toMatchObject([
      { attribute: 'found', subject: ['acm', 'ltd'] },
      { attribute: 'employ', subject: ['acm', 'ltd'], low: 1900 },
    ]);
    expect(figures('Status: open\nProject: Apollo\nSeats: 40')).toMatchObject([{ subject: ['apollo'], low: 40 }]);
  });

  it('without a name make no claim', () => {
    expect(claims('{"employees":1900}', undefined, 'json').filter(({ kind }) => kind !== 'statement')).toEqual([]);
  });

  it('keep free text and lists out', () => {
    expect(claims('{"name":"Acme","notes":"call back","tags":["a","b"]}', 'field', 'json')).toEqual([]);
  });
});

describe('boilerplate', () => {
  it.each(['Page 3 of 10', '© 2019 Acme Ltd. All rights reserved.', 'Last updated 3 May 2021'])(
    '%j says nothing',
    (text) => {
      expect(claims(text)).toEqual([]);
    },
  );
});

describe('spans', () => {
  it('lead back to the original', () => {
    const text = '<p>Acme &amp; Sons has 1,900 employees.</p><p>It was founded in 1990.</p>';
    for (const { span, sentence } of claims(text, 'quantity', 'html'))
      expect(text.slice(span.start, span.end).replace('&amp;', '&')).toBe(sentence);
  });
});

describe('bounds', () => {
  const long = `${'Acme Ltd has 12 plants, 13 shops and 14 depots in Rome, but not in Oslo. '.repeat(1400)}`;

  it('limit claims, keys and sentences', () => {
    const set = claimSet(long);
    expect(set.claims.length).toBeLessThanOrEqual(MAX_CLAIMS);
    const keys = keysOf(set);
    expect(keys.length).toBeLessThanOrEqual(MAX_KEYS);
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { terms, rest, anchors, sentence } of set.claims) {
      expect(sentence.length).toBeLessThanOrEqual(500);
      expect(Math.max(terms.length, rest.length, anchors.length)).toBeLessThanOrEqual(40);
    }
  });

  it.each([
    'a',
    'A ',
    '.',
    '(',
    '1',
    '1 ',
    'not ',
    '"',
    '$',
    '%',
    ',',
    'é',
    '\u200b',
    '-',
    'the ',
    '1,',
    '| a ',
    'x: 1\n',
    'X is the Y. ',
  ])('100,000 characters of %j are read in a little CPU', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length)).slice(0, 100_000);
    const started = process.cpuUsage();
    const set = claimSet(text);
    keysOf(set);
    groupsOf(set);
    // Far more than it takes, and far less than what grows with the square; however busy the machine is.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(50_000);
  });

  it('never throw, and give plain data, the same each time', () => {
    const piece = fc.constantFrom(
      'Acme',
      'is',
      'not',
      '12',
      '%',
      '$5',
      'the',
      'CEO',
      'of',
      '.',
      ',',
      '(',
      ')',
      'in',
      '1990',
      '\n',
      '\n\n',
      ': ',
      '- ',
      '|',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(piece, { maxLength: 40 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('txt', 'md', 'html', 'json', 'csv'), (content, type) => {
        const set = claimSet(content, type);
        expect(JSON.parse(JSON.stringify(set))).toEqual(set);
        expect(claimSet(content, type)).toEqual(set);
      }),
      { numRuns: 300 },
    );
  });
});

describe('cells of several lines', () => {
  const page = (name: string, staff: string, value: string) =>
    `<table><tr><th>Firm</th><th>${staff}</th></tr><tr><td>${name}</td><td>${value}</td></tr></table>`;

  it('are shown in one', () => {
    const [claim, ...others] = claims(page('Acme<br>Robotics', 'Staff<br>2024', '1,900'), undefined, 'html');
    expect(others).toEqual([]);
    expect([claim?.subject, claim?.label, claim?.shown]).toEqual(['Acme Robotics', 'Staff 2024', '1,900']);
    const [seat] = claims(page('Acme', 'Based in', 'Aarhus<br/>Denmark'), undefined, 'html');
    expect(seat?.shown).toBe('Aarhus Denmark');
  });

  it('are not read as one figure', () => {
    expect(claims(page('Acme', 'Staff', '12<br>345'), 'quantity', 'html').map(({ shown }) => shown)).not.toContain(
      '12 345',
    );
  });
});

describe('groups', () => {
  it('put equal values of one thing together', () => {
    const [a, b] = ['The trail at Cedar Ridge is 2.4 km.', 'The trail at Cedar Ridge is 2,400 m.'].map((text) =>
      groupsOf({ ...claimSet(text), claims: claims(text, 'quantity') }).map(({ group, value }) => [group, value]),
    );
    expect(a).toEqual(b);
  });

  it('keep other values apart in one group', () => {
    const [a, b] = ['Acme has 1,900 employees.', 'Acme has 2,310 employees.'].map(
      (text) => groupsOf({ ...claimSet(text), claims: claims(text, 'quantity') })[0],
    );
    expect(a?.group).toBe(b?.group);
    expect(a?.value).not.toBe(b?.value);
  });
});

describe('headings', () => {
  it('are each looked at once, however many stand below them', { timeout: 6_000 }, () => {
    const above = [1, 2, 3, 4, 5].map((level) => `${'#'.repeat(level)} ${'rent 3 May 2024 12 '.repeat(10)}\n\n`);
    expect(claimSet(`${above.join('')}${'###### a\n\n'.repeat(40_000)}`, 'md').claims).toEqual([]);
  });

  it('tell a year once that two of them have', () => {
    const [claim] = claims('# Price list 2023\n\n## Fees 2023\n\nAcme has 90 plants.', 'quantity', 'md');
    expect(claim?.qualifiers.time).toBe('=2023');
  });
});
