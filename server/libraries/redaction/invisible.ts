import { execAt, type Tally } from './tally.ts';

/*
 * Characters that a person cannot see carry text past the reader (tag characters), reorder it
 * (bidirectional overrides), split words that a search should find, or command the terminal that
 * shows them (control characters). They are removed, soft hyphens included: all that Unicode calls
 * default-ignorable, and all controls but tabs and line breaks. Kept where script or emoji need them: one joiner between emoji or next to a
 * letter of a joining script, one variation selector after a character that takes one, and the tag
 * sequence of a regional flag.
 */

const VARIATION = /^(?:[\u180B-\u180F\uFE00-\uFE0F]|\uDB40[\uDD00-\uDDEF])/;
const TAG_SEQUENCE = /^(?:\uDB40[\uDC30-\uDC39\uDC61-\uDC7A]){3,6}\uDB40\uDC7F/;
const JOINER = /[\u200C\u200D]/;

/** Always removed: controls, soft hyphen, fillers, zero-width, bidirectional and interlinear marks. */
const REMOVED =
  '0000-0008 000B-000C 000E-001F 007F-009F 00AD 034F 061C 115F-1160 17B4-17B5 200B 200E-200F 202A-202E 2060-206F 3164 FEFF FFA0 FFF0-FFFB';
/** Kept or removed depending on their neighbours: joiners and variation selectors. */
const WEIGHED = '180B-180F 200C-200D FE00-FE0F';
/** Controls of musical notation and of shorthand. */
const NOTATION_SOURCE = '\\uD834[\\uDD73-\\uDD7A]|\\uD82F[\\uDCA0-\\uDCA3]';

/** The inside of a character class, of hexadecimal code units and ranges. */
function classOf(units: string): string {
  return units.replaceAll(' ', '').replaceAll(/[0-9A-F]{4}/g, '\\u$&');
}

const ALWAYS_REMOVED = new RegExp(`[${classOf(REMOVED)}]|${NOTATION_SOURCE}`, 'g');
const RUN = new RegExp(
  `(?:[${classOf(REMOVED)}${classOf(WEIGHED)}]|[\\uDB40-\\uDB43][\\uDC00-\\uDFFF]|${NOTATION_SOURCE})+`,
  'y',
);
/**
 * Start characters of a run. The first part spares most characters the long list, which takes five times as
 * long.
 */
const BEGINNING = new RegExp(
  `[^\\t\\n\\r -~](?<=[${classOf(REMOVED)}${classOf(WEIGHED)}\\uD82F\\uD834\\uDB40-\\uDB43])`,
  'g',
);

/** Finds the next run at `from` or later, or null. */
function nextRun(text: string, from: number): { readonly index: number; readonly run: string } | null {
  BEGINNING.lastIndex = from;
  while (BEGINNING.test(text)) {
    const index = BEGINNING.lastIndex - 1;
    const run = execAt(RUN, text, index)?.[0];
    if (run !== undefined) return { index, run };
  }
  return null;
}

