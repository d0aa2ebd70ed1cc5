import {
  isPriced,
  moneyOf,
  numbersIn,
  prepare,
  readNumber,
  parseAmount,
  type NumberHints,
  type Reading,
} from './numbers.ts';

/** Of several prices in one text, the one that is asked for. */
export type PriceRole = 'current' | 'old' | 'unit';

const words = (latin: string, others: string): string => `(?:(?<!\\p{L})(?:${latin})(?!\\p{L})|${others})`;
/** Words before a former price. */
export const FORMERLY = words(
  'was|were|rrp|msrp|previously|instead of|before|(?:list|original|regular|old|usual) price|statt|uvp|vorher|früher|bisher|avant|au lieu de|antes|precio (?:original|anterior)|prima|anziché|invece di|van|adviesprijs|ord\\.?(?: pris)?|tidigare|før|førpris|było|původně|dříve|было|раньше|старая цена|eski fiyat|önce',
  '原[价價]|市[场場][价價]|[划劃][线線][价價]|定[价価]|通常価格|参考価格|希望小売価格|정가|정상가|원가',
);
const NOW = words(
  'now|today|sale(?: price)?|jetzt|heute|aktuell|maintenant|désormais|ahora|ora|adesso|agora|nu|nå|teraz|nyní|teď|сейчас|теперь|şimdi',
  '[现現][价價]|促[销銷][价價]|特[价價価]|券[后後]|セール価格|販売価格|판매가|할인가|특가',
);
const [SAYS_FORMERLY, SAYS_NOW] = [FORMERLY, NOW].map((said) => new RegExp(`${said}[^\\p{N}]*$`, 'iu'));
/** `10,65 €/l`, `€0.25 / 100 ml`, `1 kg = 4,98 €` */
const PER_UNIT = /^\s*\/\s*(?:\d+\s*)?\p{L}/u;
const EQUALS = /=\s*$/;

/** Numbers with more between them than a separator. */
const SEVERAL = /\p{Nd}\P{Nd}*[^\p{Nd}\s.,'’]\P{Nd}*\p{Nd}/u;

interface Price {
  readonly match: RegExpExecArray;
  readonly isUnit: boolean;
  readonly isOld: boolean;
  readonly isNow: boolean;
  readonly isAside: boolean;
}

/**
 * Reads the price that a field asks for where a text has several in one currency: next to a former price, a price per
 * unit or one in brackets. Two prices that nothing tells apart are not a number.
 */
export function readPrice(given: string, role: PriceRole, hints: NumberHints): Reading<number> {
  if (!SEVERAL.test(given)) return readNumber(given, hints);
  const text = prepare(given, hints.lang);
  const priced = numbersIn(text, hints.lang).filter(isPriced);
  const [currency] = priced.map(moneyOf);
  if (priced.length < 2 || priced.some((match) => moneyOf(match) !== currency))
    return readNumber(given, hints);
  const prices = priced.map((match, index) => describePrice(text, match, priced[index - 1]));
  const [only, ...others] = candidates(prices, role);
  if (only === undefined || others.length > 0) return readNumber(given, hints);
  return parseAmount(only.match, hints, false);
}

function describePrice(text: string, match: RegExpExecArray, before: RegExpExecArray | undefined): Price {
  const end = match.index + match[0].length;
  const from = before === undefined ? 0 : before.index + before[0].length;
  const [lead, rest] = [text.slice(from, match.index), text.slice(end)];
  const open = text.lastIndexOf('(', match.index + 1);
  return {
    match,
    isUnit: PER_UNIT.test(rest) || EQUALS.test(lead),
    isOld: SAYS_FORMERLY?.test(lead) === true,
    isNow: SAYS_NOW?.test(lead) === true,
    isAside:
      open >= 0 &&
      !text.slice(open, match.index + 1).includes(')') &&
      /^[^(]*\p{L}[^(]*\)/u.test(text.slice(open + 1)),
  };
}

function candidates(prices: readonly Price[], role: PriceRole): readonly Price[] {
  if (role === 'unit') return prices.filter(({ isUnit }) => isUnit);
  const whole = prices.filter(({ isUnit }) => !isUnit);
  const now = whole.filter(({ isNow }) => isNow);
  const old = whole.filter(({ isOld }) => isOld);
  if (role === 'old') return old.length === 0 && now.length === 1 ? whole.filter(({ isNow }) => !isNow) : old;
  if (now.length === 1) return now;
  const main = whole.filter(({ isOld, isAside }) => !isOld && !isAside);
  return main.length < prices.length ? main : [];
}
