import { InvisibleFilter } from './invisible.ts';
import { FIELD_CONTEXT_UNITS, findFields } from './fields.ts';
import { findNeighbours } from './neighbours.ts';
import { ColumnState } from './tables.ts';
import { cleanPieces, execAt, mergeSpans, type Span, type ScanWindow, type Tally } from './tally.ts';
import { findKeyValues } from './key-values.ts';
import { PrivateKeyState, findByPlace } from './places.ts';
import { findTokens, startsWord } from './tokens.ts';
import { lineBefore } from './own-rules.ts';
import { atOnce, isLong, type Work } from '../../core/slices.ts';

/** Account numbers with a checksum, and personal numbers next to a word for them. */

/** Length of an IBAN by country (ISO 13616). */
const IBAN_UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g;
const SHORTEST_UNITS = 15;

/** ISO 7064, MOD 97-10. */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The units of the text that form the IBAN: a word may follow it. */
function ibanUnits(text: string): number | null {
  const wanted = IBAN_UNITS[text.slice(0, 2)];
  if (wanted === undefined) return null;
  let units = 0;
  let found = '';
  while (units < text.length && found.length < wanted) {
    if (text.charAt(units) !== ' ') found += text.charAt(units);
    units += 1;
  }
  return found.length === wanted && passesMod97(found) ? units : null;
}

function findIbans({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(IBAN, text, from); hit !== null; hit = IBAN.exec(text)) {
    const units = hit[0].length < SHORTEST_UNITS || !startsWord(text, hit.index) ? null : ibanUnits(hit[0]);
    const end = hit.index + (units ?? 0);
    if (units === null || /[A-Za-z0-9]/.test(text.charAt(end))) continue;
    spans.push({ start: hit.index, end, kind: 'iban' });
  }
}

/** Areas 000, 666 and 9xx, group 00 and serial 0000 were never issued. */
const SSN = /\d{3}(?<gap>[- ])\d{2}\k<gap>\d{4}(?![\w-]|\.\d)/g;
const NEVER_ISSUED = /^(?:000|666|9)|^....00|0000$/;
const SSN_WORD = /\bssns?\b|social[ _-]?sec(?:urity|\.)?|\bsoc\.? sec\b|taxpayer/i;
const SSN_UNITS = 64;

function findSsns({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(SSN, text, from); hit !== null; hit = SSN.exec(text))
    if (
      !NEVER_ISSUED.test(hit[0]) &&
      !/[\w.-]/.test(text.charAt(hit.index - 1)) &&
      SSN_WORD.test(lineBefore(text, hit.index, SSN_UNITS))
    )
      spans.push({ start: hit.index, end: hit.index + hit[0].length, kind: 'ssn' });
}

function phrases(...sources: readonly string[]): RegExp {
  return new RegExp(sources.map((one) => one.replaceAll(' ', '[ \\t]')).join('|'), 'gi');
}

/**
 * Phrases that address a model rather than a person. They are counted, never removed: a detector misses too
 * much to promise anything, and text that a person can see stays. Each is searched for by a rare word, with a
 * bounded look back from there.
 */
const PHRASES: readonly RegExp[] = [
  phrases(
    '(?:instruction|prompt)(?<=\\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|of|the|your|my|these|those) ){0,4}(?:previous|prior|above|preceding|earlier|former|system) (?:\\w{1,20} ){0,2}(?:instruction|prompt))',
    '(?:instruction|prompt)(?<=\\b(?:reveal|print|repeat|output|show|leak) (?:me )?(?:your|the) (?:system|initial|hidden) (?:instruction|prompt))',
    'instruction(?<=\\b(?:new|updated|important|real) (?:system )?instruction)s? (?:for|to) (?:the )?(?:ai|assistant|agent|model|llm)\\b',
  ),
  // Three in one pass, by the ends of their rare words.
  phrases(
    "[glw] (?:(?<=\\b(?:disregard|ignore|forget) (?:every|any)thing )(?:above|before|you)\\b|(?<=\\b(?:do not|don[’']t|never) tell )(?:the|your) (?:user|human|operator)\\b|(?<=\\byou are now )(?:a|an|in|the|no) \\w{1,20} (?:mode|assistant|agent|ai|model)\\b)",
  ),
];
/** Marks of model training formats, and the beginnings that all of them share. */
const MARKS = phrases('<\\|(?:im_start|im_end|system|endoftext)\\|>', '\\[/?INST\\]', '<</?SYS>>');
const MARK_BEGINNINGS = ['<|', '<<', '[I', '[i', '[/'];

