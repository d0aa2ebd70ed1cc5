import { cachedIn } from '../../base/maps.ts';

/** Magnitudes next to numbers: `5 million`, `2 Billionen`, `3.4万`. */

const LETTERS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9, T: 1e12 },
};
const ASIAN: Readonly<Record<string, number>> = {
  ...{ 万: 1e4, 萬: 1e4, 만: 1e4, 亿: 1e8, 億: 1e8, 억: 1e8, 兆: 1e12, 조: 1e12 },
};
const HUNDREDS: Readonly<Record<string, number>> = { 千: 1e3, 천: 1e3, 百: 100, 백: 100 };
/** Words of several languages on pages of any. */
const WORDS: readonly (readonly [words: string, size: number])[] = [
  ['mil|[Tt]housand|Tsd\\.?|тыс\\.?', 1e3],
  ['[Ll]akhs?', 1e5],
  ['[Mm]io\\.?|[Mm]il(?:li?[oó]|h[õã]o|jo|yo|i[oó])\\p{L}{0,4}|млн\\.?', 1e6],
  ['[Cc]rores?', 1e7],
  ['[Bb]n|[Bb]illions?|[Mm]il(?:li|i|j|y)ar\\p{L}{0,5}|[Mm]rd\\.?|млрд\\.?', 1e9],
];

export interface Magnitudes {
  /** Matches the words, longest first; a regular expression. */
  readonly words: string;
  /** 1 for a text without a magnitude. */
  readonly sizeOf: (scale: string) => number;
}

const knownMagnitudes = new Map<string, Magnitudes>();
const LANGUAGES_KEPT = 50;

/** The magnitudes on a page in a language: those of `Intl` before those of other languages. */
export function magnitudesOf(lang: string | null): Magnitudes {
  return cachedIn(knownMagnitudes, lang ?? '', LANGUAGES_KEPT, (key) => {
    const own = new Map([...buildScaleWords('en'), ...buildScaleWords(key)]);
    const words = [...own.keys()].sort((a, b) => b.length - a.length).map(pattern);
    return {
      words: [...words, ...WORDS.map(([listed]) => listed)].join('|'),
      sizeOf: (scale) => findMagnitude(scale, lang, own),
    };
  });
}

const pattern = (word: string): string => {
  const [first = '', ...rest] = word;
  return `[${first.toUpperCase()}${first}]${rest.join('').replace(/[.()]/g, '\\$&')}\\.?`;
};

function findMagnitude(scale: string, lang: string | null, own: ReadonlyMap<string, number>): number {
  if (scale === '' || (scale === '兆' && isMega(lang))) return 1;
  // In English, a mil is a length.
  if (scale === 'mil' && !/^(?:pt|es)\b/i.test(lang ?? '')) return 1;
  const isWord = ([words]: (typeof WORDS)[number]): boolean => new RegExp(`^(?:${words})$`, 'u').test(scale);
  return (
    LETTERS[scale] ??
    ASIAN[scale] ??
    own.get(scale.toLowerCase().replace(/\.$/, '')) ??
    WORDS.find(isWord)?.[1] ??
    1
  );
}

const LARGEST = 13;

/** The words of a language for thousands and more. Single letters are units as often. */
function buildScaleWords(lang: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const compactDisplay of ['short', 'long'] as const) {
    const format = formatFor(lang, compactDisplay);
    if (format === null) return words;
    for (let exponent = 3; exponent <= LARGEST; exponent += 1)
      for (const size of [1, 2, 5].map((times) => times * 10 ** exponent)) {
        const parts = format.formatToParts(size);
        const word = parts
          .find(({ type }) => type === 'compact')
          ?.value.toLowerCase()
          .replace(/\.$/, '');
        const shown = Number(parts.flatMap(({ type, value }) => (type === 'integer' ? value : [])).join(''));
        if (word !== undefined && shown > 0 && /\p{L}\S/u.test(word)) words.set(word, size / shown);
      }
  }
  return words;
}

function formatFor(lang: string, compactDisplay: 'short' | 'long'): Intl.NumberFormat | null {
  try {
    return new Intl.NumberFormat(lang, { notation: 'compact', compactDisplay, numberingSystem: 'latn' });
  } catch {
    return null; // `lang` is not a language tag.
  }
}

/** Magnitudes that may follow their number without a space. */
export const EASTERN = Object.keys(ASIAN).join('');
/** `3千克` are kilograms. */
const UNITS = `[${EASTERN}]|[百백천]|千(?![克米瓦卡赫焦])`;
const PART = `\\d[\\d,.]*\\s?(?:${UNITS})+`;
/** After a space, a part without a magnitude belongs to the number if a currency follows. */
const COMPOUND = new RegExp(`(?:${PART}\\s?)*${PART}(?:\\d[\\d,]*|\\s\\d[\\d,]*(?=\\s?[원円元圓]))?`, 'gu');

const PARTED = new RegExp(`[${EASTERN}百백千천]`, 'u');

/** In mainland China, `100兆` are megabits. */
const isMega = (lang: string | null): boolean => /^zh(?!-(?:tw|hk|mo|hant))/i.test(lang ?? '');

/** `12만 5,000` is 125000; a number of one part such as `3.4万` stays. */
export function joinParts(text: string, lang: string | null): string {
  if (!PARTED.test(text) || (text.includes('兆') && isMega(lang))) return text;
  return text.replace(COMPOUND, (whole) => String(sumOf(whole) ?? whole));
}

function sumOf(whole: string): number | null {
  const parts = [...whole.matchAll(/(\d[\d,.]*)\s?([^\d\s,.]*)/gu)];
  const [only] = parts;
  if (parts.length === 1 && ASIAN[only?.[2] ?? ''] !== undefined) return null;
  let [sum, section, least] = [0, 0, Number.POSITIVE_INFINITY];
  for (const [, digits = '', units] of parts) {
    let size = Number(digits.replaceAll(',', ''));
    for (const unit of units ?? '') {
      const large = ASIAN[unit];
      if (large === undefined) {
        section += size * (HUNDREDS[unit] ?? 1);
      } else {
        if (large >= least) return null;
        [sum, section, least] = [sum + (section + size) * large, 0, large];
      }
      size = 0;
    }
    section += size;
  }
  return Number.isFinite(sum + section) ? Number((sum + section).toPrecision(15)) : null;
}
