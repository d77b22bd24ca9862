/** Data as other programs export them: sheets of devices, records of staff, tables of stock. */
import type { Kind, Values } from './kind.ts';
import { count, isoDay, money, oneOf, person } from './values.ts';

const json = (subject: object, values: Values) =>
  JSON.stringify({ ...subject, ...Object.fromEntries(values) }, null, 2);

export const devices: Kind = {
  name: 'device',
  type: 'json',
  subject: (n) => `${['Pump', 'Fan', 'Chiller'][n % 3]} ${1 + Math.floor(n / 3)}`,
  fields: [
    { label: 'site', value: oneOf('Aarhus', 'Valencia', 'Dublin', 'Tilbury', 'Graz') },
    {
      label: 'rated_power',
      value: count(3, 2, 30, 'kW'),
      says: (subject, value) => `The rated power of ${subject} is ${value}.`,
    },
    {
      label: 'weight',
      value: count(80, 15, 40, 'kg'),
      says: (subject, value) => `${subject} has a weight of ${value}.`,
      tempts: (subject, other) => `The spare motor of ${subject} has a weight of ${other}.`,
    },
    {
      label: 'last_inspection',
      value: isoDay,
      says: (subject, value) => `The last inspection of ${subject} was on ${value}.`,
    },
    {
      label: 'status',
      value: oneOf('in service', 'out of service'),
      says: (subject, value) => `${subject} is ${value}.`,
    },
  ],
  write: (subject, values) => json({ name: subject }, values),
};

export const staff: Kind = {
  name: 'staff',
  type: 'json',
  subject: (n) => `E-${4013 + 29 * n}`,
  fields: [
    { label: 'full_name', value: person },
    { label: 'position', value: oneOf('accountant', 'welder', 'dispatcher', 'buyer', 'planner', 'electrician') },
    {
      label: 'weekly_hours',
      value: count(18, 2, 12),
      says: (subject, value) => `Employee ${subject} works ${value} hours a week.`,
    },
    {
      label: 'start_date',
      value: isoDay,
      says: (subject, value) => `The start date of employee ${subject} is ${value}.`,
    },
    {
      label: 'contract',
      value: oneOf('full-time', 'part-time'),
      says: (subject, value) => `Employee ${subject} has a ${value} contract.`,
    },
  ],
  write: (subject, values) => json({ employee_id: subject }, values),
};

const inQuarter = (subject: string) => subject.replace(', ', ' in ');
const cell = (value: string) => (value.includes(',') ? `"${value}"` : value);

/** The same article is in the table of each quarter: article and quarter together are its key. */
export const stock: Kind = {
  name: 'stock',
  type: 'csv',
  subject: (n) => `AR-${311 + 7 * Math.floor(n / 3)}, 2024-Q${1 + (n % 3)}`,
  fields: [
    { label: 'warehouse', value: oneOf('North', 'South', 'Harbour') },
    {
      label: 'stock',
      value: count(120, 45),
      says: (subject, value) => `The stock of article ${inQuarter(subject)} was ${value} pieces.`,
    },
    {
      label: 'unit_price',
      value: money(12, 9),
      says: (subject, value) => `The unit price of article ${inQuarter(subject)} was ${value}.`,
    },
  ],
  write: (subject, values) => {
    const head = ['article', 'quarter', ...values.keys()].join(',');
    return `${head}\n${[...subject.split(', '), ...values.values()].map(cell).join(',')}\n`;
  },
};
