import type { Readability } from '@mozilla/readability';
import type { ArticleFacts } from '../../../../shared/core/bridge/page.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../shared/base/json.ts';
import { squash } from '../../../dom/elements.ts';
import { parseLeniently, unescaped } from '../../../dom/lenient-json.ts';
import { escapeMarkdown } from '../write/escape.ts';
import { escapeText } from '../write/html.ts';

type Parsed = NonNullable<ReturnType<Readability<Element>['parse']>>;

export interface KnownArticle {
  readonly facts: ArticleFacts;
  readonly heading: Element | null;
  readonly host: string;
}

/** A heading that may be the title. */
export interface Heading {
  readonly live: Element;
  readonly text: string;
}

const MAX_TITLE_UNITS = 500;
const MAX_FACT_UNITS = 200;
const ARTICLE_TYPE = /(?:Article|Posting|Report)$/;
/** A heading and the page's data name one title if the shorter has at least this share of the longer. */
const MIN_LIKENESS = 0.3;
const DATES =
  '[itemprop=datePublished],meta[name="date" i],meta[name="pubdate" i],meta[name="dc.date" i],meta[name="dc.date.issued" i],time[pubdate]';
const BY = /^(?:(?:written|posted|published|reported|words) )?(?:by|von|par|por|door|av)\b[\s:]*/iu;
/** A date, or a separator. */
const AFTER_NAMES =
  /[\s,(–—-]*(?:[|·•]|\b(?:published|updated|posted|on)\b|(?:\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? )?\d).*$/iu;

/**
 * The page's facts about its article: from JSON-LD, else meta elements, else its text. The title is the heading that
 * matches, since a page's data often adds the site's name.
 */
export function articleFacts(
  document: Document,
  found: Partial<Pick<Parsed, 'title' | 'byline' | 'publishedTime' | 'siteName'>> | null,
  headings: readonly Heading[],
): KnownArticle {
  const json = articleJson(document) ?? {};
  const { title: foundTitle, byline: foundByline, publishedTime, siteName } = found ?? {};
  const site = firstOf(formatJsonLd(json['publisher']), siteName);
  const wanted = firstOf(formatJsonLd(json['headline']), foundTitle);
  const heading = titleHeading(headings, wanted, site);
  const title = cut(heading?.text ?? wanted, MAX_TITLE_UNITS);
  const byline = bylineOf(firstOf(formatJsonLd(json['author']), foundByline));
  const published = firstOf(formatJsonLd(json['datePublished']), publishedTime, dateIn(document, heading));
  const values = { title: title.toWellFormed(), byline, published, site };
  const facts: ArticleFacts = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
  const host = hostOf(
    document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? document.baseURI,
  );
  return { facts, heading: heading?.live ?? null, host };
}

const firstOf = (...texts: readonly (string | null | undefined)[]): string =>
  cut(
    texts.map((text) => squash(text ?? '')).find((text) => text !== '') ?? '',
    MAX_TITLE_UNITS,
  ).toWellFormed();

/** The first article in the page's JSON-LD. */
function articleJson(document: Document): JsonObject | null {
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const found = findArticle(parseLeniently(script.textContent));
    if (found !== null) return found;
  }
  return null;
}

const MAX_DEPTH = 24;

function findArticle(value: unknown, depth = 0): JsonObject | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const each of values) {
    if (!isObject(each)) continue;
    const types = [each['@type']].flat();
    if (types.some((type) => typeof type === 'string' && ARTICLE_TYPE.test(type))) return each;
    const parts = [each['@graph'], each['mainEntity']].flat();
    const inner = depth < MAX_DEPTH ? findArticle(parts, depth + 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** The text of a JSON-LD value: a text, something with a name, or several of them. */
function formatJsonLd(value: JsonValue | undefined): string {
  if (typeof value === 'string') return unescaped(value);
  if (Array.isArray(value))
    return [...new Set(value.map(formatJsonLd))].filter((name) => name !== '').join(', ');
  return isObject(value) ? formatJsonLd(value['name']) : '';
}

/** Only letters and digits: quotation marks and dashes differ between a heading and a page's data. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The heading most like the title, else the page's only `h1`. */
function titleHeading(headings: readonly Heading[], title: string, site: string): Heading | null {
  const wanted = plain(title);
  let best: Heading | null = null;
  let most = 0;
  for (const heading of headings) {
    const text = plain(heading.text);
    if (text === '' || !(wanted.includes(text) || text.includes(wanted))) continue;
    const likeness = Math.min(text.length, wanted.length) / Math.max(text.length, wanted.length);
    if (likeness < MIN_LIKENESS || likeness <= most) continue;
    best = heading;
    most = likeness;
  }
  if (best !== null) return best;
  const [first, ...others] = headings.filter(({ live }) => live.localName === 'h1');
  return first === undefined || others.length > 0 || plain(first.text) === plain(site) ? null : first;
}

/** Names alone: no address, date or introduction. */
function bylineOf(text: string): string {
  const names = text.replace(BY, '').replace(AFTER_NAMES, '');
  return /^https?:/i.test(text) || !/\p{L}/u.test(names) ? '' : cut(names, MAX_FACT_UNITS);
}

/** The date marked as the article's, else the first one near the title. */
function dateIn(document: Document, heading: Heading | null): string {
  const near = heading?.live.closest('article,main,header') ?? document;
  const times = [...near.querySelectorAll('time')].filter((time) => time.closest('aside,nav') === null);
  const marked = document.querySelector(DATES) ?? times[0];
  const date = ['content', 'datetime'].map((name) => marked?.getAttribute(name)).find((text) => text);
  const text = squash(date ?? marked?.textContent ?? '');
  return /\d/.test(text) && text.length <= MAX_FACT_UNITS ? text : '';
}

/** The head of an article in Markdown or HTML: its title, and a line with byline and date. */
export function writeHead({ title = '', byline, published }: ArticleFacts, format: string): string {
  const day = published?.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');
  const line = [byline, day].filter((part) => part !== undefined).join(' · ');
  if (format === 'markdown') {
    const parts = [title && `# ${escapeMarkdown(title, ' ')}`, line && escapeMarkdown(line, '')];
    return parts.filter((part) => part !== '').join('\n\n');
  }
  if (format !== 'html') return '';
  return (title && `<h1>${escapeText(title)}</h1>\n`) + (line && `<p>${escapeText(line)}</p>\n`);
}

/** The host of an address, without `www.`; empty if there is none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : '';
}
