/* Short texts that matter alone, by where they are in a text. */

/** Called with where a short text begins and ends. */
type OnFound = (from: number, to: number, kind: 'token' | 'value') => void;

const MAIL = {
  name: /[\p{L}\p{N}._%+-]{1,64}$/u,
  host: /@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
} as const;
/** An IBAN may begin inside text that looks like another one. */
const IBAN = /(?<![\w-])(?=([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)(?![A-Z0-9]))/g;
const IBAN_UNITS = 15;
/** A number in groups; a given one without its first or last group, if that is a part of a word. */
const NUMBERS = {
  sent: /\d+(?:[ \u{a0}./-]\d+)*/gu,
  given: /(?<![\p{L}\p{N}])\d+(?:[ \u{a0}./-]\d+)*(?![\p{L}\p{N}])/gu,
} as const;
const NUMBER = { min: 4, code: 8, long: 6, phone: 9, max: 34 } as const;
/** The name of an order, such as `AB-2041_x`. */
const NAME = /(?<![\w-])[A-Za-z_-]{0,64}\d[\w-]*/g;
const NAME_UNITS = { min: 8, max: 64 } as const;
const DATE =
  /^(?:(?:19|20)\d\d([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d\d|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d)$/;
const CODE = /\b(?:code|pin|otp|passcode|verif\w*|token|tan|codes|código|codice)\b|验证码|校验码|コード/i;
const CODE_REACH = 40;
const MONEY = /[$€£¥]\s?$|(?:USD|EUR|GBP|CHF|CNY)\s?$/;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Every text that may be a token. @param isGiven in a text that the agent was given: only those that matter */
export function eachToken(text: string, isGiven: boolean, found: OnFound): void {
  if (!/[\d@]/.test(text)) return;
  const hasCode = isGiven && CODE.test(text);
  const isNearCode = (from: number, to: number): boolean =>
    hasCode &&
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
  for (const { 0: all, index } of text.matchAll(NUMBERS[isGiven ? 'given' : 'sent'])) {
    const digits = countOf(all, /\d/g);
    number(index, index + all.length, digits);
    // A code in groups, or numbers in a row.
    if (digits < all.length)
      for (const group of all.matchAll(/\d{4,}/g))
        number(index + group.index, index + group.index + group[0].length, group[0].length);
  }
  for (const { 1: iban = '', index } of text.matchAll(IBAN))
    if (iban.replaceAll(' ', '').length >= IBAN_UNITS) found(index, index + iban.length, 'token');
  eachName(text, isGiven, found);
}

/** Names of orders, and of people at hosts. */
function eachName(text: string, isGiven: boolean, found: OnFound): void {
  for (const { 0: words, index } of text.matchAll(NAME))
    // In an address, it may be one of several words.
    for (const { 0: name, index: at } of [
      { 0: words, index: 0 },
      ...(isGiven ? [] : words.matchAll(/[^_-]+/g)),
    ])
      if (isName(name, isGiven)) found(index + at, index + at + name.length, 'token');
  for (const { 0: host, index } of text.matchAll(MAIL.host)) {
    const [name] = MAIL.name.exec(text.slice(Math.max(0, index - 64), index)) ?? [];
    if (name === undefined) continue;
    found(index - name.length, index + host.length, 'token');
    // In the fields of a form, an address may be in two parts.
    if (isGiven) found(index - name.length, index + host.length, 'value');
  }
}

/** Whether a word with digits may be a name. */
function isName(word: string, isGiven: boolean): boolean {
  const digits = countOf(word, /\d/g);
  const letters = countOf(word, /[a-z]/gi);
  if (letters === 0 || digits + letters < NAME_UNITS.min || word.length > NAME_UNITS.max) return false;
  return isGiven ? digits >= 3 && /[A-Z_]/.test(word) : digits >= 2;
}

/** Where so many digits before an end begin. */
function beginOf(digits: number, text: string, end: number): number {
  let at = end;
  for (let left = digits; left > 0; at -= 1) if (/\d/.test(text.charAt(at - 1))) left -= 1;
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
export const VALUE_UNITS = 160;
const DATE_IN_WORDS =
  /^(?:[^\d\s.,:]{2,12}\.?,? )?(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:de )?[^\d\s.,:]{3,10}\.?,?|[^\d\s.,:]{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,?) (?:de )?(?:19|20)\d\d(?:,? (?:at |um |à )?[\d:]{4,8}(?: ?[AaPp][Mm])?)?$/;

/** Whether a text that is sent may be a value of somebody, and not only a date or a number. */
const isValue = (text: string): boolean => /\p{L}/u.test(text) && !DATE_IN_WORDS.test(text);

/** Between the ends of lines, cells and values; an agent may write a row in other ways. */
const PARTS = { given: [/[^\n\t|"<>{}[\]]{4,}/g], sent: [/[^\n\t|"]{4,}/g, /[^\n\t|",;:=]{4,}/g] } as const;
/** The ref and the role of an element, before its text in a snapshot. */
const LEAD = /^[\s-]*(?:f\d+)*e\d+ (?:[a-z]+ )?/;

/** The lines, cells and values of a text. */
export function eachValue(text: string, isGiven: boolean, found: OnFound): void {
  for (const { 0: part, index } of PARTS[isGiven ? 'given' : 'sent'].flatMap((one) => [
    ...text.matchAll(one),
  ])) {
    const end = index + part.length;
    const value = (from: number): void => {
      if (part.length - from > VALUE_UNITS) return;
      if (isGiven || isValue(part.trim())) found(index + from, end, 'value');
      const [lead] = isGiven ? (LEAD.exec(from === 0 ? part : part.slice(from)) ?? []) : [];
      if (lead !== undefined) found(index + from + lead.length, end, 'value');
    };
    value(0);
    const colon = part.indexOf(':') + 1;
    if (colon > 0 && isGiven) value(colon);
  }
}
