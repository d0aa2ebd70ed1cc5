import { randomFillSync } from 'node:crypto';
import { fold, type Folded } from './folded.ts';

/** Folded characters of a fingerprint. */
export const GRAM = 24;
/** A fingerprint is kept at most so many characters after another. */
const STEP_MAX = 6;
/** A copy of so many characters covers at least so many with the fingerprints that are kept. */
export const coveredOf = (copied: number): number => copied + 2 - 2 * STEP_MAX;
const START_SLOTS = 1 << 13;
/** 16 MiB at 8 bytes. */
const SLOTS_MAX = 1 << 21;
const LOAD = 0.75;
/** Longest part that has a hash. */
const PART_MAX = 1_024;
const LABEL = 0xff_ff;

/** Parts of different kinds have different hashes. */
export const KIND = { text: 0, token: 1, value: 2 } as const;
const KIND_SALT = 0x5b_d1_e9_95;

/**
 * Hashes of parts of texts with a label each, in a table of fixed size. A hash has 48 bits and depends on a random key,
 * so that the table says nothing about the texts to a reader without the key.
 */
export class Prints {
  readonly #key = randomFillSync(new Int32Array(4));
  readonly #powers: readonly [Int32Array, Int32Array];
  /** Two numbers for each hash: its first half, and its second one with the label. */
  #slots = new Int32Array(START_SLOTS * 2);
  #count = 0;
  /** The hash that was looked for last. */
  #high = 0;
  #low = 0;

  constructor(private readonly slotsMax = SLOTS_MAX) {
    const [base = 0, other = 0] = this.#key;
    this.#powers = [powersOf(base | 1), powersOf(other | 1)];
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** Folds a text. Its parts can be looked for until the next one is read. */
  read(text: string): Folded {
    const folded = fold(text);
    const { units, length, sums, otherSums } = folded;
    const base = this.#powers[0][1] ?? 0;
    const other = this.#powers[1][1] ?? 0;
    let one = 0;
    let two = 0;
    for (let index = 0; index < length;) {
      const unit = units[index] ?? 0;
      one = (Math.imul(one, base) + unit) | 0;
      two = (Math.imul(two, other) + unit) | 0;
      index += 1;
      sums[index] = one;
      otherSums[index] = two;
    }
    return folded;
  }

  /**
   * Finds where the parts to keep begin: at the beginnings of words, and within long ones. A few words after they differ,
   * two texts keep the same ones again. A search for all parts of a copy meets them however it is spaced.
   */
  each({ length, at }: Folded, found: (start: number) => void): void {
    for (let start = 0; start + GRAM <= length;) {
      found(start);
      start += isWord(at, start + 4) ? 4 : isWord(at, start + 5) ? 5 : STEP_MAX;
    }
  }

  /** Finds every part that is known, with its label. */
  search(text: Folded, found: (start: number, label: number) => void): void {
    for (let start = 0; start + GRAM <= text.length; start += 1) {
      const label = this.get(text, start, start + GRAM);
      if (label !== 0) found(start, label);
    }
  }

  /** The label of a part; 0 for none. */
  get(text: Folded, from: number, to: number, kind: number = KIND.text): number {
    return (this.#slots[this.#find(text, from, to, kind) + 1] ?? 0) & LABEL;
  }

  /**
   * Labels a part. False if the table is full.
   * @param first the label of what had none @param change the next one for what had another
   */
  set(
    text: Folded,
    from: number,
    to: number,
    kind: number,
    first: number,
    change: (label: number) => number,
  ): boolean {
    const slot = this.#find(text, from, to, kind);
    const slots = this.#slots;
    const before = (slots[slot + 1] ?? 0) & LABEL;
    if (before === first) return true;
    if (before === 0) {
      if (this.#count >= (slots.length / 2) * LOAD) {
        if (slots.length >= this.slotsMax * 2) return false;
        this.#rebuild(slots.length * 2, () => true);
        return this.set(text, from, to, kind, first, change);
      }
      this.#count += 1;
    }
    slots[slot] = this.#high;
    slots[slot + 1] = (this.#low << 16) | (before === 0 ? first : change(before));
    return true;
  }

  /** Makes room for text of so many characters, if it has few parts that are known. */
  reserve(characters: number): void {
    let size = this.#slots.length;
    while (size < this.slotsMax * 2 && this.#count + characters / STEP_MAX > (size / 2) * LOAD) size *= 2;
    if (size > this.#slots.length) this.#rebuild(size, () => true);
  }

  /** Keeps only what has such a label. Returns the share of the table that is in use. */
  keep(isKept: (label: number) => boolean): number {
    this.#rebuild(this.#slots.length, isKept);
    return this.#count / ((this.#slots.length / 2) * LOAD);
  }

  #find({ sums, otherSums }: Folded, from: number, to: number, kind: number): number {
    const count = to - from;
    const salt = Math.imul(kind, KIND_SALT) + count;
    const one = ((sums[to] ?? 0) - Math.imul(sums[from] ?? 0, this.#powers[0][count] ?? 0)) | 0;
    const two = ((otherSums[to] ?? 0) - Math.imul(otherSums[from] ?? 0, this.#powers[1][count] ?? 0)) | 0;
    this.#high = mix(one ^ (this.#key[2] ?? 0) ^ salt);
    this.#low = mix(two ^ (this.#key[3] ?? 0) ^ salt) & LABEL;
    return this.#slotOf(this.#high, this.#low);
  }

  /** Where a hash is, or would be. No label is 0. */
  #slotOf(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (high << 1) & mask; ; slot = (slot + 2) & mask) {
      const second = slots[slot + 1] ?? 0;
      if (second === 0 || (slots[slot] === high && second >>> 16 === low)) return slot;
    }
  }

  #rebuild(size: number, isKept: (label: number) => boolean): void {
    const before = this.#slots;
    this.#slots = new Int32Array(size);
    this.#count = 0;
    for (let index = 0; index < before.length; index += 2) {
      const high = before[index] ?? 0;
      const second = before[index + 1] ?? 0;
      if (second === 0 || !isKept(second & LABEL)) continue;
      const slot = this.#slotOf(high, second >>> 16);
      this.#slots[slot] = high;
      this.#slots[slot + 1] = second;
      this.#count += 1;
    }
  }
}

/** Whether something was left out before the unit at `start`. */
const isWord = (at: Uint32Array, start: number): boolean => (at[start] ?? 0) - (at[start - 1] ?? 0) > 1;

function powersOf(base: number): Int32Array {
  const powers = new Int32Array(PART_MAX + 1).fill(1);
  for (let at = 1; at <= PART_MAX; at += 1) powers[at] = Math.imul(powers[at - 1] ?? 0, base);
  return powers;
}

/** Spreads a polynomial over all bits. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 16);
}