function findInstructions({ text, from }: ScanWindow): number[] {
  const places: number[] = [];
  const hasMarks = MARK_BEGINNINGS.some((beginning) => text.includes(beginning, from));
  for (const phrase of hasMarks ? [...PHRASES, MARKS] : PHRASES) {
    for (let hit = execAt(phrase, text, from); hit !== null; hit = phrase.exec(text)) places.push(hit.index);
  }
  return places;
}

/** The maximum that is held back: a line up to this many units is cleaned whole. */
export const WINDOW_UNITS = 16_384;
const HALF_UNITS = WINDOW_UNITS / 2;
/** Raw text before a cut within a line, as context for its continuation. */
const CONTEXT_UNITS = 64;
const SELECTOR = /[\uFE00-\uFE0F]/;
/** Far more than any text needs. */
const SETTLE_ROUNDS = 8;
/** How a secret longer than a window continues. */
const SECRET_REST = /^[^\s"'`<>«»]*/;

/** Fields are read with the text of earlier lines: the same amount wherever the stream was cut. */
function findFieldsAfter(earlier: string, text: string, from: number): Span[] {
  const spans: Span[] = [];
  const window = { text: earlier + text, from: earlier.length + from };
  findFields(window, spans);
  return spans.map((span) => ({
    ...span,
    start: span.start - earlier.length,
    end: span.end - earlier.length,
  }));
}

/** @param earlier the text before `text`, at most {@link FIELD_CONTEXT_UNITS} */
function findSecrets(earlier: string, text: string, from: number): Span[] {
  const spans: Span[] = [];
  const values: Span[] = [];
  const window = { text, from, earlier };
  findTokens(window, spans, values);
  findKeyValues(window, spans);
  findByPlace(window, spans);
  findNeighbours(window, spans);
  findIbans(window, spans);
  findSsns(window, spans);
  spans.push(...findFieldsAfter(earlier, text, from));
  spans.push(...values);
  // A variation selector is removed with the character that it varies.
  return mergeSpans(spans).map((span) =>
    SELECTOR.test(text.charAt(span.end)) ? { ...span, end: span.end + 1 } : span,
  );
}

/**
 * Cleans text that arrives in chunks. Its output does not depend on where the chunks were cut: no rule looks
 * beyond a line, so whole lines are cleaned in batches, and a line longer than {@link WINDOW_UNITS} is cut at
 * places that its own text determines. A secret is seen whole if it is shorter than half a window; for a
 * longer one, everything up to the next space is removed. Private keys span lines and have their own state.
 */
export class TextStream {
  readonly #invisible: InvisibleFilter;
  readonly #privateKey = new PrivateKeyState();
  readonly #columns = new ColumnState();
  #held = '';
  /** The raw end of the current line's text passed on so far; '' at the start of a line. */
  #context = '';
  /** Raw text before the context: a field's name may be on a line before its value. */
  #earlier = '';
  /** The line continues inside a secret that was longer than a window. */
  #isInSecret = false;

  constructor(private readonly tally: Tally) {
    this.#invisible = new InvisibleFilter(tally);
  }

  /** Takes a chunk; returns the text that is now final. */
  push(chunk: string): string {
    const visible = this.#invisible.push(chunk);
    const isStill = this.#held.length + visible.length < WINDOW_UNITS && !visible.includes('\n');
    this.#held += visible;
    return isStill ? '' : this.#drain(false);
  }

  /** The text has ended: returns what was held. */
  flush(): string {
    this.#held += this.#invisible.flush();
    return this.#drain(true);
  }

  #drain(isEnd: boolean): string {
    const text = this.#held;
    let out = '';
    let done = 0;
    while (done < text.length) {
      const isShort = text.length - done < WINDOW_UNITS;
      // Only in the window: a long text without a line break would be searched to its start each time.
      const lineEnd = done + text.slice(done, done + WINDOW_UNITS).lastIndexOf('\n') + 1;
      // The rest of a window that was read is read with the next.
      if (isShort && !isEnd && (lineEnd <= done || done > 0)) break;
      if (lineEnd > done || isShort) {
        const end = lineEnd > done ? lineEnd : text.length;
        out += this.#clean(text.slice(done, end), false).cleaned;
        done = end;
      } else {
        const end = done + WINDOW_UNITS - (isHighSurrogate(text, done + WINDOW_UNITS - 1) ? 1 : 0);
        const piece = this.#clean(text.slice(done, end), true);
        out += piece.cleaned;
        done += piece.taken;
      }
    }
    this.#held = text.slice(done);
    return out;
  }

  /**
   * Cleans whole lines, or (`isPart`) the first half of a window that a line fills; the other half is read
   * only so that secrets which start in the first are seen whole.
   */
  #clean(window: string, isPart: boolean): { readonly cleaned: string; readonly taken: number } {
    const context = this.#context.length;
    const from = context + this.#skipSecretRest(window);
    const text = this.#context + window;
    const found = from < text.length ? findSecrets(this.#earlier, text, from) : [];
    const cut = isPart ? Math.max(chooseCut(text, context, found), from) : text.length;
    const lines = { text, from, to: cut };
    const begun = found.filter((span) => span.start < cut);
    const spans = this.#columns.apply(lines, this.#privateKey.apply(lines, begun));
    for (const start of findInstructions({ text, from })) if (start < cut) this.tally.instruction();
    if (isPart && spans.at(-1)?.end === text.length) this.#isInSecret = true;
    const before = text.slice(0, context);
    let cleaned = this.#replace(text.slice(0, cut), from, spans);
    if (spans.length > 0) cleaned = this.#settle(before, cleaned);
    const contextStart = text.endsWith('\n') ? cut : Math.max(0, cut - CONTEXT_UNITS);
    this.#context = text.slice(contextStart, cut);
    this.#earlier = (this.#earlier + text.slice(0, contextStart)).slice(-FIELD_CONTEXT_UNITS);
    return { cleaned, taken: cut - context };
  }

  /**
   * A placeholder is a boundary that the secret was not, so another rule may now apply next to it. Cleaning
   * until nothing changes makes the result stable.
   */
  #settle(before: string, cleaned: string): string {
    let settled = cleaned;
    for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
      const spans = findSecrets(this.#earlier, before + settled, before.length);
      if (spans.length === 0) break;
      settled = this.#replace(before + settled, before.length, spans);
    }
    return settled;
  }

  /** Units at the start of a window that still belong to a secret longer than the last one. */
  #skipSecretRest(window: string): number {
    if (!this.#isInSecret) return 0;
    const skipped = SECRET_REST.exec(window)?.[0].length ?? 0;
    this.#isInSecret = skipped === window.length;
    return skipped;
  }

  #replace(text: string, from: number, spans: readonly Span[]): string {
    let out = '';
    let done = from;
    for (const span of spans) {
      const quote = span.quote ?? '';
      out += text.slice(done, span.start);
      if (span.isRest !== true) out += quote + this.tally.secret(span.kind) + quote;
      done = span.end;
    }
    return out + text.slice(done);
  }
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

