/** SHA-256 of bytes that come in pieces. Browsers have it only for bytes that are all there, and only on pages that came over TLS. */

const BLOCK = 64;
/** The length of what was hashed, in bits, closes it. */
const LENGTH_BYTES = 8;

/** The first bits of the fractional parts of roots of the first primes, as FIPS 180-4 has them. */
function fractions(root: number, count: number): Int32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (isPrime) found.push((n ** (1 / root) % 1) * 2 ** 32);
  }
  return Int32Array.from(found, (fraction) => Math.floor(fraction));
}

const START = fractions(2, 8);
const ROUND = fractions(3, 64);

export class Sha256 {
  readonly #state = START.slice();
  readonly #words = new Int32Array(64);
  readonly #rest = new Uint8Array(BLOCK);
  #filled = 0;
  #bytes = 0;

  update(bytes: Uint8Array): this {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(BLOCK - this.#filled, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < BLOCK) return this;
      this.#block(this.#rest, 0);
      this.#filled = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#block(bytes, at);
    this.#rest.set(bytes.subarray(at));
    this.#filled = bytes.length - at;
    return this;
  }

  /** To be called once, at the end. */
  hex(): string {
    const bits = this.#bytes * 8;
    const fill = (2 * BLOCK - LENGTH_BYTES - 1 - this.#filled) % BLOCK;
    const end = new Uint8Array(1 + fill + LENGTH_BYTES);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits % 2 ** 32);
    this.update(end);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** Plain assignments, and a word at a time: with arrays in its place this takes ten times as long. */
  #block(bytes: Uint8Array, at: number): void {
    const w = this.#words;
    for (let i = 0, j = at; i < 16; i++, j += 4) {
      w[i] = (at8(bytes, j) << 24) | (at8(bytes, j + 1) << 16) | (at8(bytes, j + 2) << 8) | at8(bytes, j + 3);
    }
    for (let i = 16; i < 64; i++) {
      const x = at32(w, i - 15);
      const y = at32(w, i - 2);
      const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w[i] = (at32(w, i - 16) + s0 + at32(w, i - 7) + s1) | 0;
    }
    const state = this.#state;
    let a = at32(state, 0);
    let b = at32(state, 1);
    let c = at32(state, 2);
    let d = at32(state, 3);
    let e = at32(state, 4);
    let f = at32(state, 5);
    let g = at32(state, 6);
    let h = at32(state, 7);
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + at32(ROUND, i) + at32(w, i)) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0] = at32(state, 0) + a;
    state[1] = at32(state, 1) + b;
    state[2] = at32(state, 2) + c;
    state[3] = at32(state, 3) + d;
    state[4] = at32(state, 4) + e;
    state[5] = at32(state, 5) + f;
    state[6] = at32(state, 6) + g;
    state[7] = at32(state, 7) + h;
  }
}

const at8 = (bytes: Uint8Array, i: number) => bytes[i] as number;
const at32 = (words: Int32Array, i: number) => words[i] as number;
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));
