import { squash } from '../dom.ts';
import { drawnIn } from './surroundings.ts';

const PART = '[role=spinbutton]:not(input)';

/** Fields of a date or a time consist of spin buttons. */
export const hasParts = (el: Element): boolean =>
  /^(?:group|presentation)$/.test(el.getAttribute('role') ?? '') && drawnIn(el, PART).length > 1;

type Meaning = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half';

interface Part {
  readonly el: Element;
  readonly keys: string;
  readonly isSet: boolean;
}

const numberOf = (el: Element, name: string): number => Number(el.getAttribute(name) ?? NaN);

/** Recognises parts by their ranges: their names are in the language of the page. */
function meaningsOf(parts: readonly Element[]): readonly (Meaning | null)[] {
  const most = parts.map((el) => numberOf(el, 'aria-valuemax'));
  const sixties = most.flatMap((value, at) => (value === 59 ? [at] : []));
  const [first] = sixties;
  return parts.map((el, at) => {
    const value = most[at] ?? NaN;
    if (value === 59) return at === first ? 'minute' : 'second';
    if (first !== undefined && at === first - 1) return 'hour';
    if (value > 366) return 'year';
    if (value === 12) return 'month';
    if (value >= 28 && value <= 31) return 'day';
    return value <= 1 || /^[ap]\.?\s?m/i.test(shownIn(el)) ? 'half' : null;
  });
}

const shownIn = (el: Element): string => squash(el.getAttribute('aria-valuetext') ?? el.textContent ?? '');

const ISO = /^\s*(?:(\d{4})-(\d{1,2})-(\d{1,2}))?[T\s]*(?:(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?)?/i;

function numbersOf(text: string): Partial<Record<Meaning, number>> {
  const [, year, month, day, hours, minute, second = '0', letter] = ISO.exec(text) ?? [];
  const date = year === undefined ? {} : { year: Number(year), month: Number(month), day: Number(day) };
  if (hours === undefined) return date;
  const hour = letter === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(letter) ? 12 : 0);
  return { ...date, hour, minute: Number(minute), second: Number(second), half: hour < 12 ? 0 : 1 };
}

/**
 * The parts of a field and each one's share of a text: of a date or time, else number by number. Null if the text does
 * not fit.
 */
export function partsOf(field: Element, text: string): readonly Part[] | null {
  const parts = drawnIn(field, PART);
  const meanings = meaningsOf(parts);
  const numbers = numbersOf(text);
  const isDate = Object.keys(numbers).length > 0;
  const listed = text.match(/\d+/g) ?? [];
  const found: Part[] = [];
  for (const [at, el] of parts.entries()) {
    const meaning = meanings[at] ?? null;
    const value = !isDate ? Number(listed[at]) : meaning === null ? NaN : (numbers[meaning] ?? NaN);
    if (Number.isNaN(value)) return null;
    found.push(
      isDate && meaning === 'half'
        ? halfOf(el, value)
        : partOf(el, value, meanings.includes('half') && meaning === 'hour'),
    );
  }
  return isDate || listed.length === parts.length ? found : null;
}

function halfOf(el: Element, value: number): Part {
  const keys = value === 1 ? 'p' : 'a';
  return { el, keys, isSet: shownIn(el).toLowerCase().startsWith(keys) };
}

function partOf(el: Element, value: number, isOfTwelve: boolean): Part {
  const wanted = isOfTwelve ? value % 12 || 12 : value;
  const now = numberOf(el, 'aria-valuenow');
  const width = String(numberOf(el, 'aria-valuemax')).length;
  const isSet = now === wanted || now === value || Number(shownIn(el)) === wanted;
  return { el, keys: String(wanted).padStart(Math.min(width, 4), '0'), isSet };
}
