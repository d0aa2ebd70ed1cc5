/**
 * A secret known by its shape, matched case and all. `_` matches itself and the `\_` of Markdown.
 * `rest` has no repetition without a bound inside another, so that a match costs one pass over it.
 */
export interface TokenRule {
  readonly kind: string;
  /** What it begins with, at least two characters; or '', and then it has an `anchor`. */
  readonly start: string;
  /** Source of an expression that matches what follows `start`. */
  readonly rest: string;
  /** Source of an expression for a part of the text that few texts have. */
  readonly anchor?: string;
}

/** A value without a shape of its own, known by the issuer's name next to it. */
export interface NamedRule {
  readonly kind: string;
  /** Source of an expression that the name of the value must match, in either case. */
  readonly name: string;
  /** Source of an expression for the whole value, and the lengths it can have. */
  readonly value: string;
  readonly least: number;
  readonly most: number;
  /** Least bits a character. */
  readonly entropy: number;
}
