import { foldedText } from './folded.ts';

/* Short texts that matter alone. */

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const DIGITS = /(?<![\p{L}\p{N}])\d(?:[ \u{a0}.\-/]?\d){3,33}(?![\p{L}\p{N}])/gu;
const MIXED = /[A-Za-z0-9][A-Za-z0-9_-]{6,62}[A-Za-z0-9]/g;
const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Z0-9])/g;
const DATE =
  /^(?:(?:19|20)\d\d([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d\d|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d)$/;
const CODE = /\b(?:code|pin|otp|passcode|verif\w*|token|tan|codes|código|codice)\b|验证码|校验码|コード/iu;
const CODE_REACH = 40;
const MONEY = /[$€£¥]\s?$|(?:USD|EUR|GBP|CHF|CNY)\s?$/;

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Every text in it that may be a token. @param isGiven in a text that the agent was given: only those that matter */
export function* tokensIn(text: string, isGiven: boolean): Generator<string> {
  for (const [mail] of text.matchAll(MAIL)) yield bare(mail);
  for (const [iban] of text.matchAll(IBAN)) if (bare(iban).length >= 15) yield bare(iban);
  for (const { 0: found, index } of text.matchAll(DIGITS)) {
    const digits = bare(found);
    if (!isGiven) {
      yield digits;
      // A code in words, or two numbers in a row.
      for (const part of found.split(/[^\d]+/)) if (part.length >= 4 && part !== digits) yield part;
      continue;
    }
    const before = text.slice(Math.max(0, index - CODE_REACH), index);
    const after = text.slice(index + found.length, index + found.length + CODE_REACH);
    if (digits.length <= 8 && (CODE.test(before) || CODE.test(after))) yield digits;
    else if (digits.length >= 6 && !DATE.test(found) && !MONEY.test(before)) yield digits;
  }
  for (const [word] of text.matchAll(MIXED)) {
    const plain = bare(word);
    const count = plain.replaceAll(/\D/g, '').length;
    const hasLetters = count < plain.length;
    if (hasLetters && plain.length >= 8 && (isGiven ? count >= 3 && /[A-Z_]/.test(word) : count >= 2))
      yield plain;
  }
}

const PARTS = /[^\n\t|"<>{}[\]]{4,160}/g;
const VALUE = { min: 8, max: 31 } as const;

/** A text as a whole value, folded; null for one that is too short, or found by its parts. */
export function wholeValue(text: string): string | null {
  if (text.length > 160) return null;
  const folded = foldedText(text);
  return folded.length >= VALUE.min && folded.length <= VALUE.max ? folded : null;
}

/** The lines, cells and values of a text that an agent was given. */
export function* valuesIn(text: string): Generator<string> {
  for (const [part] of text.matchAll(PARTS)) {
    for (const one of [
      part,
      part.replace(/^[\s\p{P}]*(?:(?:f\d+)*e\d+ )?(?:[a-z]+ )?/u, ''),
      part.split(/[::] /u)[1],
    ]) {
      const value = one === undefined ? null : wholeValue(one);
      if (value !== null) yield value;
    }
  }
}
