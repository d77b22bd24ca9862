/** Chance for requests: each has a stream of its own. */
import { Chance } from '../../../storm/chance.ts';

export class Random extends Chance {
  /** A request does not depend on how many numbers the one before has drawn. */
  static of(seed: number, index: number): Random {
    return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35));
  }

  /** Both ends included. */
  int(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  text(alphabet: string, from: number, to: number): string {
    const letters = [...alphabet];
    return Array.from({ length: this.int(from, to) }, () => this.pick(letters)).join('');
  }
}