const BLACK_FLAG = '\u{1F3F4}';
const KEYCAP = '\u20E3';
const EMOJI = /^(?!\d|[#*])\p{Emoji}$/u;
const SYMBOL = /^[\p{Emoji}\p{So}\p{Sm}]$/u;
const KEYCAP_BASE = /^[\d#*]$/;
const IDEOGRAPH = /^[\p{Script=Han}\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]$/u;
const SELECTABLE = /^[\p{Sm}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}0]$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
/** Scripts whose spelling uses ZWJ or ZWNJ: the joining ones and those with conjuncts. */
const JOINING_SCRIPTS =
  'Arabic Syriac Nko Mandaic Manichaean Mongolian Phags_Pa Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Tibetan Myanmar Khmer Balinese Javanese Brahmi Grantha Kaithi Tirhuta';
const JOINING = new RegExp(
  `^[${JOINING_SCRIPTS.split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}\\u0640\\u0964\\u0965]$`,
  'u',
);
const COMBINING = /^\p{M}$/u;

/** Maximum units of a run that are examined; no legitimate sequence comes close, and the rest is removed. */
const RUN_UNITS = 256;

function takesVariation(selector: string, left: string, right: string): boolean {
  const code = selector.codePointAt(0) ?? 0;
  if (code < 0x1810) return MONGOLIAN.test(left);
  if (code >= 0xe0100) return IDEOGRAPH.test(left);
  if (code < 0xfe0e) return IDEOGRAPH.test(left) || SELECTABLE.test(left);
  return KEYCAP_BASE.test(left) ? right === KEYCAP : SYMBOL.test(left);
}

function takesJoiner(joiner: string, left: string, right: string): boolean {
  if (joiner === '\u200D' && EMOJI.test(left) && EMOJI.test(right)) return true;
  return JOINING.test(left) || JOINING.test(right) || (COMBINING.test(left) && !/^\p{ASCII}?$/u.test(right));
}

/** Filtering its result again changes nothing: kept characters stay in the order in which they are looked for. */
function filterRun(run: string, left: string, right: string): string {
  let rest = run.slice(0, RUN_UNITS).replace(ALWAYS_REMOVED, '');
  let kept = '';
  const selector = VARIATION.exec(rest)?.[0];
  if (selector !== undefined && takesVariation(selector, left, right)) {
    kept = selector;
    rest = rest.slice(selector.length);
  }
  const tags = left === BLACK_FLAG ? TAG_SEQUENCE.exec(rest)?.[0] : undefined;
  if (tags !== undefined) {
    kept += tags;
    rest = rest.slice(tags.length);
  }
  const joiner = JOINER.exec(rest)?.[0];
  return joiner !== undefined && takesJoiner(joiner, left, right) ? kept + joiner : kept;
}

/** The code point that ends at `end`, or '' at the start. */
function codePointBefore(text: string, end: number): string {
  return [...text.slice(Math.max(0, end - 2), end)].at(-1) ?? '';
}

const countCodePoints = (text: string): number => [...text].length;

/**
 * Removes invisible characters from a stream of text. It holds back only a run of them that ends a chunk,
 * bounded; cutting the text elsewhere gives the same result.
 */
export class InvisibleFilter {
  /** The last visible character passed on. */
  #left = '';
  /** A run at the end of the last chunk whose right neighbour is not known yet. */
  #pending = '';

  constructor(private readonly tally: Tally) {}

  push(chunk: string): string {
    // A removal between two lone surrogates would make a new character of them.
    const sound = chunk.toWellFormed();
    return this.#filter(this.#pending + sound, false);
  }

  /** The text has ended: returns what was held. */
  flush(): string {
    return this.#filter(this.#pending, true);
  }

  #filter(text: string, isEnd: boolean): string {
    let out = '';
    let done = 0;
    this.#pending = '';
    for (let match = nextRun(text, 0); match !== null; match = nextRun(text, done)) {
      const { index, run } = match;
      if (index > done) {
        out += text.slice(done, index);
        this.#left = codePointBefore(text, index);
      }
      done = index + run.length;
      if (done === text.length && !isEnd) {
        this.#hold(run);
        return out;
      }
      const [right = ''] = text.slice(done, done + 2);
      const kept = filterRun(run, this.#left, right);
      this.tally.invisible(countCodePoints(run) - countCodePoints(kept));
      out += kept;
    }
    if (done < text.length) {
      out += text.slice(done);
      this.#left = codePointBefore(text, text.length);
    }
    return out;
  }

  /** Keeps the units that {@link filterRun} will examine, never half a pair, and counts the rest as removed. */
  #hold(run: string): void {
    let end = Math.min(run.length, RUN_UNITS);
    const unit = run.charCodeAt(end - 1);
    if (unit >= 0xd800 && unit <= 0xdbff) end += 1;
    this.#pending = run.slice(0, end);
    this.tally.invisible(countCodePoints(run.slice(end)));
  }
}
