import { shownLocale } from './locale.ts';

/** Made once per language: creating one takes longer than using it a thousand times. */
function createFormats(locale: string | undefined) {
  const unit = (name: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow', ...options });
  // All of one form, also where the locale has noon twice.
  const clock = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options });
  return {
    locale,
    milliseconds: unit('millisecond', { maximumFractionDigits: 0, unitDisplay: 'short' }),
    seconds: unit('second', { maximumFractionDigits: 1 }),
    minutes: unit('minute'),
    hours: unit('hour'),
    sizes: ['byte', 'kilobyte', 'megabyte', 'gigabyte'].map((name) =>
      unit(name, { maximumSignificantDigits: 3 }),
    ),
    time: clock({ timeStyle: 'medium' }),
    shortTime: clock({ timeStyle: 'short' }),
    exactTime: clock({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
    nearDay: clock({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    number: new Intl.NumberFormat(locale),
    list: new Intl.ListFormat(locale),
  };
}

let made: ReturnType<typeof createFormats> | null = null;
function formats(): ReturnType<typeof createFormats> {
  const locale = shownLocale();
  if (made?.locale !== locale) made = null;
  return (made ??= createFormats(locale));
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The narrow units of English follow their numbers at once. */
const spaced = (text: string): string => text.replace(/(\d)([a-z])/i, '$1 $2');

/** How long something took: `640 ms`, `4.2 s`, `3m 20s`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return formats().milliseconds.format(ms);
  if (ms < MINUTE_MS) return spaced(formats().seconds.format(ms / SECOND_MS));
  return formatLong(ms);
}

/** For a text that changes each second. */
export const formatElapsed = (ms: number): string =>
  ms < MINUTE_MS ? spaced(formats().seconds.format(Math.max(0, Math.floor(ms / SECOND_MS)))) : formatLong(ms);

function formatLong(ms: number): string {
  if (ms < HOUR_MS)
    return `${formats().minutes.format(Math.floor(ms / MINUTE_MS))} ${formats().seconds.format(Math.floor((ms % MINUTE_MS) / SECOND_MS))}`;
  return `${formats().hours.format(Math.floor(ms / HOUR_MS))} ${formats().minutes.format(Math.floor((ms % HOUR_MS) / MINUTE_MS))}`;
}

const STEP = 1_000;

/** How large something is: `640 B`, `4.2 kB`. */
export function formatSize(bytes: number): string {
  let size = bytes;
  let step = 0;
  while (size >= STEP && step < formats().sizes.length - 1) {
    size /= STEP;
    step += 1;
  }
  return spaced(formats().sizes[step]?.format(size) ?? '');
}

/** A moment of a day: `14:03:27`. */
export const formatTime = (at: number): string => formats().time.format(at);
/** The same to the minute. */
export const formatShortTime = (at: number): string => formats().shortTime.format(at);
/** A moment with its day. */
export const formatMoment = (at: number): string => formats().exactTime.format(at);
export const formatDay = (at: number): string => formats().day.format(at);
export const formatNumber = (value: number): string => formats().number.format(value);
/** `reading, crawling and opening pages`. */
export const formatList = (parts: readonly string[]): string => formats().list.format(parts);

/** A moment, as short as it is clear: today only the time. */
export function formatNear(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? formats().shortTime.format(at) : formats().nearDay.format(at);
}
