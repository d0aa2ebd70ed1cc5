/*
 * Counting a text costs the square of its longest word, so that a long one without a blank would take minutes. It is
 * counted in parts instead, cut where no token of o200k crosses: the sum is that of the whole.
 */

/** Units of a part. */
const PART_UNITS = 4_096;
/** Where a part may end: before a sign that follows a letter or a digit, or before a blank and a letter that follow a sign. */
const BORDER = /(?<=[\p{L}\p{N}])(?=[^\s\p{L}\p{N}\p{M}'’])|(?<=[^\s\p{M}])(?= \p{L})/gu;

/** The last border in a window of a text, or else the end of the window. It is never between the halves of a character. */
function borderIn(text: string): number {
  let last = 0;
  for (const { index } of text.matchAll(BORDER)) if (index > 0) last = index;
  if (last > 0) return last;
  return text.length - (isHighSurrogate(text, text.length - 1) ? 1 : 0);
}

const isHighSurrogate = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xd8_00 && unit < 0xdc_00;
};

/** A text in parts whose tokens add up. A word of more than 4,096 characters is cut, which may add a token for each cut. */
export function* partsOf(text: string): Generator<string, void> {
  let from = 0;
  while (text.length - from > PART_UNITS) {
    const end = from + borderIn(text.slice(from, from + PART_UNITS));
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}