const isBlank = (unit: number): boolean => unit <= 32 || (unit > 127 && /\s/.test(String.fromCharCode(unit)));

/** Where to end a part of a line: between words near the middle of the window, never in a secret. */
function chooseCut(text: string, context: number, spans: readonly Span[]): number {
  const middle = context + HALF_UNITS;
  let cut = middle;
  while (cut > middle - HALF_UNITS / 2 && !isBlank(text.charCodeAt(cut - 1))) cut -= 1;
  if (cut === middle - HALF_UNITS / 2) cut = isHighSurrogate(text, middle - 1) ? middle - 1 : middle;
  for (const span of spans) if (span.start < cut && span.end > cut) cut = span.end;
  return cut;
}

/** Names, labels and addresses, of which lists have millions, pass this one test instead of a dozen. */
const SUSPECT =
  /[\n=@%<[|]|[({]\\{0,7}["'`]|[^\t\n\r -~]|:(?!\/\/)|-----|[\w/+\\-]{13}|\d{4}[ -]?\d{4}|\d[- ]\d\d[- ]\d|(?:earer|asic|oken|igest)[ \t]|prompt|nstruction|assw|asscode|phrase|pwd|secret|token|[ _-]key|\bpin\b|\botp\b|cvv|cvc|insert |dentified by|[ ]-[pawP]|thing[ \t]|tell[ \t]|are[ \t]now|[dteypsnrv]["'`*_)]{0,3} (?:is|was) /i;
const SHORT_UNITS = 256;

/** Cleans one whole text at once. */
export function cleanText(text: string, tally: Tally): string {
  return text.length <= SHORT_UNITS && !SUSPECT.test(text) ? text : cleanAnyText(text, tally);
}

/** {@link cleanText} without its shortcut. */
export const cleanAnyText = (text: string, tally: Tally): string =>
  atOnce(cleanPieces(text, new TextStream(tally)));

/** {@link cleanText} in parts, for a text of any size. */
export function* cleanLongText(text: string, tally: Tally): Work<string> {
  return isLong(text) ? yield* cleanPieces(text, new TextStream(tally)) : cleanText(text, tally);
}
