import { among, isLetter } from './folded.ts';

/* Short texts that matter alone, by where they are in a text. */

/** Called with where a short text begins and ends. */
type OnFound = (from: number, to: number, kind: 'token' | 'value') => void;

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const MAIL_UNITS = 256;
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Z0-9])/y;
const IBAN_UNITS = 15;
const DATE =
  /^(?:(?:19|20)\d\d([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d\d|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d)$/;
const CODE = /\b(?:code|pin|otp|passcode|verif\w*|token|tan|codes|código|codice)\b|验证码|校验码|コード/i;
const CODE_REACH = 40;
const MONEY = /[$€£¥]\s?$|(?:USD|EUR|GBP|CHF|CNY)\s?$/;
const NUMBER = { min: 4, code: 8, long: 6, phone: 9, max: 34 } as const;
const NAME = { min: 8, max: 64 } as const;

/** Code units of `@`, `0` and the end of a line. */
const [AT, ZERO, LINE] = [64, 48, 10];
const isDigit = (unit: number): boolean => unit >= ZERO && unit <= 57;
/** Within a number. */
const SEPARATORS = among(' \u{a0}./-');
const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
/** Of a name such as `AB-2041_x`. */
const OF_NAME = among('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
/** Around lines, cells and values. */
const ENDS = among('\n\t|"<>{}[]');

/** Every text that may be a token. @param isGiven in a text that the agent was given: only those that matter */
export function eachToken(text: string, codes: Uint16Array, isGiven: boolean, found: OnFound): void {
  let mailEnd = 0;
  let nameEnd = 0;
  let hasCode: boolean | null = null;
  const isNearCode = (from: number, to: number): boolean =>
    (hasCode ??= CODE.test(text)) &&
    (CODE.test(text.slice(Math.max(0, from - CODE_REACH), from)) ||
      CODE.test(text.slice(to, to + CODE_REACH)));
  const number = (from: number, to: number, digits: number): void => {
    if (digits < NUMBER.min || digits > NUMBER.max) return;
    if (isGiven && !matters(text, from, to, digits) && (digits > NUMBER.code || !isNearCode(from, to)))
      return;
    found(from, to, 'token');
    // Whatever is before it in the country, or abroad.
    if (digits > NUMBER.phone) found(beginOf(NUMBER.phone, text, to), to, 'token');
  };
  // A code in groups, or numbers in a row.
  const numbers = (from: number, to: number, digits: number): void => {
    number(from, to, digits);
    if (digits < to - from)
      for (const { 0: group, index } of text.slice(from, to).matchAll(/\d{4,}/g))
        number(from + index, from + index + group.length, group.length);
  };
  for (let index = 0; index < text.length; index += 1) {
    const unit = codes[index] ?? 0;
    if (unit > AT || unit < ZERO) continue;
    if (unit === AT && index >= mailEnd && isLetter(text.charCodeAt(index - 1)))
      mailEnd = eachMail(text, index, isGiven, found);
    if (!isDigit(unit)) continue;
    if (index >= nameEnd) nameEnd = eachName(text, index, isGiven, found);
    index = eachNumber(text, index, isGiven, numbers) - 1;
  }
}

/** In the fields of a form, an address may be in two parts: a value, too. */
function eachMail(text: string, at: number, isGiven: boolean, found: OnFound): number {
  const start = Math.max(0, at - NAME.max);
  let end = at;
  for (const { 0: mail, index } of text.slice(start, at + MAIL_UNITS).matchAll(MAIL)) {
    end = start + index + mail.length;
    found(start + index, end, 'token');
    if (isGiven) found(start + index, end, 'value');
  }
  return end;
}

/** The name around its first digit. Returns where it ends. */
function eachName(text: string, digit: number, isGiven: boolean, found: OnFound): number {
  let from = digit;
  let to = digit + 1;
  while (from > 0 && digit - from <= NAME.max && OF_NAME[text.charCodeAt(from - 1)] === 1) from -= 1;
  while (to - from <= NAME.max && OF_NAME[text.charCodeAt(to)] === 1) to += 1;
  if (isName(text, from, to, isGiven)) found(from, to, 'token');
  if (isUpper(text.charCodeAt(from))) iban(text, from, found);
  return to;
}

/** A name with digits, such as that of an order. */
function isName(text: string, from: number, to: number, isGiven: boolean): boolean {
  let digits = 0;
  let letters = 0;
  let isMarked = false;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (isDigit(unit)) digits += 1;
    else if (unit !== 45 && unit !== 95) letters += 1;
    isMarked ||= isUpper(unit) || unit === 95;
  }
  if (letters === 0 || digits + letters < NAME.min || to - from > NAME.max) return false;
  return isGiven ? digits >= 3 && isMarked : digits >= 2;
}

function iban(text: string, from: number, found: OnFound): void {
  IBAN.lastIndex = from;
  const [match = ''] = IBAN.exec(text) ?? [];
  if (match.replaceAll(' ', '').length >= IBAN_UNITS) found(from, from + match.length, 'token');
}

/**
 * A number in groups begins here. Of a given one without its first or last group, if that is a part of a word. Returns
 * where it ends.
 */
function eachNumber(
  text: string,
  start: number,
  isGiven: boolean,
  found: (from: number, to: number, digits: number) => void,
): number {
  const isOfWord = (at: number): boolean => isGiven && isLetter(text.charCodeAt(at));
  let from = isOfWord(start - 1) ? -1 : start;
  let to = start;
  let digits = 0;
  for (let begin = start; ;) {
    let end = begin;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (from >= 0 && !isOfWord(end)) {
      digits += end - begin;
      to = end;
    }
    begin = end + 1;
    if (SEPARATORS[text.charCodeAt(end)] !== 1 || !isDigit(text.charCodeAt(begin))) {
      if (from >= 0 && to > from) found(from, to, digits);
      return end;
    }
    if (from < 0) from = begin;
  }
}

/** Where so many digits before an end begin. */
function beginOf(digits: number, text: string, end: number): number {
  let at = end;
  for (let left = digits; left > 0; at -= 1) if (isDigit(text.charCodeAt(at - 1))) left -= 1;
  return at;
}

function matters(text: string, from: number, to: number, digits: number): boolean {
  return (
    digits >= NUMBER.long &&
    !DATE.test(text.slice(from, to)) &&
    !MONEY.test(text.slice(Math.max(0, from - 5), from))
  );
}

/** Longest whole value, and line of one, in units of the text. */
const VALUE_UNITS = 160;
const DATE_IN_WORDS =
  /^(?:\p{L}{2,12}\.?,? )?(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:de )?\p{L}{3,10}\.?,?|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,?) (?:de )?(?:19|20)\d\d(?:,? (?:at |um |à )?[\d:]{4,8}(?: ?[ap]m)?)?$/iu;

/** Whether a text that is sent may be a value of somebody, and not only a date or a number. */
export const isValue = (text: string): boolean =>
  text.length <= VALUE_UNITS && /\p{L}/u.test(text) && !DATE_IN_WORDS.test(text);

/** The ref and the role of an element, before its text in a snapshot. */
const LEAD = /(?:f\d+)*e\d+ (?:[a-z]+ )?/y;
const [E, F, COLON] = [101, 102, 58];

/** The lines, cells and values of a text that an agent was given. */
export function eachValue(text: string, codes: Uint16Array, found: OnFound): void {
  const value = (from: number, to: number): void => {
    if (to - from > VALUE_UNITS || to - from < NUMBER.min) return;
    found(from, to, 'value');
    let lead = from;
    while (lead < to && !isLetter(codes[lead] ?? 0)) lead += 1;
    if (codes[lead] !== E && codes[lead] !== F) return;
    LEAD.lastIndex = lead;
    if (LEAD.test(text) && LEAD.lastIndex < to) found(LEAD.lastIndex, to, 'value');
  };
  let from = 0;
  let colon = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? (codes[at] ?? 0) : LINE;
    if (unit === COLON && colon < 0) colon = at + 1;
    if (unit >= 128 || ENDS[unit] !== 1) continue;
    value(from, at);
    if (colon > 0) value(colon, at);
    from = at + 1;
    colon = -1;
  }
}
