import { randomFillSync } from 'node:crypto';
import type { Folded } from './folded.ts';

/** Folded characters of a fingerprint. */
export const GRAM = 24;
/** How many characters after another a fingerprint is kept, at the beginning of a word and within one. */
const STEP = { min: 3, max: 5 } as const;
/** A copy of so many characters covers at least so many with the fingerprints that are kept. */
export const coveredOf = (copied: number): number => copied + 2 - 2 * STEP.max;
/** A text with fewer different characters says nothing. */
const DISTINCT_MIN = 8;
const START_SLOTS = 1 << 13;
/** 16 MiB at 8 bytes. */
const SLOTS_MAX = 1 << 21;
const LOAD = 0.7;

/** Called with the two halves of a part's hash, and where in the folded text it begins. */
type Found = (high: number, low: number, start: number) => void;

/**
 * Hashes of parts of texts with a label each, in a table of fixed size. A hash has 48 bits and depends on a random key,
 * so that the table says nothing about the texts to a reader without the key.
 */
export class Prints {
  readonly #key = new Uint32Array(4);
  readonly #powers: readonly [number, number];
  /** Two numbers for each hash: its first half, and its second one with the label. */
  #slots = new Uint32Array(START_SLOTS * 2);
  #count = 0;

  constructor(private readonly slotsMax = SLOTS_MAX) {
    randomFillSync(this.#key);
    this.#key[0] = (this.#key[0] ?? 0) | 1;
    this.#key[1] = (this.#key[1] ?? 0) | 1;
    this.#powers = [power(this.#key[0] ?? 0, GRAM), power(this.#key[1] ?? 0, GRAM)];
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /**
   * Finds every part of a text, or those to keep: at the beginnings of words, and within long ones. A few words after
   * they differ, two texts keep the same ones again. A search for all parts of a copy meets them however it is spaced.
   */
  each({ units, length, at }: Folded, isThinned: boolean, found: Found): void {
    const [base = 0, other = 0, key = 0, otherKey = 0] = this.#key;
    const [drop, dropOther] = this.#powers;
    let [one, two, next] = [0, 0, 0];
    for (let index = 0; index < length; index += 1) {
      const unit = units[index] ?? 0;
      one = (Math.imul(one, base) + unit) | 0;
      two = (Math.imul(two, other) + unit) | 0;
      const start = index - GRAM + 1;
      if (start < 0) continue;
      if (start > 0) {
        const gone = units[start - 1] ?? 0;
        one = (one - Math.imul(gone, drop)) | 0;
        two = (two - Math.imul(gone, dropOther)) | 0;
      }
      if (isThinned && start < next - (isWord(at, start) ? STEP.max - STEP.min : 0)) continue;
      next = start + STEP.max;
      found(mix(one ^ key), mix(two ^ otherKey) & 0xff_ff, start);
    }
  }

  /** The hash of the folded units from `from` to `to`. @param kind texts of different kinds have different ones */
  of({ units }: Folded, from: number, to: number, kind: number): readonly [high: number, low: number] {
    const [base = 0, other = 0, key = 0, otherKey = 0] = this.#key;
    let [one, two] = [to - from, kind];
    for (let index = from; index < to; index += 1) {
      one = (Math.imul(one, base) + (units[index] ?? 0)) | 0;
      two = (Math.imul(two, other) + (units[index] ?? 0)) | 0;
    }
    return [mix(one ^ otherKey ^ kind), mix(two ^ key) & 0xff_ff];
  }

  /** The label of a hash; 0 for none. */
  get(high: number, low: number): number {
    return (this.#slots[this.#slot(high, low) + 1] ?? 0) & 0xff_ff;
  }

  /** Changes the label of a hash. False if the table is full. */
  change(high: number, low: number, change: (label: number) => number): boolean {
    const slot = this.#slot(high, low);
    const before = (this.#slots[slot + 1] ?? 0) & 0xff_ff;
    const label = change(before);
    if (label === before) return true;
    if (before === 0) {
      if (this.#count >= (this.#slots.length / 2) * LOAD) {
        if (this.#slots.length >= this.slotsMax * 2) return false;
        this.#rebuild(Math.min(this.#slots.length * 4, this.slotsMax * 2), () => true);
        return this.change(high, low, change);
      }
      this.#count += 1;
    }
    this.#slots[slot] = high;
    this.#slots[slot + 1] = (low << 16) | label;
    return true;
  }

  /** Keeps only what has such a label. Returns the share of the table that is in use. */
  keep(isKept: (label: number) => boolean): number {
    this.#rebuild(this.#slots.length, isKept);
    return this.#count / ((this.#slots.length / 2) * LOAD);
  }

  /** Where a hash is, or would be. No label is 0. */
  #slot(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (high << 1) & mask; ; slot = (slot + 2) & mask) {
      const second = slots[slot + 1] ?? 0;
      if (second === 0 || (slots[slot] === high && second >>> 16 === low)) return slot;
    }
  }

  #rebuild(size: number, isKept: (label: number) => boolean): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(size);
    this.#count = 0;
    for (let index = 0; index < before.length; index += 2) {
      const [high = 0, second = 0] = [before[index], before[index + 1]];
      if (second === 0 || !isKept(second & 0xff_ff)) continue;
      const slot = this.#slot(high, second >>> 16);
      this.#slots[slot] = high;
      this.#slots[slot + 1] = second;
      this.#count += 1;
    }
  }
}

/** Whether something was left out before the unit at `start`. */
const isWord = (at: Uint32Array, start: number): boolean =>
  start > 0 && (at[start] ?? 0) - (at[start - 1] ?? 0) > 1;

/** Whether a part says something: it has more than a few different characters. */
export function isVaried({ units }: Folded, start: number): boolean {
  const seen = new Set<number>();
  for (let index = start; index < start + GRAM; index += 1) seen.add(units[index] ?? 0);
  return seen.size >= DISTINCT_MIN;
}

function power(base: number, times: number): number {
  let result = 1;
  for (let at = 0; at < times; at += 1) result = Math.imul(result, base);
  return result;
}

/** Spreads a polynomial over all bits. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
