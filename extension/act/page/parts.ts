import { squash } from '../../dom/elements.ts';
import { drawnIn } from './surroundings.ts';

const PART = '[role=spinbutton]:not(input)';

/** Fields of a date or a time consist of spin buttons. */
export const hasParts = (el: Element): boolean =>
  /^(?:group|presentation)$/.test(el.getAttribute('role') ?? '') && drawnIn(el, PART).length > 1;

type Meaning = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half';

interface FieldPart {
  readonly el: Element;
  readonly keys: string;
  readonly isSet: boolean;
}

const getNumberAttribute = (el: Element, name: string): number => Number(el.getAttribute(name) ?? NaN);

/** Recognises parts by their ranges: their names are in the language of the page. */
function meaningsOf(parts: readonly Element[]): readonly (Meaning | null)[] {
  const most = parts.map((el) => getNumberAttribute(el, 'aria-valuemax'));
  return parts.map((el, at) => {
    const value = most[at] ?? NaN;
    if (value === 59) return most[at - 1] === 59 ? 'second' : 'minute';
    if (most[at + 1] === 59) return 'hour';
    if (value > 366) return 'year';
    if (value === 12) return 'month';
    if (value >= 28 && value <= 31) return 'day';
    return value <= 1 || /^[ap]\.?\s?m/i.test(shownIn(el)) ? 'half' : null;
  });
}

const shownIn = (el: Element): string => squash(el.getAttribute('aria-valuetext') ?? el.textContent ?? '');

/** A date, a time, or both. */
type Stamp = Partial<Record<Meaning, number>>;

const STAMP =
  /(?:(\d{4})-(\d{1,2})-(\d{1,2}))?[T\s]*(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])(?:\.?m)?\b)?)?/gi;

/** The dates and times of a text; none if it has other numbers. */
function stampsIn(text: string): readonly Stamp[] {
  if (/\d/.test(text.replace(STAMP, ''))) return [];
  return [...text.matchAll(STAMP)].map(stampOf).filter((stamp) => Object.keys(stamp).length > 0);
}

function stampOf([, year, month, day, hours, minute, second = '0', letter]: RegExpMatchArray): Stamp {
  const date = year === undefined ? {} : { year: Number(year), month: Number(month), day: Number(day) };
  if (hours === undefined) return date;
  const isOfTwelve = letter !== undefined && Number(hours) <= 12;
  const hour = isOfTwelve ? (Number(hours) % 12) + (/p/i.test(letter) ? 12 : 0) : Number(hours);
  return { ...date, hour, minute: Number(minute), second: Number(second), half: hour < 12 ? 0 : 1 };
}

/**
 * The parts of a field and each one's share of a text: of dates and times, one after another, else number by number. Null
 * if the text does not fit.
 */
export function matchParts(field: Element, text: string): readonly FieldPart[] | null {
  const parts = drawnIn(field, PART);
  const meanings = meaningsOf(parts);
  const stamps = stampsIn(text);
  const listed = text.match(/\d+/g) ?? [];
  const wanted = stamps.length > 0 ? stamps.length : listed.length;
  const found: FieldPart[] = [];
  let taken = 0;
  for (const [at, el] of parts.entries()) {
    const meaning = meanings[at] ?? null;
    // A range has each meaning twice.
    const turn = stamps.length > 0 ? meanings.slice(0, at).filter((before) => before === meaning).length : at;
    const stamp = meaning === null ? undefined : stamps[turn]?.[meaning];
    const value = stamps.length > 0 ? (stamp ?? NaN) : Number(listed[at]);
    if (Number.isNaN(value)) return null;
    taken = Math.max(taken, turn + 1);
    found.push(
      stamps.length > 0 && meaning === 'half'
        ? halfOf(el, value)
        : createPart(el, value, meanings.includes('half') && meaning === 'hour'),
    );
  }
  return taken === wanted ? found : null;
}

function halfOf(el: Element, value: number): FieldPart {
  const keys = value === 1 ? 'p' : 'a';
  return { el, keys, isSet: shownIn(el).toLowerCase().startsWith(keys) };
}

function createPart(el: Element, value: number, isOfTwelve: boolean): FieldPart {
  const wanted = isOfTwelve ? value % 12 || 12 : value;
  const now = getNumberAttribute(el, 'aria-valuenow');
  const width = String(getNumberAttribute(el, 'aria-valuemax')).length;
  const isSet = now === wanted || now === value || Number(shownIn(el)) === wanted;
  return { el, keys: String(wanted).padStart(Math.min(width, 4), '0'), isSet };
}
