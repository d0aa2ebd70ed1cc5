import { foldedWithin } from './folded.ts';

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
  // The expression is slow where there is none.
  if (text.includes('@')) for (const [mail] of text.matchAll(MAIL)) yield bare(mail);
  for (const [iban] of text.matchAll(IBAN)) if (bare(iban).length >= 15) yield bare(iban);
  for (const { 0: found, index } of text.matchAll(DIGITS)) {
    if (!isGiven) yield* numbersIn(found);
    else if (isNumberThatMatters(text, found, index)) yield bare(found);
  }
  for (const [word] of text.matchAll(MIXED)) if (isName(word, isGiven)) yield bare(word);
}

/** A code in groups, or numbers in a row. */
function* numbersIn(found: string): Generator<string> {
  yield bare(found);
  for (const part of found.split(/[^\d]+/)) if (part.length >= 4 && part !== found) yield part;
}

function isNumberThatMatters(text: string, found: string, index: number): boolean {
  const { length } = bare(found);
  const before = text.slice(Math.max(0, index - CODE_REACH), index);
  const after = text.slice(index + found.length, index + found.length + CODE_REACH);
  if (length <= 8 && (CODE.test(before) || CODE.test(after))) return true;
  return length >= 6 && !DATE.test(found) && !MONEY.test(before);
}

/** A name with digits, such as that of an order. */
function isName(word: string, isGiven: boolean): boolean {
  const plain = bare(word);
  const digits = plain.replaceAll(/\D/g, '').length;
  if (digits === plain.length || plain.length < 8) return false;
  return isGiven ? digits >= 3 && /[A-Z_]/.test(word) : digits >= 2;
}

const PARTS = /[^\n\t|"<>{}[\]]{4,160}/g;
const VALUE = { min: 8, max: 31, units: 160 } as const;

/** A text as a whole value, folded; null for one that is too short, or found by its parts. */
export function wholeValue(text: string): string | null {
  if (text.length < VALUE.min || text.length > VALUE.units) return null;
  const folded = foldedWithin(text, VALUE.max);
  return folded === null || folded.length < VALUE.min ? null : folded;
}

/** The beginning of a line in a snapshot or a list, before its text. */
const LEAD = /^[\s\p{P}]+(?:(?:f\d+)*e\d+ )?(?:[a-z]+ )?|^(?:f\d+)*e\d+ (?:[a-z]+ )?/u;

/** The lines, cells and values of a text that an agent was given. */
export function* valuesIn(text: string): Generator<string> {
  for (const [part] of text.matchAll(PARTS)) {
    const bare = part.replace(LEAD, '');
    const at = part.indexOf(': ');
    for (const one of [part, bare === part ? '' : bare, at < 0 ? '' : part.slice(at + 2)]) {
      const value = wholeValue(one);
      if (value !== null) yield value;
    }
  }
}
