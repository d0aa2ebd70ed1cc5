import { randomFillSync } from 'node:crypto';
import type { Folded } from './folded.ts';

/** Folded characters of a fingerprint. */
export const GRAM = 24;
/** Of so many fingerprints in a row, one is kept: a copy of `GRAM + WINDOW - 1` characters always has one. */
const WINDOW = 5;
/** A text with fewer different characters says nothing. */
const DISTINCT_MIN = 8;
const START_SLOTS = 1 << 12;
/** 16 MiB at 8 bytes. */
const SLOTS_MAX = 1 << 21;
const LOAD = 0.7;

/**
 * Hashes of parts of texts with a label each, in a table of fixed size. A hash has 48 bits and depends on a random key,
 * so that the table says nothing about the texts to a reader without the key.
 */
export class Prints {
  readonly #key = new Uint32Array(4);
  readonly #powers: readonly [number, number];
  #high = new Uint32Array(START_SLOTS);
  #low = new Uint16Array(START_SLOTS);
  #labels = new Uint16Array(START_SLOTS);
  #count = 0;

  constructor(private readonly slotsMax = SLOTS_MAX) {
    randomFillSync(this.#key);
    this.#key[0] = (this.#key[0] ?? 0) | 1;
    this.#key[1] = (this.#key[1] ?? 0) | 1;
    this.#powers = [power(this.#key[0] ?? 0, GRAM - 1), power(this.#key[1] ?? 0, GRAM - 1)];
  }

  get bytes(): number {
    return this.#labels.length * 8;
  }

  /** Calls back with the two halves of each part's hash, and where it begins; with `isThinned` only for those to keep. */
  each(folded: Folded, isThinned: boolean, found: (high: number, low: number, start: number) => void): void {
    const count = folded.length - GRAM + 1;
    if (count <= 0) return;
    const [high, low] = this.#hashes(folded, count);
    let kept = -1;
    for (let start = isThinned ? Math.min(WINDOW, count) - 1 : 0; start < count; start += 1) {
      const at = isThinned ? leastOf(high, Math.max(0, start - WINDOW + 1), start, kept) : start;
      if (at === kept || high[at] === NOTHING) continue;
      kept = at;
      found(high[at] ?? 0, low[at] ?? 0, at);
    }
  }

  #hashes({ units, length }: Folded, count: number): readonly [Uint32Array, Uint16Array] {
    const [high, low] = [new Uint32Array(count), new Uint16Array(count)];
    const [base = 0, other = 0, key = 0, otherKey = 0] = this.#key;
    const [drop, dropOther] = this.#powers;
    const distinct = new Distinct();
    let [one, two] = [0, 0];
    for (let index = 0; index < length; index += 1) {
      const unit = units[index] ?? 0;
      if (index >= GRAM) {
        const gone = units[index - GRAM] ?? 0;
        one = (one - Math.imul(gone, drop)) | 0;
        two = (two - Math.imul(gone, dropOther)) | 0;
        distinct.remove(gone);
      }
      one = (Math.imul(one, base) + unit) | 0;
      two = (Math.imul(two, other) + unit) | 0;
      distinct.add(unit);
      const start = index - GRAM + 1;
      if (start < 0) continue;
      high[start] = distinct.count < DISTINCT_MIN ? NOTHING : mix(one ^ key);
      low[start] = mix(two ^ otherKey) & 0xff_ff;
    }
    for (let index = Math.max(0, length - GRAM); index < length; index += 1)
      distinct.remove(units[index] ?? 0);
    return [high, low];
  }

  /** The hash of a whole text. */
  of(text: string): readonly [high: number, low: number] {
    let [one, two] = [text.length, 7];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      one = (Math.imul(one, this.#key[0] ?? 0) + unit) | 0;
      two = (Math.imul(two, this.#key[1] ?? 0) + unit) | 0;
    }
    return [mix(one ^ (this.#key[3] ?? 0)), mix(two ^ (this.#key[2] ?? 0)) & 0xff_ff];
  }

  /** The label of a hash; 0 for none. */
  get(high: number, low: number): number {
    return this.#labels[this.#slot(high, low)] ?? 0;
  }

  /** False if the table is full. */
  set(high: number, low: number, label: number): boolean {
    let slot = this.#slot(high, low);
    if (this.#labels[slot] === 0) {
      if (this.#count >= this.#labels.length * LOAD) {
        if (this.#labels.length * 2 > this.slotsMax) return false;
        this.#rebuild(this.#labels.length * 2, () => true);
        slot = this.#slot(high, low);
      }
      this.#high[slot] = high;
      this.#low[slot] = low;
      this.#count += 1;
    }
    this.#labels[slot] = label;
    return true;
  }

  /** Keeps only what has such a label. Returns the share of the table that is in use. */
  keep(isKept: (label: number) => boolean): number {
    this.#rebuild(this.#labels.length, isKept);
    return this.#count / (this.#labels.length * LOAD);
  }

  #slot(high: number, low: number): number {
    const mask = this.#labels.length - 1;
    let slot = (high ^ (low << 7)) & mask;
    while (this.#labels[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #rebuild(size: number, isKept: (label: number) => boolean): void {
    const [high, low, labels] = [this.#high, this.#low, this.#labels];
    this.#high = new Uint32Array(size);
    this.#low = new Uint16Array(size);
    this.#labels = new Uint16Array(size);
    this.#count = 0;
    for (let index = 0; index < labels.length; index += 1)
      if (labels[index] !== 0 && isKept(labels[index] ?? 0)) {
        const slot = this.#slot(high[index] ?? 0, low[index] ?? 0);
        this.#high[slot] = high[index] ?? 0;
        this.#low[slot] = low[index] ?? 0;
        this.#labels[slot] = labels[index] ?? 0;
        this.#count += 1;
      }
  }
}

/** In place of the hash of a part that says nothing. */
const NOTHING = 0xff_ff_ff_ff;

/** The last of the smallest from `first` to `last`. @param known was the smallest up to the one before the last */
function leastOf(hashes: Uint32Array, first: number, last: number, known: number): number {
  let least = known >= first ? known : first;
  for (let at = known >= first ? last : first + 1; at <= last; at += 1)
    if ((hashes[at] ?? 0) <= (hashes[least] ?? 0)) least = at;
  return least;
}

/** How often each unit is in the part at hand; empty between texts. */
const counts = new Uint8Array(0x1_00_00);

class Distinct {
  count = 0;

  add(unit: number): void {
    const before = counts[unit] ?? 0;
    if (before === 0) this.count += 1;
    counts[unit] = before + 1;
  }

  remove(unit: number): void {
    const left = (counts[unit] ?? 0) - 1;
    counts[unit] = left;
    if (left === 0) this.count -= 1;
  }
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
