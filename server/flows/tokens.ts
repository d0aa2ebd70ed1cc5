import { among, isLetter } from './folded.ts';

/* Short texts that matter alone, by where they are in a text. */

/** Called with where a short text begins and ends. */
type Found = (from: number, to: number) => void;

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const MAIL_UNITS = 256;
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Z0-9])/y;
const IBAN_UNITS = 15;
const DATE =
  /^(?:(?:19|20)\d\d([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d\d|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d)$/;
const CODE = /\b(?:code|pin|otp|passcode|verif\w*|token|tan|codes|código|codice)\b|验证码|校验码|コード/iu;
const CODE_REACH = 40;
const MONEY = /[$€£¥]\s?$|(?:USD|EUR|GBP|CHF|CNY)\s?$/;
const NUMBER = { min: 4, code: 8, long: 6, max: 34 } as const;
const NAME = { min: 8, max: 64 } as const;

/** `@` */
const AT = 64;
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
/** Within a number. */
const SEPARATORS = among(' \u{a0}./-');
const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
/** Of a name such as `AB-2041_x`. */
const OF_NAME = among('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
/** Around lines, cells and values. */
const ENDS = among('\n\t|"<>{}[]');

/** Every text that may be a token. @param isGiven in a text that the agent was given: only those that matter */
export function eachToken(text: string, isGiven: boolean, found: Found): void {
  let mailEnd = 0;
  let hasCode: boolean | null = null;
  const isNearCode = (from: number, to: number): boolean =>
    (hasCode ??= CODE.test(text)) &&
    (CODE.test(text.slice(Math.max(0, from - CODE_REACH), from)) ||
      CODE.test(text.slice(to, to + CODE_REACH)));
  const number = (from: number, to: number, digits: number): void => {
    if (digits < NUMBER.min || digits > NUMBER.max) return;
    if (!isGiven || matters(text, from, to, digits) || (digits <= NUMBER.code && isNearCode(from, to)))
      found(from, to);
  };
  // A code in groups, or numbers in a row.
  const numbers = (from: number, to: number, digits: number): void => {
    number(from, to, digits);
    if (digits < to - from)
      for (const { 0: group, index } of text.slice(from, to).matchAll(/\d{4,}/g))
        number(from + index, from + index + group.length, group.length);
  };
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === AT && index >= mailEnd) mailEnd = eachMail(text, index, found);
    if (!isDigit(unit)) continue;
    const [from, to] = nameAt(text, index);
    if (index === firstDigit(text, from)) {
      if (isName(text, from, to, isGiven)) found(from, to);
      if (isUpper(text.charCodeAt(from))) iban(text, from, found);
    }
    index = eachNumber(text, index, numbers) - 1;
  }
}

function eachMail(text: string, at: number, found: Found): number {
  const start = Math.max(0, at - NAME.max);
  let end = at;
  for (const { 0: mail, index } of text.slice(start, at + MAIL_UNITS).matchAll(MAIL)) {
    end = start + index + mail.length;
    found(start + index, end);
  }
  return end;
}

/** The name around a place. */
function nameAt(text: string, index: number): readonly [from: number, to: number] {
  let [from, to] = [index, index + 1];
  while (from > 0 && index - from <= NAME.max && OF_NAME[text.charCodeAt(from - 1)] === 1) from -= 1;
  while (to - from <= NAME.max && OF_NAME[text.charCodeAt(to)] === 1) to += 1;
  return [from, to];
}

function firstDigit(text: string, from: number): number {
  let at = from;
  while (!isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** A name with digits, such as that of an order. */
function isName(text: string, from: number, to: number, isGiven: boolean): boolean {
  let [digits, letters, isMarked] = [0, 0, false];
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (isDigit(unit)) digits += 1;
    else if (unit !== 45 && unit !== 95) letters += 1;
    isMarked ||= isUpper(unit) || unit === 95;
  }
  if (letters === 0 || digits + letters < NAME.min || to - from > NAME.max) return false;
  return isGiven ? digits >= 3 && isMarked : digits >= 2;
}

function iban(text: string, from: number, found: Found): void {
  IBAN.lastIndex = from;
  const [match = ''] = IBAN.exec(text) ?? [];
  if (match.replaceAll(' ', '').length >= IBAN_UNITS) found(from, from + match.length);
}

/** A number in groups begins here. Without its first or last group, if that is a part of a word. Returns where it ends. */
function eachNumber(
  text: string,
  start: number,
  found: (from: number, to: number, digits: number) => void,
): number {
  const isWithin = start > 0 && isLetter(text.charCodeAt(start - 1));
  let [from, to, groups, digits, last] = [isWithin ? -1 : start, start, 0, 0, 0];
  let end = start;
  for (;;) {
    let group = end;
    while (isDigit(text.charCodeAt(group))) group += 1;
    const isOfWord = group < text.length && isLetter(text.charCodeAt(group));
    if (from >= 0 && !isOfWord) [to, digits] = [group, digits + group - end];
    groups += 1;
    end = group;
    if (isOfWord || SEPARATORS[text.charCodeAt(group)] !== 1 || !isDigit(text.charCodeAt(group + 1))) break;
    end = group + 1;
    if (from < 0) from = end;
    last = end;
  }
  if (from >= 0 && to > from) found(from, to, digits);
  return Math.max(end, last);
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

/** The beginning of a line in a snapshot or a list, before its text. */
const LEAD = /(?:[\s\p{P}]{1,80}(?:(?:f\d+)*e\d+ )?|(?:f\d+)*e\d+ )(?:[a-z]+ )?/uy;
/** The lines, cells and values of a text that an agent was given. */
export function eachValue(text: string, found: Found): void {
  let from = 0;
  let colon = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : 10;
    if (unit === 58 && colon < 0 && text.charCodeAt(at + 1) === 32) colon = at + 2;
    if (ENDS[unit] !== 1) continue;
    if (at - from <= VALUE_UNITS && at - from >= 4) {
      found(from, at);
      LEAD.lastIndex = from;
      const lead = LEAD.test(text) ? LEAD.lastIndex : from;
      if (lead > from && lead < at) found(lead, at);
      if (colon > 0) found(colon, at);
    }
    from = at + 1;
    colon = -1;
  }
}
