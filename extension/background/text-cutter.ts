const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
/** The last unit of one text and the first of the next are one code point. */
const isPair = (text: string, next: string): boolean =>
  isHighSurrogate(text.charCodeAt(text.length - 1)) && isLowSurrogate(next.charCodeAt(0));

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
    let rest = text;
    // Joining copies: a full piece that waited for its successor is not joined with it.
    if (this.#pending.length === this.#maxUnits && text !== '' && !isPair(this.#pending, text)) {
      yield this.#pending.toWellFormed();
    } else rest = this.#pending + text;
    let from = 0;
    // One unit more than a piece has to be there, to know whether its last one begins a pair.
    while (rest.length - from > this.#maxUnits) {
      const to = from + this.#maxUnits;
      const splits = isHighSurrogate(rest.charCodeAt(to - 1)) && isLowSurrogate(rest.charCodeAt(to));
      const end = !splits ? to : to - 1 > from ? to - 1 : to + 1;
      yield rest.slice(from, end).toWellFormed();
      from = end;
    }
    this.#pending = rest.slice(from);
  }

  /** What is left, to be called once at the end; empty only when nothing was ever left over. */
  rest(): string {
    const rest = this.#pending.toWellFormed();
    this.#pending = '';
    return rest;
  }
}
