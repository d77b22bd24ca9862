import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../src/pipeline/extract/keys.ts';
import { reconcile } from '../../../src/pipeline/reconcile/reconcile.ts';
import { claimSet } from '../extract/read-claims.ts';

const reasons = (a: string, b: string, type: string) => {
  const [one, other] = [claimSet(a, type), claimSet(b, type)];
  const keys = new Set(keysOf(one));
  return keysOf(other).some((key) => keys.has(key)) ? reconcile(one, other).map(({ reason }) => reason) : [];
};

const DEVICE = { codename: 'alder', name: 'Phone', battery: { capacity: 3000 }, ram: '4 GB', type: 'phone' };

/** Fields that are the same in both documents, in no order. */
const MANY = [...'qwertyuiopasdfghj'].map((letter) => `${letter}ab: ${letter}`).join('\n');
const MANY_IN_JSON = MANY.replace(/(\w+): (\w)\n?/g, '"$1": "$2", ').slice(0, -2);

describe('cells of one record', () => {
  it('may differ twice in a row that has a description, of two lists of which most is the same', () => {
    const list = (row: string) =>
      `description,qty,unit,price,total\n${row}\nElbow,4,pc,2,8\nTap,3,pc,9,27\nValve,9,pc,1,9`;
    const [one, other] = [list('Copper pipe 15 mm,10,m,3,30'), list('"Copper pipe, 15 mm",12,m,3,36')];
    expect(reasons(one, other, 'csv')).toHaveLength(2);
    const few = (text: string) => text.split('\n').slice(0, 4).join('\n');
    expect(reasons(few(one), few(other), 'csv')).toEqual([]);
  });

  it.each([
    ['a known key', 'json', '{"order_id": "A-17", "total": 120}', '{"order_id": "A-17", "total": 210}'],
    [
      'a number in parts on the first line',
      'txt',
      'Pallet: 77-1840\nGoods: apricots\nQuality: released',
      'Pallet: 77-1840\nGoods: apricots\nQuality: blocked',
    ],
    [
      'a label with an abbreviation',
      'txt',
      'Invoice: A-917\nTotal incl. VAT: €2,856\nTerms: 14 days',
      'Invoice: A-917\nTotal incl. VAT: €2,586\nTerms: 14 days',
    ],
    ['being in it and out of it', 'csv', 'unit,state\nK1,in service\nK2,on', 'unit,state\nK1,out of service\nK2,on'],
    ['a state and its denial', 'csv', 'unit,state\nK1,certified\nK2,on', 'unit,state\nK1,not certified\nK2,on'],
    [
      'lists of members',
      'md',
      '# Members of the Elm board\n\n- A. Lee\n- B. Day\n- C. Fox',
      '# Members of the Elm board\n\n- A. Lee\n- B. Day\n- D. Ray',
    ],
    [
      'complete lists',
      'md',
      '# Contents of the Elm set (complete)\n\n- Lamp\n- Cable',
      '# Contents of the Elm set (complete)\n\n- Lamp\n- Cable\n- Plug',
    ],
    [
      'a list that says in brackets that it is complete',
      'md',
      '# Keys handed over to A. Lee (complete list)\n\n- Front door\n- Cellar',
      '# Keys handed over to A. Lee (complete list)\n\n- Front door\n- Cellar\n- Garage',
    ],
    [
      'contents that say in brackets that they are complete',
      'md',
      '# Starter kit Elm (complete contents)\n\n- Lamp\n- Cable',
      '# Starter kit Elm (complete contents)\n\n- Lamp\n- Cable\n- Plug',
    ],
    ['the first field', 'json', '{"depot": "Elm Row", "open": true}', '{"depot": "Elm Row", "open": false}'],
    [
      'the first of some lines',
      'txt',
      'Hut: Rigi\nBeds: 12\nStaff: 4\nHeat: gas\nAge: 9\nCat: yes',
      'Hut: Rigi\nBeds: 14',
    ],
    [
      'a title with a date above headings of its own level',
      'md',
      '## Call of 3 May\n\n## Notes\n\n### Berths\n\n- Limit: 12 t\n\n## Guests\n\nNone.',
      '# Call of 3 May\n\n## Notes\n\n### Berths\n\n- Limit: 15 t',
    ],
    ['bare numbers of one label', 'json', '{"name": "Elm", "attendance": 1985}', '{"name": "Elm", "attendance": 850}'],
    [
      'a description, where nothing names the thing',
      'json',
      '{"homepage": "https://elm.example", "description": "Sorts the lines of very long lists in the order of the numbers that they begin with.", "license": "MIT", "portable": true}',
      '{"homepage": "https://elm.example", "description": "Sorts the lines of very long lists in the order of the numbers that they begin with.", "license": "MIT", "portable": false}',
    ],
    [
      'what a description says, whatever it describes',
      'json',
      '{"status": "open", "votes": 5, "description": "Elm Row has 12 doors in all."}',
      '{"status": "open", "votes": 5, "description": "Elm Row has 15 doors in all."}',
    ],
    [
      'a description, however its sentence is set',
      'json',
      '{"status": "open", "votes": 5, "description": "Sorts Anna\'s lists - and those of others, in order."}',
      '{"status": "open", "votes": 6, "description": "Sorts Anna’s lists – and those of others in order"}',
    ],
    ['lines that begin with their key', 'txt', 'Bridge: Elm Row\nLimit: 12 t', 'Bridge: Elm Row\nLimit: 15 t'],
    ['a title', 'md', '# Contract C-9\n\n- Cap: €400', '# Contract C-9\n\n- Cap: €450'],
    ['a column', 'csv', 'room,lock\nArchive,K-118\nStore,K-9', 'room,lock\nArchive,K-181\nStore,K-9'],
    ['a number in words', 'txt', 'Host: tern-02\nPlace: Rack 14', 'Host: tern-02\nPlace: Rack 9'],
    ['a sign', 'txt', 'Patient: Jane Doe\nBlood group: B+', 'Patient: Jane Doe\nBlood group: B-'],
    [
      'a number in the label',
      'json',
      '{"name": "Elm", "sales_2023": 4, "sales_2024": 5}',
      '{"name": "Elm", "sales_2023": 6, "sales_2024": 5}',
    ],
    [
      'an object that names the whole',
      'json',
      '{"region": "Africa", "name": {"common": "Algeria", "official": "Algerian Republic"}, "area": {"total": {"text": "98 sq km"}}}',
      '{"region": "Africa", "name": {"common": "Algeria", "official": "Algerian Republic"}, "area": {"total": {"text": "89 sq km"}}}',
    ],
    [
      'an object of a part that gives several names of it',
      'json',
      '{"Government": {"Country name": {"long form": {"text": "none"}, "short form": {"text": "Barbados"}}}, "Coast": {"text": "97 km"}}',
      '{"Government": {"Country name": {"long form": {"text": "none"}, "short form": {"text": "Barbados"}}}, "Coast": {"text": "79 km"}}',
    ],
    [
      'the year in brackets after a figure',
      'json',
      '{"name": "Elm", "exports": "$4.1 billion (2023 est.)"}',
      '{"name": "Elm", "exports": "$1.4 billion (2023 est.)"}',
    ],
    [
      'an object that names one of a list',
      'json',
      '[{"name": {"common": "Algeria"}, "area": 98}, {"name": {"common": "Angola"}, "area": 55}]',
      '[{"name": {"common": "Angola"}, "area": 55}, {"name": {"common": "Algeria"}, "area": 89}]',
    ],
    [
      'the unit beside a value',
      'json',
      '{"name": "Elm", "area": {"value": 98, "unit": "sq km"}}',
      '{"name": "Elm", "area": {"value": 89, "unit": "sq km"}}',
    ],
    [
      'what is alone in one and in a list in the other',
      'json',
      '{"id": 12, "name": "Rigi hut", "beds": 40}',
      '{"data": [{"id": 11, "name": "Zug hut", "beds": 8}, {"id": 12, "name": "Rigi hut", "beds": 60}]}',
    ],
    [
      'a code that is in two lists',
      'csv',
      `sku,club,games\n${'abcdefghi'.replace(/./g, 'S-1$&,ELM,30\n')}S-200,ELM,12`,
      `sku,club,games\n${'jklmnopqr'.replace(/./g, 'S-1$&,ELM,30\n')}S-200,ELM,17`,
    ],
    [
      'a code that is in two lists beside a name that is',
      'csv',
      `sku,club,games\n${'abcdefghijklmnop'.replace(/./g, '$&x,ELM,30\n')}S-200,ELM,12\nHolm,ELM,9`,
      `sku,club,games\n${'abcdefghijklmnop'.replace(/./g, '$&y,ELM,30\n')}S-200,ELM,17\nHolm,ELM,9`,
    ],
    [
      'a value beside which something else differs, too',
      'json',
      '{"id": "A-17", "price": {"value": 100, "currency": "EUR", "formatted": "EUR 100"}}',
      '{"id": "A-17", "price": {"value": 120, "currency": "EUR", "formatted": "EUR 120"}}',
    ],
    [
      'the rows that are the same beside it',
      'csv',
      'date,price\n2024-01-01,39.81\n2024-02-01,36.35\n2024-03-01,43.22',
      'date,price\n2024-01-01,39.81\n2024-02-01,63.35\n2024-03-01,43.22',
    ],
    [
      'a date and the cells that are the same beside it',
      'csv',
      'date,rain,sun,wind\n2024-01-01,3.5,12,7',
      'date,rain,sun,wind\n2024-01-01,3.5,21,7',
    ],
    ['an object within', 'json', JSON.stringify(DEVICE), JSON.stringify({ ...DEVICE, battery: { capacity: 3300 } })],
    [
      'the first of many fields',
      'json',
      `{"place": "Elm Row", ${MANY_IN_JSON}, "ports": 4}`,
      `{"place": "Elm Row", ${MANY_IN_JSON}, "ports": 9}`,
    ],
    [
      'the id of front matter, though one lacks the date',
      'md',
      '---\nid: R-12\ndate: 2021-03-04\nlevel: high\n---\nText.',
      '---\nid: R-12\nlevel: low\n---\nText.',
    ],
    [
      'the id of front matter, though one lacks the date and lines follow',
      'md',
      '---\nid: R-12\ndate: 2021-03-04\nlevel: high\n---\nProduct version: 5\n\nText.',
      '---\nid: R-12\nlevel: low\n---\nProduct version: 5\n\nText.',
    ],
    [
      'the id of front matter in the lines that follow',
      'md',
      '---\nid: R-12\ndate: 2021-03-04\n---\nLevel: high\n\nText.',
      '---\nid: R-12\n---\nLevel: low\n\nText.',
    ],
    [
      'the id of front matter of TOML',
      'md',
      '```toml\n[advisory]\nid = "R-12"\nlevel = "high"\n```\nText.',
      '+++\nid = "R-12"\nlevel = "low"\n+++\nText.',
    ],
    [
      'a key that stands below a list',
      'txt',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 4 GB\ntype: phone',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 6 GB\ntype: phone',
    ],
    [
      'a key of lines that only one of them has lists between',
      'txt',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 4 GB\ntype: phone',
      'codename: elm\nram: 6 GB',
    ],
    [
      'a key of lines that only one of them has a heading above',
      'txt',
      '# Device sheet\ncpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 4 GB\ntype: phone',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 6 GB # was 4 GB\ntype: phone',
    ],
    [
      'the heading of lines without a key',
      'txt',
      '# Heron Ferries\nTown: Bern\nStaff: 300\nShips: 12\nPiers: 4\nLines: [red, blue]',
      '# Heron Ferries\nTown: Bern\nStaff: 300\nShips: 15\nPiers: 4\nLines: [red, blue]',
    ],
  ])('are held against each other by %s', (_, type, a, b) => {
    expect(reasons(a, b, type)).toHaveLength(1);
  });

  it.each([
    [
      'more members, which need not be all',
      'md',
      '# Members of the Elm board\n\n- A. Lee\n- B. Day\n- C. Fox',
      '# Members of the Elm board\n\n- A. Lee\n- B. Day',
    ],
    [
      'members in other forms of their names',
      'md',
      '# Members of the Elm board\n\n- Anna Lee (chair)\n- Bert Day\n- José Fox',
      '# Members of the Elm board\n\n- A. Lee\n- Bert Day\n- Jose Fox',
    ],
    ...['Members present', 'New members', 'Some of our partners', 'Table of contents', 'Contents'].map((heading) => [
      `${heading}, which need not be all of a thing`,
      'md',
      `# Elm club\n\n## ${heading}\n\n- A. Lee\n- B. Day\n- C. Fox`,
      `# Elm club\n\n## ${heading}\n\n- A. Lee\n- B. Day\n- D. Ray`,
    ]),
    [
      'members of nothing that is told',
      'md',
      '# Members\n\n- A. Lee\n- B. Day\n- C. Fox',
      '# Members\n\n- A. Lee\n- B. Day\n- D. Ray',
    ],
    [
      'a list below a line that says of when it is',
      'md',
      '# Members of the Elm board\n\nAs of May 2023:\n\n- A. Lee\n- B. Day\n- C. Fox',
      '# Members of the Elm board\n\nAs of June 2024:\n\n- A. Lee\n- B. Day\n- D. Ray',
    ],
    [
      'what is done so far',
      'txt',
      'Project: Elm 14\nTasks complete: design, survey\nLead: Anna Lee',
      'Project: Elm 14\nTasks complete: design, survey, permits\nLead: Anna Lee',
    ],
    [
      'another order of a list',
      'md',
      '# Contents of the Elm set (complete)\n\n- Lamp\n- Cable',
      '# Contents of the Elm set (complete)\n\n- Cable\n- Lamp',
    ],
    [
      'lists of what was done',
      'md',
      '# Elm board\n\n- Saw the roof\n- Saw the hall\n- Saw the yard',
      '# Elm board\n\n- Saw the roof\n- Saw the hall\n- Saw the shed',
    ],
    ['a range, which tells nothing from others', 'txt', 'Ages: 12-1840\nDoors: 4', 'Ages: 12-1840\nDoors: 5'],
    ['a range of one thing', 'txt', 'Capacity: 1000-2000\nDoors: 4', 'Capacity: 1000-2000\nDoors: 5'],
    ['a date, which tells nothing from others', 'txt', 'Due: 2024-06-12\nDoors: 4', 'Due: 2024-06-12\nDoors: 5'],
    ['two words for one state', 'csv', 'unit,state\nK1,in service', 'unit,state\nK1,in full service'],
    ['another key', 'json', '{"order_id": "A-17", "total": 120}', '{"order_id": "A-18", "total": 210}'],
    [
      'another description',
      'json',
      '{"version": "1.0", "description": "Sorts the lines of very long lists in the order of the numbers that they begin with.", "portable": true}',
      '{"version": "1.0", "description": "Sorts the lines of very long lists in the order of the numbers that they end with.", "portable": false}',
    ],
    [
      'a description with another sign',
      'json',
      '{"status": "open", "description": "Store the vaccine at -5 °C", "fee": 300}',
      '{"status": "open", "description": "Store the vaccine at 5 °C", "fee": 400}',
    ],
    [
      'a description with another sign of a comparison',
      'json',
      '{"status": "open", "description": "Parcels of < 5 kg to Bern", "fee": 300}',
      '{"status": "open", "description": "Parcels of > 5 kg to Bern", "fee": 400}',
    ],
    [
      'a description of two words',
      'json',
      '{"status": "open", "description": "Web app", "fee": 300}',
      '{"status": "open", "description": "Web app", "fee": 400}',
    ],
    [
      'a description that many of a list may have',
      'json',
      '[{"amount": 12, "to": "Borealis", "description": "Payment for the month of May"}]',
      '[{"amount": 19, "to": "Corvus", "description": "Payment for the month of May"}]',
    ],
    [
      'a description with another sign behind a letter',
      'json',
      '{"status": "open", "votes": 5, "description": "Written in C# for all of us"}',
      '{"status": "open", "votes": 6, "description": "Written in C for all of us"}',
    ],
    [
      'a description, and nothing else that is the same',
      'json',
      '{"description": "Payment for the month of May", "amount": 12}',
      '{"description": "Payment for the month of May", "amount": 19}',
    ],
    [
      'a description that payments to two others have',
      'json',
      '{"amount": 12, "currency": "EUR", "method": "card", "to": "Borealis", "description": "Payment for the month of May"}',
      '{"amount": 19, "currency": "EUR", "method": "card", "to": "Corvus", "description": "Payment for the month of May"}',
    ],
    ['a year in another form', 'json', '{"name": "Elm", "built": 1998}', '{"name": "Elm", "built": 98}'],
    [
      'a section with a number above others',
      'md',
      '# 1 Introduction\n\nAcme makes pumps.\n\n# Limits\n\n- Users: 12',
      '# 1 Introduction\n\nBorealis bakes bread.\n\n# Limits\n\n- Users: 15',
    ],
    [
      'no key, as the first field only gives the state of it',
      'json',
      '{"status": "accepted", "starts": "2015-08-18", "team": "cli"}',
      '{"status": "accepted", "starts": "2026-01-26", "team": "cli"}',
    ],
    [
      'no key, as front matter begins with the stage of it',
      'md',
      '---\nstage: accepted\nstart-date: 2015-08-18\nteam: cli\n---\n\n# Summary\n\nOne.\n\n# Detail\n\nTwo.',
      '---\nstage: accepted\nstart-date: 2026-01-26\nteam: data\n---\n\n# Summary\n\nOne.\n\n# Detail\n\nTwo.',
    ],
    [
      'no key, as labels are sorted',
      'json',
      '{"arch": "arm64", "bits": 64, "cores": 8, "count": 4, "maker": "Acme", "type": "van"}',
      '{"arch": "arm64", "bits": 64, "cores": 8, "count": 9, "maker": "Acme", "type": "van"}',
    ],
    [
      'a name that only the order of sorted labels puts first',
      'json',
      '{"arch": "ARM64", "bits": 64, "cores": 8, "count": 4, "maker": "Acme", "type": "van"}',
      '{"arch": "ARM64", "bits": 64, "cores": 8, "count": 9, "maker": "Acme", "type": "van"}',
    ],
    [
      'no key, as lines are sorted',
      'txt',
      'arch: arm64\nbits: 64\ncores: 8\ncount: 4\nmaker: Acme\ntype: van',
      'arch: arm64\nbits: 64\ncores: 8\ncount: 9\nmaker: Acme\ntype: van',
    ],
    [
      'another heading of lines without a key',
      'txt',
      '# Heron Ferries\nTown: Bern\nStaff: 300\nShips: 12\nPiers: 4\nLines: [red, blue]',
      '# Osprey Ferries\nTown: Bern\nStaff: 300\nShips: 15\nPiers: 4\nLines: [red, blue]',
    ],
    [
      'another date in the lines below an id',
      'md',
      '---\nid: R-12\n---\nDate: 2021-03-04\nLevel: high\n\nText.',
      '---\nid: R-12\n---\nDate: 2022-03-04\nLevel: low\n\nText.',
    ],
    [
      'another date of one id',
      'md',
      '---\nid: R-12\ndate: 2021-03-04\nlevel: high\n---\nText.',
      '---\nid: R-12\ndate: 2022-03-04\nlevel: low\n---\nText.',
    ],
    [
      'a date that only one of two rows of one id has',
      'txt',
      'id: R-12\ndate: 2021-03-04\nlevel: high',
      'id: R-12\nlevel: low',
    ],
    [
      'another key below a list',
      'txt',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: elm\nram: 4 GB\ntype: phone',
      'cpu: arm64\nlenses:\n  - {flash: None}\ncodename: oak\nram: 6 GB\ntype: phone',
    ],
    [
      'the same label in another block',
      'txt',
      'name: Elm\nbattery:\n  capacity: 4 kg\ntype: van\nyear: 1990\nroom: 4',
      'name: Elm\ntank:\n  capacity: 9 kg\ntype: van\nyear: 1990\nroom: 4',
    ],
    ['no key, as there are many labels', 'txt', `kind: arm64\n${MANY}\nports: 4`, `kind: arm64\n${MANY}\nports: 9`],
    ['values in brackets', 'txt', 'Host: tern-02\nDisk: {a: 4 TB}', 'Host: tern-02\nDisk: {a: 8 TB, b: 4 TB}'],
    ['another label', 'txt', 'Bridge: Elm Row\nLength: 48 m', 'Bridge: Elm Row\nWidth: 9 m'],
    [
      'another year in brackets',
      'json',
      '{"name": "Elm", "exports": "$4.1 billion (2023 est.)"}',
      '{"name": "Elm", "exports": "$1.4 billion (2022 est.)"}',
    ],
    [
      'another name of the whole, though what stands first is the same',
      'json',
      '{"region": "Africa", "name": {"common": "Algeria"}, "area": 98}',
      '{"region": "Africa", "name": {"common": "Angola"}, "area": 89}',
    ],
    ...[
      ['schemas', '{"name": {"type": "String", "required": true}, "phone": {"max": 20}}', '20', '24'],
      ['the brand', '{"brand_name": {"en": "Bosch"}, "watts": {"value": 500}}', '500', '900'],
      [
        'a seller',
        '{"seller": {"company_name": {"legal": "Acme Inc", "trading": "Acme"}}, "total": {"value": 120}}',
        '120',
        '410',
      ],
      ['a first name', '{"name": {"first": "Ann"}, "age": {"value": 41}}', '41', '36'],
      [
        'a version',
        '{"version": 3, "name": {"common": "Atlas"}, "modules": {"value": 12}}',
        '3, "name": {"common": "Atlas"}, "modules": {"value": 12',
        '4, "name": {"common": "Atlas"}, "modules": {"value": 19',
      ],
      ['a budget', '{"name": "Elm", "cost": "$400 (2022 actual)"}', '$400 (2022 actual', '$450 (2022 budget'],
      ['men and women', '{"name": "Elm", "share": "82% (2015, men)"}', '82% (2015, men', '74% (2015, women'],
    ].map(([what, text = '', from = '', to = '']) => [
      `what is the same in documents of ${what}`,
      'json',
      text,
      text.replace(from, to),
    ]),
    [
      'one of two names',
      'json',
      '{"name": {"first": "Ann", "last": "Holm"}, "age": 41}',
      '{"name": {"first": "Ann", "last": "Berg"}, "age": 36}',
    ],
    [
      'names of what only a part is of, where another part has a name',
      'json',
      '{"person": {"name": "Ann Holm"}, "address": {"country name": {"en": "Norway", "no": "Norge"}}, "height": {"value": 98}}',
      '{"person": {"name": "Ida Berg"}, "address": {"country name": {"en": "Norway", "no": "Norge"}}, "height": {"value": 89}}',
    ],
    [
      'an object that names one of a list within',
      'json',
      '{"layers": [{"name": {"en": "Roads"}, "width": 98}]}',
      '{"layers": [{"name": {"en": "Roads"}, "width": 89}]}',
    ],
    [
      'the unit beside a value',
      'json',
      '{"name": "Elm", "area": {"value": 98, "unit": "sq km"}}',
      '{"name": "Elm", "area": {"value": 38, "unit": "sq mi"}}',
    ],
    [
      'the sign beside a value',
      'json',
      '{"name": "Elm", "price": {"value": 98, "currency": "€"}}',
      '{"name": "Elm", "price": {"value": 89, "currency": "$"}}',
    ],
    [
      'the part beside a value',
      'json',
      '{"name": "Elm", "sales": {"value": 98, "region": "North"}}',
      '{"name": "Elm", "sales": {"value": 89, "region": "South"}}',
    ],
    [
      'the language before a value',
      'json',
      '{"name": "Elm", "motto": {"lang": "en", "text": "Ever upwards"}}',
      '{"name": "Elm", "motto": {"lang": "de", "text": "Immer aufwärts"}}',
    ],
    [
      'a name on one side only',
      'json',
      '{"name": {"common": "Algeria"}, "note": {"text": "The bridge on Elm Row has a total length of 98 metres today."}}',
      '{"note": {"text": "The bridge on Elm Row has a total length of 89 metres today."}}',
    ],
    [
      'a name of what only a part is of',
      'json',
      '{"maker": {"company name": {"legal": "Acme Inc"}}, "weight": {"value": 98}}',
      '{"maker": {"company name": {"legal": "Acme Inc"}}, "weight": {"value": 89}}',
    ],
    [
      'what holds it',
      'json',
      '{"orders": [{"id": 12, "name": "Rigi hut", "price": 40}]}',
      '{"users": [{"id": 12, "name": "Rigi hut", "price": 60}]}',
    ],
    ['a date alone', 'csv', 'date,price\n2024-01-01,39.81', 'date,price\n2024-01-01,36.35'],
    [
      'most rows of a table',
      'csv',
      'player,club,games,goals\nHolm,ELM,30,4\nBerg,ELM,12,0\nDahl,OAK,25,2\nMoe,OAK,4,1',
      'player,club,games,goals\nHolm,ELM,28,4\nBerg,ELM,17,0\nDahl,OAK,25,5\nMoe,OAK,4,1',
    ],
    [
      'all of a few rows that are in two lists',
      'csv',
      `player,club,games\n${'abcdefgh'.replace(/./g, '$&x,ELM,30\n')}Holm,ELM,12\nBerg,ELM,9`,
      `player,club,games\n${'abcdefgh'.replace(/./g, '$&y,ELM,30\n')}Holm,ELM,17\nBerg,ELM,4`,
    ],
    [
      'all other rows of two lists',
      'csv',
      `player,club,games\n${'abcdefghi'.replace(/./g, 'Holm$&,ELM,30\n')}Berg,ELM,12`,
      `player,club,games\n${'jklmnopqr'.replace(/./g, 'Holm$&,ELM,30\n')}Berg,ELM,17`,
    ],
    ['another period', 'csv', 'plant,year,tonnes\nElm,2023,41', 'plant,year,tonnes\nElm,2024,46'],
    ['another line', 'csv', 'saw,part,quantity\nS2,belt,4\nS2,fuse,10', 'saw,part,quantity\nS2,cap,2\nS2,ring,6'],
    ['another number', 'txt', 'Host: tern-02\nFan 1: slow\nFan 2: fast', 'Host: tern-02\nFan 1: slow\nFan 2: fast'],
    ['another word for it', 'csv', 'sku,active\nA1,yes', 'sku,active\nA1,true'],
    ['another title', 'md', '# Contract C-9\n\n- Cap: €400', '# Contract C-10\n\n- Cap: €450'],
    ['another heading', 'md', '# Acme\n\n## Leave\n\n- Days: 25', '# Acme\n\n## Sickness\n\n- Days: 10'],
    [
      'another variant',
      'json',
      JSON.stringify({ ...DEVICE, variant: 1 }),
      JSON.stringify({ ...DEVICE, variant: 2, ram: '6 GB' }),
    ],
    [
      'most of what they give',
      'json',
      '{"arch": "arm", "ram": 4, "size": 5, "tech": "oled"}',
      '{"arch": "arm", "ram": 6, "size": 7, "tech": "lcd"}',
    ],
    ['an address', 'txt', 'Call: Elm\nLink: https://elm.example/1', 'Call: Elm\nLink: https://elm.example/2'],
    ['a rounded figure', 'txt', 'Shop: Elm\nOrders: 18,400', 'Shop: Elm\nOrders: 18,397'],
    ['a shorter form', 'txt', 'Site: Elm\nLead: P. Miller', 'Site: Elm\nLead: Paul Miller'],
    [
      'the text of another record',
      'json',
      '{"codename": "elm", "boot": "The device must be switched off before you hold both of the keys for 10 seconds."}',
      '{"codename": "oak", "boot": "The device must be switched off before you hold both of the keys for 20 seconds."}',
    ],
  ])('are kept apart by %s', (_, type, a, b) => {
    expect(reasons(a, b, type)).toEqual([]);
  });

  it('of which nothing says whose they are, are held against each other as texts', () => {
    const text = '{"note": {"text": "The bridge on Elm Row has a total length of 98 metres today."}}';
    expect(reasons(text, text.replace('98', '89'), 'json')).toHaveLength(1);
  });

  it('are held against a text that names the same', () => {
    const [one, other] = [
      claimSet('{"id": 7, "name": "Acme", "employees": 90}', 'json'),
      claimSet('Acme has 120 employees.'),
    ];
    expect(reconcile(one, other)).toHaveLength(1);
  });
});

