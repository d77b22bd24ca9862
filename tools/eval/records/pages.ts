/** Pages of a handbook: one for each bridge and one for each office, all of them with the same headings. */
import type { Kind } from './kind.ts';
import { count, nthFirm, oneOf, person, year } from './values.ts';

export const bridges: Kind = {
  name: 'bridge',
  type: 'md',
  subject: (n) => `${nthFirm(n).split(' ')[0]} ${['Bridge', 'Viaduct'][Math.floor(n / 12) % 2]}`,
  fields: [
    {
      label: 'Length',
      value: count(180, 35, 40, 'm'),
      says: (subject, value) => `The ${subject} is ${value} long.`,
      tempts: (subject, other) => `The approach road to the ${subject} is ${other} long.`,
    },
    { label: 'Width', value: count(9, 2, 20, 'm'), says: (subject, value) => `The ${subject} is ${value} wide.` },
    { label: 'Opened', value: year, says: (subject, value) => `The ${subject} was opened in ${value}.` },
    {
      label: 'Load limit',
      value: count(16, 4, 12, 't'),
      says: (subject, value) => `The load limit of the ${subject} is ${value}.`,
    },
  ],
  write: (subject, values) =>
    `# ${subject}\n\nThe ${subject} was opened in ${values.get('Opened')}.\n\n## Data\n\n| property | value |\n|---|---|\n` +
    `| Length | ${values.get('Length')} |\n| Width | ${values.get('Width')} |\n| Load limit | ${values.get('Load limit')} |\n`,
};

export const offices: Kind = {
  name: 'office',
  type: 'html',
  subject: (n) =>
    `${['Aarhus', 'Graz', 'Dublin', 'Valencia', 'Lyon', 'Turku', 'Gdansk', 'Porto'][n % 8]} office ${1 + Math.floor(n / 8)}`,
  fields: [
    { label: 'Manager', value: person, says: (subject, value) => `The manager of the ${subject} is ${value}.` },
    { label: 'Desks', value: count(20, 6), says: (subject, value) => `The ${subject} has ${value} desks.` },
    {
      label: 'Opens at',
      value: oneOf('7:00 am', '8:00 am', '9:30 am'),
      says: (subject, value) => `The ${subject} opens at ${value}.`,
    },
    { label: 'Parking', value: oneOf('yes', 'no') },
  ],
  write: (subject, values) =>
    `<h1>${subject}</h1>\n<table>\n${[...values].map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`).join('\n')}\n</table>\n`,
};
