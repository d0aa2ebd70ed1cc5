const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Cuts a text that comes in pieces of any size into pieces of at most `maxUnits` UTF-16 code units,
 * never inside a code point, also where a surrogate pair was written in two pieces. Every piece but
 * the last is full; each is well-formed (lone surrogates become U+FFFD).
 */
export class TextCutter {
  readonly #maxUnits: number;
  #pending = '';

  /** @param maxUnits at least 1; a code point of two units then makes a piece of two. */
  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  /** The full pieces that `text` completes; the rest is kept for the next call. */
  *push(text: string): Generator<string, void, undefined> {
    const all = this.#pending + text;
    let from = 0;
    // One unit more than a piece has to be there, to know whether its last one begins a pair.
    while (all.length - from > this.#maxUnits) {
      const to = from + this.#maxUnits;
      const splits = isHighSurrogate(all.charCodeAt(to - 1)) && isLowSurrogate(all.charCodeAt(to));
      const end = !splits ? to : to - 1 > from ? to - 1 : to + 1;
      yield all.slice(from, end).toWellFormed();
      from = end;
    }
    this.#pending = all.slice(from);
  }

  /** What is left, to be called once at the end; empty only when nothing was ever left over. */
  rest(): string {
    const rest = this.#pending.toWellFormed();
    this.#pending = '';
    return rest;
  }
}
