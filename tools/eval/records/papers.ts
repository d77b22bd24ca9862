/** Papers that like ones are filed with: invoices, contracts, minutes and the reports of quarters. */
import type { Kind, Values } from './kind.ts';
import { count, day, firm, millions, money, nthFirm, oneOf, percent, person } from './values.ts';

const lines = (values: Values) => [...values].map(([label, value]) => `${label}: ${value}`).join('\n');

export const invoices: Kind = {
  name: 'invoice',
  type: 'txt',
  subject: (n) => `INV-2024-${1007 + 13 * n}`,
  fields: [
    { label: 'Customer', value: firm },
    { label: 'Invoice date', value: day },
    { label: 'Due date', value: day, says: (subject, value) => `Invoice ${subject} is due on ${value}.` },
    {
      label: 'Total',
      value: money(1200, 370),
      says: (subject, value) => `The total of invoice ${subject} is ${value}.`,
      tempts: (subject, other) => `A reminder fee of ${other} may be added to invoice ${subject}.`,
    },
    {
      label: 'Payment status',
      value: oneOf('paid', 'unpaid'),
      says: (subject, value) => `Invoice ${subject} is ${value}.`,
    },
  ],
  write: (subject, values) => `Invoice number: ${subject}\n${lines(values)}\n`,
};

export const contracts: Kind = {
  name: 'contract',
  type: 'md',
  subject: (n) => `SA-${2041 + 17 * n}`,
  fields: [
    { label: 'supplier', value: firm },
    {
      label: 'term',
      value: count(12, 6, 9, 'months'),
      says: (subject, value) => `Agreement ${subject} runs for ${value}.`,
    },
    {
      label: 'notice',
      value: count(30, 15, 10, 'days'),
      says: (subject, value) => `The notice period of agreement ${subject} is ${value}.`,
      tempts: (subject, other) => `The first draft of agreement ${subject} had proposed a notice period of ${other}.`,
    },
    {
      label: 'liability',
      value: money(100_000, 50_000),
      says: (subject, value) => `Under agreement ${subject}, liability is limited to ${value}.`,
    },
    { label: 'subcontracting', value: oneOf('is permitted', 'is not permitted') },
  ],
  write: (subject, values) =>
    `# Supply agreement ${subject}\n\n## Parties\n\nThe supplier is ${values.get('supplier')}.\n\n## Term\n\n` +
    `Agreement ${subject} runs for ${values.get('term')}. The notice period is ${values.get('notice')}.\n\n` +
    `## Liability\n\nLiability is limited to ${values.get('liability')}. Subcontracting ${values.get('subcontracting')}.\n`,
};

export const minutes: Kind = {
  name: 'minutes',
  type: 'md',
  subject: (n) => `${1 + ((n * 5) % 28)} ${['January', 'April', 'July', 'October'][n % 4]} ${2019 + Math.floor(n / 4)}`,
  fields: [
    {
      label: 'Chair',
      value: person,
      says: (subject, value) => `${value} chaired the works council meeting of ${subject}.`,
    },
    {
      label: 'Present',
      value: count(9, 2, 12, 'members'),
      says: (subject, value) => `At the works council meeting of ${subject}, ${value} were present.`,
    },
    {
      label: 'Budget',
      value: money(20_000, 3000),
      says: (subject, value) => `At its meeting of ${subject} the works council approved a budget of ${value}.`,
      tempts: (subject, other) =>
        `Before the works council meeting of ${subject}, a budget of ${other} had been proposed.`,
    },
  ],
  write: (subject, values) =>
    `# Minutes of the works council, ${subject}\n\n* **Chair**: ${values.get('Chair')}\n* **Present**: ${values.get('Present')}\n\n` +
    `## Decisions\n\nThe works council approved a budget of ${values.get('Budget')}.\n`,
};

const quarterOf = (subject: string) => subject.split(', ');

export const reports: Kind = {
  name: 'report',
  type: 'txt',
  subject: (n) => `${nthFirm(Math.floor(n / 3))}, Q${1 + (n % 3)} 2024`,
  fields: [
    {
      label: 'revenue',
      value: millions,
      says: (subject, value) => `In ${quarterOf(subject)[1]}, revenue of ${quarterOf(subject)[0]} was ${value}.`,
      tempts: (subject, other) => `${quarterOf(subject)[0]} plans revenue of ${other} for Q4 2025.`,
    },
    { label: 'profit', value: millions },
    {
      label: 'margin',
      value: percent,
      says: (subject, value) =>
        `The gross margin of ${quarterOf(subject)[0]} was ${value} in ${quarterOf(subject)[1]}.`,
    },
    {
      label: 'staff',
      value: count(200, 35),
      says: (subject, value) =>
        `At the end of ${quarterOf(subject)[1]}, ${quarterOf(subject)[0]} had ${value} employees.`,
    },
  ],
  write: (subject, values) => {
    const [name, quarter] = quarterOf(subject);
    return (
      `${name}: report for ${quarter}\n\nRevenue of ${name} was ${values.get('revenue')} in ${quarter}. Operating profit was ` +
      `${values.get('profit')}. The gross margin was ${values.get('margin')}. At the end of the quarter ${name} had ` +
      `${values.get('staff')} employees.\n`
    );
  },
};
