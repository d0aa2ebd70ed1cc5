import type { CleanText } from '../../redact/clean.ts';
import { isToken, keyOf, type Address } from './address.ts';
import { dateNames, hashOf, wordsOf } from './prose.ts';

/*
 * A space is a set of addresses that differ only in what varies: dates, numbers, tokens, the values of
 * the query. Its template shows them as `{date}`, `{n}`, `{token}`. Variable segments in a row are one,
 * so that months and days of a calendar share a space, and the order of parameters does not matter.
 */

/** In order of precedence: the first kind of value in an address is the kind of its space. */
const KINDS = ['session', 'calendar', 'epoch', 'facets', 'pagination', 'numbers'] as const;
export type SpaceKind = (typeof KINDS)[number] | 'names' | 'growing_path';

/** One space that an address belongs to. */
export interface Space {
  /** Key of its record in the run's state. */
  readonly key: CleanText;
  readonly kind: SpaceKind;
  /** For people: host, path and names of the query. */
  readonly template: string;
  /** Hashes of what its addresses combine, any of which is read once: parameters with values, names of segments, what follows a token. */
  readonly parts: readonly number[];
}

type Value = 'date' | 'epoch' | 'token' | 'number' | 'word';

const CALENDAR_NAMES =
  /^(?:year|month|day|date|week|yr|mon|from|to|start_?date|end_?date|cal|calendar|view_?date)$/i;
const PAGE_NAMES =
  /^(?:page|p|pg|paged|pageno|offset|start|skip|cursor|after|before|limit|per_?page|index)$/i;
const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
/** 2026, 2026-11, 2026-11-20, 11-2026, 2026-W47, 202611, 20261120 and times of day after them. */
const DATE = new RegExp(
  `^(?:(?:1[89]|2[0-3])\\d{2}(?:[-_.]?w\\d{1,2}(?:-?\\d)?|[-_.]\\d{1,2}(?:[-_.]\\d{1,2})?|${MONTH}(?:${DAY})?)?|\\d{1,2}[-_.](?:\\d{1,2}[-_.])?\\d{4})(?:t[\\d:.]+z?)?$`,
  'i',
);
const DATE_WITHIN = /(?<!\d)(?:1[89]|2[0-3])\d{2}[-_]\d{1,2}(?:[-_]\d{1,2})?(?!\d)/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Seconds since 1970 of the years 2001 to 2039; milliseconds have three more digits. */
const EPOCH = /^(?:1\d{9}|2[01]\d{8})(?:\d{3})?$/;
/** A secret, as it is stored. */
const REDACTED = /(?:«|%C2%AB)redacted(?::|%3A)/i;
/** A slug has at least three words. */
const SLUG = /^[^-_]+(?:[-_][^-_]+){2,}$/;

/** The spaces of an address: by its own shape or its folder, by what it combines, and by the path that it grows from. */
export function spacesOf(address: Address): readonly Space[] {
  const segments = segmentsOf(address.url);
  const own = ownSpaces(address, segments);
  return [...(own.length > 0 ? own : namesSpaces(address, segments)), ...growingSpaces(address, segments)];
}

const segmentsOf = ({ pathname }: URL): readonly string[] =>
  pathname.split('/').filter((segment) => segment !== '');

/** Whether an address is deeper in the folder of another. */
export function isBelow({ url }: Address, { url: above }: Address): boolean {
  const folder = above.pathname.replace(/[^/]*$/, '');
  const isInside = url.host === above.host && url.pathname.startsWith(folder);
  return isInside && segmentsOf(url).length > segmentsOf(above).length;
}

function ownSpaces({ url }: Address, segments: readonly string[]): readonly Space[] {
  const kinds = new Set<SpaceKind>();
  const path = generalisePath(segments, kinds);
  const parameters = [...url.searchParams];
  for (const [name, value] of parameters) kinds.add(kindOf(name, value, parameters.length));
  const kind = KINDS.find((each) => kinds.has(each));
  if (kind === undefined) return [];
  const names = [...new Set(parameters.map(([name]) => name))].sort();
  const token = parameters.length === 0 ? path.indexOf('{token}') : -1;
  const shape = token === -1 ? path : path.slice(0, token + 1);
  const base = `${url.host}/${shape.join('/')}${token !== -1 && token < path.length - 1 ? '/**' : ''}`;
  const template = names.length === 0 ? base : `${base}?${names.map((name) => `${name}={}`).join('&')}`;
  const after = token === -1 ? [] : [hashOf(path.slice(shape.length).join('/'))];
  const own = { key: keyOf(template), kind, template, parts: after };
  if (parameters.length < 2 || (kind !== 'facets' && kind !== 'pagination')) return [own];
  // Facets show the same things in ever other combinations.
  const parts = [...new Set(parameters.map(([name, value]) => hashOf(`${name}=${value}`)))];
  return [own, { key: keyOf(`${base}?*`), kind, template: `${base}?*`, parts }];
}

