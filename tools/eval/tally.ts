/** Counts how often a contradiction was found and how often there is one, and prints the rates as tables. */

export const print = (line = '') => process.stdout.write(`${line}\n`);

export class Tally {
  found = 0;
  missed = 0;
  alarms = 0;
  silent = 0;

  add(isContradiction: boolean, isFound: boolean): void {
    if (isContradiction) isFound ? this.found++ : this.missed++;
    else isFound ? this.alarms++ : this.silent++;
  }

  get precision(): number {
    return this.found / (this.found + this.alarms);
  }

  get recall(): number {
    return this.found / (this.found + this.missed);
  }

  get alarmRate(): number {
    return this.alarms / (this.alarms + this.silent);
  }
}

/** One tally for each name. */
export class Tallies extends Map<string, Tally> {
  of(name: string): Tally {
    const tally = this.get(name) ?? new Tally();
    this.set(name, tally);
    return tally;
  }
}

const share = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(3)).padStart(7);
const count = (value: number) => String(value).padStart(7);

export function printTable(title: string, tallies: Map<string, Tally>): void {
  print(`${title.padEnd(32)}precision recall alarms  found missed alarms silent`);
  for (const [name, tally] of [...tallies].sort(([one], [other]) => (one < other ? -1 : 1)))
    print(
      `${name.padEnd(32)}  ${share(tally.precision)}${share(tally.recall)}${share(tally.alarmRate)}` +
        count(tally.found) +
        count(tally.missed) +
        count(tally.alarms) +
        count(tally.silent),
    );
  print();
}

export interface Target {
  name: string;
  value: number;
  least?: number;
  most?: number;
}

export function printTargets(targets: Target[]): void {
  print('target');
  for (const { name, value, least, most } of targets) {
    if (Number.isNaN(value)) continue;
    const isMet = (least === undefined || value >= least) && (most === undefined || value <= most);
    const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
    print(
      `${name.padEnd(44)}${String(Number(value.toPrecision(3))).padStart(8)}  ${bound}  ${isMet ? 'met' : 'MISSED'}`,
    );
  }
  print();
}