it('claims that were made by other rules are not compared', () => {
  const [one, other] = [claimSet('Acme has 90 employees.'), claimSet('Acme has 120 employees.')];
  expect(reconcile(one, other)).toHaveLength(1);
  expect(reconcile({ ...one, rules: 1 }, other)).toEqual([]);
});

describe('a record and a sentence', () => {
  const found = (record: string, type: string, text: string) => {
    const [one, other] = [claimSet(record, type), claimSet(text, 'txt')];
    const keys = new Set(keysOf(one));
    return keysOf(other).some((key) => keys.has(key)) ? reconcile(one, other).length : 0;
  };
  const STAFF =
    '{"employee_id": "E-13", "full_name": "Greta Becker", "contract": "full-time", "start_date": "2023-06-27"}';
  const BOILER =
    '# Inspection of Boiler 1, May 2025\n\n| Item | Finding |\n|---|---|\n| Pressure | 4 bar |\n| Result | passed |';
  const PRICES = '# Price list 2021\n\n| Product | Unit price | Pack |\n|---|---|---|\n| oak board | €3 | 35 |';

  it.each([
    ['its key', STAFF, 'json', 'Employee E-13 has a part-time contract.'],
    ['its name', STAFF, 'json', 'The start date of Greta Becker is 2022-07-11.'],
    ['its title', BOILER, 'md', 'In May 2025, the pressure of Boiler 1 was 7 bar.'],
    [
      'its period',
      'article,quarter,stock\nAR-1,2024-Q1,660',
      'csv',
      'The stock of article AR-1 in Q1 2024 was 720 pieces.',
    ],
    ['an adjective', 'Bridge: Elm Row\nLength: 48 m', 'txt', 'Elm Row is 62 m long.'],
  ])('are held against each other by %s', (_, record, type, text) => {
    expect(found(record, type, text)).toBe(1);
  });

  it.each([
    ['of another number', BOILER, 'md', 'In May 2025, the pressure of Boiler 2 was 7 bar.'],
    ['of another month', BOILER, 'md', 'In June 2025, the pressure of Boiler 1 was 7 bar.'],
    ['of another list', PRICES, 'md', 'In the price list of 2020, the unit price of the oak board is €40.'],
    [
      'of another day',
      'patient,measured_on,pulse\nP-30,2025-03-14,85',
      'csv',
      'On 2025-01-14, the pulse of patient P-30 was 121.',
    ],
    ['of something else', STAFF, 'json', 'Employee E-13 trained a part-time colleague on another contract.'],
  ])('%s are kept apart', (_, record, type, text) => {
    expect(found(record, type, text)).toBe(0);
  });
});