/** Names in one folder: random ones may look like words. */
function namesSpaces({ url }: Address, segments: readonly string[]): readonly Space[] {
  if (segments.length === 0) return [];
  const template = `${[url.host, ...segments.slice(0, -1)].join('/')}/*`;
  return [{ key: keyOf(template), kind: 'names', template, parts: [] }];
}

/** Folders that hold each other again and again have the same names on each level. */
function growingSpaces({ url }: Address, segments: readonly string[]): readonly Space[] {
  if (segments.length < 2) return [];
  const template = `${url.host}/**/`;
  const parts = [...new Set(segments.map((segment) => hashOf(generalise(segment).shape)))];
  return [{ key: keyOf(template), kind: 'growing_path', template, parts }];
}

function generalisePath(segments: readonly string[], kinds: Set<SpaceKind>): readonly string[] {
  const path: string[] = [];
  for (const segment of segments) {
    const { shape, value } = generalise(segment);
    const before = path.at(-1);
    // The month and the day after a year; a number after a number.
    if (before === '{date}' && (shape === '{n}' || dateNames().has(decoded(segment)))) continue;
    if (before === '{n}' && shape === '{n}') continue;
    if (value !== 'word') {
      kinds.add(kindOfSegment(value));
      if (shape !== before) path.push(shape);
    } else path.push(before === '{date}' && SLUG.test(segment) ? '{slug}' : segment);
  }
  return path;
}

function kindOfSegment(value: Exclude<Value, 'word'>): SpaceKind {
  if (value === 'token') return 'session';
  if (value === 'date') return 'calendar';
  return value === 'epoch' ? 'epoch' : 'numbers';
}

function generalise(segment: string): { readonly shape: string; readonly value: Value } {
  const value = valueOf(segment);
  if (value === 'date') return { shape: '{date}', value };
  if (value === 'epoch' || value === 'number') return { shape: '{n}', value };
  if (value === 'token') return { shape: '{token}', value };
  if (DATE_WITHIN.test(segment) || isNamedDate(segment)) return { shape: '{date}', value: 'date' };
  // `part-17`, `page3` and `week_47` vary; a number in a longer slug is a part of its name.
  if (/\d/.test(segment) && !SLUG.test(segment))
    return { shape: segment.replace(/\d+/g, '{n}'), value: 'number' };
  return { shape: segment, value };
}

function valueOf(text: string): Value {
  if (DATE.test(text)) return 'date';
  if (EPOCH.test(text)) return 'epoch';
  if (NUMBER.test(text)) return 'number';
  return isRandom(text) ? 'token' : 'word';
}

/** `november-2026`, `20-nov-2026`. */
function isNamedDate(segment: string): boolean {
  const words = /\d{4}/.test(segment) ? wordsOf(decoded(segment).replaceAll('_', ' ')) : [];
  const isNumber = (word: string): boolean => NUMBER.test(word);
  return (
    words.length > 1 &&
    words.length <= 4 &&
    words.some((word) => !isNumber(word)) &&
    words.every((word) => isNumber(word) || dateNames().has(word))
  );
}

/** `s-8f3a…`, `(S(lit3py55t21z5v55vlm25s55))`, `;sid=…`, a UUID: random, and longer than a word of an address. */
function isRandom(segment: string): boolean {
  if (REDACTED.test(segment)) return true;
  const value = segment.replace(/^.*[;=(]/, '').replace(/\)+$/, '');
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value)) return true;
  const digits = value.replace(/\D/g, '').length;
  if (/[-_.].*[-_.]/.test(value) || !isToken(value)) return false;
  const runs = value.match(/\d+|\D+/g)?.length ?? 0;
  return value.length >= 12 ? digits >= 3 : runs >= 5;
}

function kindOf(name: string, text: string, parameters: number): SpaceKind {
  if (CALENDAR_NAMES.test(name) && /\d/.test(text)) return 'calendar';
  if (PAGE_NAMES.test(name)) return 'pagination';
  const value = valueOf(text);
  if (value === 'token') return 'session';
  if (value === 'epoch') return 'epoch';
  // A number as short as a year or a month with its year is more often an identifier.
  if (value === 'date' && !/^\d{4}$|^\d{6}$/.test(text)) return 'calendar';
  return value === 'word' || parameters > 1 ? 'facets' : 'numbers';
}

/** A part of an address without percent-encoding, in lower case. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
