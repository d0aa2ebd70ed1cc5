/** Kinds of characters that tokenizers treat alike. Letters first. */
const LOWER = 0;
const UPPER = 1;
const ACCENTED = 2;
const DIGIT = 3;
const BLANK = 4;
const BREAK = 5;
const SIGN = 6;
const ALPHABET = 7;
const IDEOGRAPH = 8;
const SURROGATE = 9;

const KINDS = new Uint8Array(0x3_70).fill(SIGN).fill(ACCENTED, 0xc0).fill(BREAK, 0, 0x20);
KINDS.fill(BLANK, 0x20, 0x21).fill(DIGIT, 0x30, 0x3a).fill(UPPER, 0x41, 0x5b).fill(LOWER, 0x61, 0x7b);

function getTokenKind(unit: number): number {
  if (unit < KINDS.length) return KINDS[unit] ?? SIGN;
  if (unit < 0x11_00) return ALPHABET;
  if (unit >= 0x12_00 && unit < 0x2e_80) return SIGN;
  return unit >= 0xd8_00 && unit < 0xe0_00 ? SURROGATE : IDEOGRAPH;
}

/*
 * Tokens by kind, fitted to o200k by least squares over pages, JSON, HTML, code, and prose in forty languages: of each
 * character, of the first in a row of its kind, of a word, of its letters beyond the sixth, of a capital after a
 * capital, of a change between letters and digits, and of three digits.
 */
const EACH = [0, 0, 1.24, 0, 0, 0, 0, 0.37, 0.83, 1];
const FIRST = [0, 0, 0, 0, 0, 0.71, 1.02, 0, 0, 0];
const WORD = 0.75;
const LONG_WORD = 0.456;
const WORD_LETTERS = 6;
const CAPITAL = 0.3;
const CHANGE = 0.74;
const DIGITS = 1.1;

/** Of a letter at that place of its word, from 1. */
function tokensOfLetter(kind: number, before: number, place: number): number {
  if (place === 1) return before === DIGIT ? WORD + CHANGE : WORD;
  const long = place > WORD_LETTERS ? LONG_WORD : 0;
  return kind === UPPER && before === UPPER ? long + CAPITAL : long;
}

/** Of a digit at that place of its number, from 1. */
const tokensOfDigit = (before: number, place: number): number =>
  (place % 3 === 1 ? DIGITS : 0) + (place === 1 && before <= ACCENTED ? CHANGE : 0);

/**
 * Tokens of a text, estimated: within 13 % of o200k for 95 % of texts. The tokenizers of today's models differ from
 * each other by more, and a real vocabulary takes a megabyte.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  let before = BLANK;
  let place = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = getTokenKind(text.charCodeAt(at));
    const isFirst = kind !== before;
    sum += EACH[kind] ?? 0;
    if (kind <= ACCENTED) {
      place = before > ACCENTED || (kind === UPPER && before === LOWER) ? 1 : place + 1;
      sum += tokensOfLetter(kind, before, place);
    } else if (kind === DIGIT) {
      place = isFirst ? 1 : place + 1;
      sum += tokensOfDigit(before, place);
    } else if (isFirst) sum += FIRST[kind] ?? 0;
    before = kind;
  }
  return sum;
}