it('says what a sentence has in place of a value as the sentence has it', () => {
  const [one, other] = [
    claimSet('{"id": "Boiler 1", "category": "scrap"}', 'json'),
    claimSet('The category of Boiler 1 is a town in Denmark.'),
  ];
  expect(reconcile(one, other).map(({ reason }) => reason)).toEqual([
    'Boiler 1: the category is scrap in one and town in Denmark in the other.',
  ]);
});

it('holds a value that is a name against a sentence that gives a date', () => {
  const record = claimSet('Name,Supplier\nPump 8,Cobalt', 'csv');
  expect(() => reconcile(record, claimSet('The supplier of Pump 8 was Larsen in 2018.'))).not.toThrow();
});

it('keeps the reports of two quarters apart by the period of their titles', () => {
  const report = (quarter: string, staff: number) =>
    `Cobalt Shipping: report for ${quarter}\n\nRevenue was €26.8 million. At the end Cobalt Shipping had ${staff} employees.`;
  expect(reasons(report('Q1 2024', 410), report('Q2 2024', 515), 'txt')).toEqual([]);
  expect(reasons(report('Q1 2024', 410), report('Q1 2024', 515), 'txt')).toHaveLength(1);
  expect(reasons(report('Q1 2024', 410), 'In Q2 2024, Cobalt Shipping had 515 employees.', 'txt')).toEqual([]);
});
