import type { JsonValue } from '../../../shared/json.ts';
import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import type { PageRead } from './source.ts';

/*
 * What tells the text of a page from that of another: the hash of its words, without links and without
 * what only repeats the address.
 */

const PROSE_BOUNDS = {
  /** Longest part of a text that is looked at. */
  text: 65_536,
  /** Link texts that are left out of formats that do not mark links. */
  links: 300,
} as const;

/** What is left out of a text, in addition to its links. */
export interface Omitted {
  /** Words of the page's address and of the addresses in its space that it links to, in lower case. */
  readonly words: ReadonlySet<string>;
  /** Words that hold a digit. */
  readonly numbers: boolean;
  /** Names of months and days. */
  readonly dates: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const DIGIT = /\p{N}/u;

/** The words of a text, in lower case. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** Hash of the words of a text in order, but for what is left out. */
export function textHash(text: string, { words, numbers, dates }: Omitted): number {
  const names = dates ? dateNames() : null;
  const isLeftOut = (word: string): boolean =>
    words.has(word) || (numbers && DIGIT.test(word)) || names?.has(word) === true;
  return hashOf(
    wordsOf(text)
      .filter((word) => !isLeftOut(word))
      .join(' '),
  );
}

/** 32 bits of a text (FNV-1a, mixed as the end of MurmurHash3 does it). */
export function hashOf(text: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < text.length; at += 1) hash = step(hash, text.charCodeAt(at));
  return mix(hash);
}

const FNV_BASIS = 0x811c9dc5;
const step = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The title and text of a page without the text of its links. */
export function proseOf({ facts, content, links }: PageRead, format: CrawlFormat): string {
  const text = typeof content === 'string' ? content : content.map((value) => stringsOf(value)).join('\n');
  const begin = text.slice(0, PROSE_BOUNDS.text);
  const prose =
    format === 'markdown' ? withoutMarkdownLinks(begin) : format === 'html' ? withoutTags(begin) : begin;
  const isMarked = format === 'markdown' || format === 'html';
  return `${facts.title}\n\n${isMarked ? prose : withoutTexts(prose, links)}`;
}

const MARKDOWN_LINK = /!?\[(?:[^[\]\\]|\\.)*\]\((?:<[^<>]*>|[^()\s<>]*)(?:\s+"[^"]*")?\)/g;

/** Pictures first, since a link may hold one. */
const withoutMarkdownLinks = (text: string): string =>
  text.replace(MARKDOWN_LINK, ' ').replace(MARKDOWN_LINK, ' ');

const withoutTags = (html: string): string =>
  html
    .replace(/<(a|script|style)\b[^>]*>[^]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[a-z]+;/gi, ' ');

function withoutTexts(text: string, links: PageRead['links']): string {
  const texts = new Set(links.map((link) => link.text?.trim() ?? '').filter((each) => each !== ''));
  const longestFirst = [...texts].sort((one, other) => other.length - one.length);
  let rest = text;
  for (const each of longestFirst.slice(0, PROSE_BOUNDS.links)) rest = rest.replaceAll(each, ' ');
  return rest;
}

function stringsOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value)
    .map((each) => stringsOf(each))
    .join('\n');
}

const LANGUAGES =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );
let names: ReadonlySet<string> | null = null;

/** Names of months and days in the languages that most pages are written in, long and short. */
export function dateNames(): ReadonlySet<string> {
  return (names ??= new Set(LANGUAGES.flatMap(namesIn)));
}

function namesIn(language: string): readonly string[] {
  const formats = (['long', 'short'] as const).flatMap((style) => [
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: style, day: 'numeric' }),
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: style }),
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: style }),
  ]);
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1 + month)));
  return formats.flatMap((format) =>
    days.flatMap((day) =>
      format
        .formatToParts(day)
        .filter(({ type }) => type === 'month' || type === 'weekday')
        .flatMap(({ value }) => wordsOf(value)),
    ),
  );
}
