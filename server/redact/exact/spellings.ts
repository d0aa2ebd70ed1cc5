import type { KnownSecret } from '../../core/services.ts';
import { placeholder } from '../tally.ts';

/** Separators that pages put between the characters of a value, and between its bytes in hexadecimal. */
const GAP = '[\\s.,_:|/*-]{0,3}';
const BYTE_GAP = '(?:[\\s.,_:|-]{1,2}|\\\\{1,4}x|[ ,]{1,2}0x)?';
/** Units of a byte with the gap after it, at most. */
const BYTE_UNITS = 7;
/** Characters of a value that is looked for with gaps: much looks like a shorter one, and nobody spells out a longer one. */
const SPELT_LEAST = 6;
const SPELT_MOST = 200;
const MARK = /«redacted:[^»]{1,100}»/u.source;
const MARK_UNITS = 112;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A character, and its upper case where that is another number of characters. */
function letter(char: string): string {
  const upper = char.toUpperCase();
  return upper.length === char.length
    ? escaped(char)
    : `(?:${escaped(char)}|${[...upper].map(escaped).join(GAP)})`;
}

function patternOf(value: string): string {
  const chars = [...value];
  const bytes = Array.from(Buffer.from(value, 'utf8'), (byte) => byte.toString(16).padStart(2, '0'));
  if (chars.length < SPELT_LEAST || chars.length > SPELT_MOST)
    return [escaped(value), bytes.join(chars.length > SPELT_MOST ? '' : BYTE_GAP)].join('|');
  const spelt = [chars, chars.toReversed()].map((each) => each.map(letter).join(GAP));
  return [...spelt, bytes.join(BYTE_GAP)].join('|');
}

/**
 * Finds known values that a page spells in another way: in other case, with gaps, backwards, in hexadecimal. One pattern for
 * all of them costs less than a look for each.
 */
export class Spellings {
  readonly #pattern: RegExp;
  readonly #kinds: readonly string[];
  readonly #longest: number;

  constructor(secrets: readonly KnownSecret[]) {
    // A mark can hold what looks like a secret: its own name.
    const patterns = [MARK, ...secrets.map(({ value }) => `(${patternOf(value.trim())})`)];
    this.#pattern = new RegExp(patterns.join('|'), 'gi');
    this.#kinds = secrets.map(({ name }) => `secret-${name}`);
    this.#longest = BYTE_UNITS * Math.max(0, ...secrets.map(({ value }) => Buffer.byteLength(value)));
  }

  /** @param found called with the kind of each secret that gets a mark */
  replace(text: string, found: (kind: string) => void): string {
    return text.replace(this.#pattern, (match: string, ...groups: readonly unknown[]) => {
      const kind = this.#kinds[groups.slice(0, this.#kinds.length).findIndex((group) => group !== undefined)];
      if (kind === undefined) return match;
      found(kind);
      return placeholder(kind);
    });
  }

  /** Where a text can be cut of which more is to come: what is behind may be the beginning of a secret, or of a mark. */
  cutOf(text: string): number {
    const at = Math.max(0, text.length - this.#longest);
    const mark = text.lastIndexOf('«', at);
    return mark > at - MARK_UNITS && mark >= 0 && !text.slice(mark, at).includes('»') ? mark : at;
  }
}
