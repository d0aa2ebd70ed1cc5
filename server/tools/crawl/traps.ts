import { isObject, isJsonList } from '../../../shared/json.ts';
import type { CleanJson, CleanRecord, CleanText } from '../../redact/clean.ts';
import { isToken, keyOf, type Address } from './address.ts';

/*
 * Traps: addresses without an end. Two kinds of signs are used.
 *
 * By the address alone: longer than a browser's bar, very deep, a part of the path that comes again
 * and again.
 *
 * By what the pages bring: addresses that differ only in a date, a page number, a session's token or
 * another number share a *pattern*. A pattern whose last pages brought nothing new is closed, and its
 * further addresses are not read. What is new is judged with numbers, names of months and days, and
 * tokens left out where the pattern is of dates, page numbers or tokens; else by the content as it is.
 */

export const TRAP_BOUNDS = {
  /** Longest address that is followed. */
  addressLength: 2_048,
  pathSegments: 32,
  /** How often one segment of a path may come in it, and a sequence of segments in a row. */
  repeats: 3,
  /** Pages without anything new after which a pattern is closed. */
  stale: { calendar: 12, session: 8, pagination: 30, numbers: 40 },
  /** Contents of a pattern that are remembered to tell what is new. */
  remembered: 8,
} as const;

export type PatternKind = keyof typeof TRAP_BOUNDS.stale;
export type TrapKind = PatternKind | 'long_address' | 'deep_path' | 'repeating_path';

/** Addresses that differ only in what varies: dates, numbers, tokens. */
export interface Pattern {
  readonly key: CleanText;
  readonly kind: PatternKind;
}

const CALENDAR_NAMES =
  /^(?:year|month|day|date|week|yr|mon|from|to|start_?date|end_?date|cal|calendar|view_?date)$/i;
const PAGE_NAMES =
  /^(?:page|p|pg|paged|pageno|offset|start|skip|cursor|after|before|limit|per_?page|index)$/i;
const DATE = /^\d{4}(?:[-_.]\d{1,2}(?:[-_.]\d{1,2})?)?$|^\d{1,2}[-_.]\d{4}$/;
const YEAR = /^(?:1[89]|2[0-9]|3[0-9])\d{2}$/;
const NUMBER = /^\d+$/;

/** What the address alone gives away, or null. */
export function findPathTrap({ href, url }: Address): TrapKind | null {
  if (href.length > TRAP_BOUNDS.addressLength) return 'long_address';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > TRAP_BOUNDS.pathSegments) return 'deep_path';
  return repeats(segments) ? 'repeating_path' : null;
}

function repeats(segments: readonly string[]): boolean {
  if (segments.length <= TRAP_BOUNDS.repeats) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > TRAP_BOUNDS.repeats) return true;
    counts.set(segment, count);
  }
  for (let length = 1; length * TRAP_BOUNDS.repeats <= segments.length; length += 1)
    if (hasCycle(segments, length)) return true;
  return false;
}

/** Whether a sequence of `length` segments comes `repeats` times in a row. */
function hasCycle(segments: readonly string[], length: number): boolean {
  let same = 0;
  for (let at = length; at < segments.length; at += 1) {
    same = segments[at] === segments[at - length] ? same + 1 : 0;
    if (same >= length * (TRAP_BOUNDS.repeats - 1)) return true;
  }
  return false;
}

/** The pattern of an address, or null when nothing in it varies. */
export function patternOf({ url }: Address): Pattern | null {
  const kinds = new Set<PatternKind>();
  const segments = url.pathname.split('/').map((segment) => generalise(segment, kinds));
  const names = [...url.searchParams].map(([name, value]) => {
    kinds.add(kindOfParameter(name, value));
    return name;
  });
  const kind = (['session', 'calendar', 'pagination', 'numbers'] as const).find((each) => kinds.has(each));
  if (kind === undefined) return null;
  return { key: keyOf(`${url.host}${segments.join('/')}?${names.sort().join('&')}`), kind };
}

function generalise(segment: string, kinds: Set<PatternKind>): string {
  if (DATE.test(segment) && (segment.length > 4 || YEAR.test(segment))) {
    kinds.add('calendar');
    return '{date}';
  }
  if (NUMBER.test(segment)) {
    kinds.add('numbers');
    return '{n}';
  }
  if (isSessionSegment(segment)) {
    kinds.add('session');
    return '{token}';
  }
  return segment;
}

/** `s-8f3a…`, `(S(lit3py55t21z5v55vlm25s55))`, `;sid=…`: random, and longer than a word of an address. */
function isSessionSegment(segment: string): boolean {
  const value = segment.replace(/^.*[;=(]/, '').replace(/\)+$/, '');
  const digits = value.replace(/\D/g, '').length;
  return value.length >= 12 && digits >= 3 && !/[-_.].*[-_.]/.test(value) && isToken(value);
}

function kindOfParameter(name: string, value: string): PatternKind {
  if (CALENDAR_NAMES.test(name) && /\d/.test(value)) return 'calendar';
  if (PAGE_NAMES.test(name)) return 'pagination';
  return isSessionSegment(value) ? 'session' : 'numbers';
}

const MONTHS_AND_DAYS =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b/gi;
const WORD_WITH_DIGITS = /[\p{L}\p{N}_-]*\d[\p{L}\p{N}_-]*/gu;
/** Enough to tell pages apart, even long ones. */
const COMPARED_LENGTH = 65_536;

/** What tells a page of a pattern from the others of it. */
export function shapeOf(kind: PatternKind, content: string, contentHash: string): CleanText {
  if (kind === 'numbers') return keyOf(contentHash);
  const text = content.slice(0, COMPARED_LENGTH).replace(WORD_WITH_DIGITS, '').replace(MONTHS_AND_DAYS, '');
  return keyOf(text.replace(/\s+/g, ' '));
}

/** What is known of a pattern, as it is in the run's state. */
export interface PatternRecord extends CleanRecord {
  readonly stale: number;
  readonly shapes: readonly CleanText[];
}

export const NEW_PATTERN: PatternRecord = { stale: 0, shapes: [] };

/** The record after a page with this shape was read. */
export function withPage(record: PatternRecord, shape: CleanText): PatternRecord {
  if (record.shapes.includes(shape)) return { ...record, stale: record.stale + 1 };
  return { stale: 0, shapes: [...record.shapes, shape].slice(-TRAP_BOUNDS.remembered) };
}

export function isClosed(kind: PatternKind, record: PatternRecord): boolean {
  return record.stale >= TRAP_BOUNDS.stale[kind];
}

/** Reads back what this module wrote. */
export function parsePatternRecord(value: CleanJson | undefined): PatternRecord {
  if (!isObject(value)) return NEW_PATTERN;
  const { stale, shapes } = value;
  if (typeof stale !== 'number' || !isJsonList(shapes)) return NEW_PATTERN;
  return { stale, shapes: shapes.filter((shape) => typeof shape === 'string') };
}
