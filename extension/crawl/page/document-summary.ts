import { cut, withoutFragment } from '../../../shared/base/cut.ts';
import { isHtml, squash } from '../../dom/elements.ts';
import { elementsIn } from '../../dom/trees.ts';
import { isShown, shownTextIn } from '../../dom/visible.ts';
import { ownUrl } from '../../dom/media.ts';
import type { PageLink, DocumentSummary } from '../../core/page/protocol.ts';

const MAX_TEXT_UNITS = 160;
const MAX_TITLE_UNITS = 1_024;
const MAX_URL_UNITS = 8_192;
/** Larger pages name more links than any crawl follows, and each is kept until the page is done. */
const MAX_LINKS = 50_000;

/** The facts found so far, and the address of their page. */
interface FoundFacts {
  readonly own: string;
  readonly links: Map<string, PageLink>;
  readonly robots: Set<string>;
  canonical: string | null;
}

/** An address, and the header that leads on from it. */
interface SummaryAnswer {
  readonly url: string;
  readonly refresh: string | null;
}

/**
 * Collects links from shadow trees and same-origin frames too: of `a`, `area`, `link rel=next` and `prev`, `frame`, `meta http-equiv=refresh`
 * and feeds; absolute, without fragment, without duplicates, in document order. Links to a place in the page are left out. A
 * page-wide `nofollow` is in `robots`.
 * @param answer of a document that was not loaded in a tab: there, the browser follows the header
 */
export function summarizeDocument(document: Document, answer?: SummaryAnswer): DocumentSummary {
  const { url, refresh } = answer ?? { url: document.URL, refresh: null };
  const found: FoundFacts = {
    own: withoutFragment(url),
    links: new Map(),
    robots: new Set(),
    canonical: null,
  };
  const target = refreshTarget(refresh ?? '');
  // The header comes before any `<base>`.
  if (target !== null) putLink(found, webUrl(target, url), { text: '', rel: 'refresh' });
  for (const el of elementsIn(document)) {
    survey(el, found);
    if (found.links.size >= MAX_LINKS) break;
  }
  const { links, robots, canonical } = found;
  return { title: titleOf(document), canonical, robots: [...robots], links: [...links.values()] };
}

function survey(el: Element, found: FoundFacts): void {
  switch (el.localName) {
    case 'a':
    case 'area':
      return addLink(found, el, el.getAttribute('href') ?? el.getAttribute('xlink:href'), relOf(el));
    case 'frame':
      return addLink(found, el, el.getAttribute('src'), 'frame');
    case 'link':
      if (!isHtml(el)) addLink(found, el, el.getAttribute('href') ?? el.textContent, relOf(el));
      else if (hasRel(el, 'canonical')) found.canonical ??= absolute(el.getAttribute('href'), el, found);
      else if (hasRel(el, 'next') || hasRel(el, 'prev'))
        addLink(found, el, el.getAttribute('href'), relOf(el));
      return;
    case 'meta':
    case 'noscript':
      return addMeta(el, found);
  }
}

function addMeta(el: Element, found: FoundFacts): void {
  const content = el.getAttribute('content') ?? '';
  if (el.getAttribute('name')?.trim().toLowerCase() === 'robots') {
    for (const part of content.toLowerCase().split(','))
      if (part.trim() !== '') found.robots.add(part.trim());
  }
  for (const meta of el.localName === 'meta' ? [el] : unscripted(el)) {
    if (meta.getAttribute('http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    const url = refreshTarget(meta.getAttribute('content') ?? '');
    if (url !== null) addLink(found, el, url, 'refresh');
  }
}

/** Elements of a `noscript` that is a text because scripts run: a crawl follows what a page has without them too. */
function unscripted(noscript: Element): Iterable<Element> {
  if (noscript.firstElementChild !== null) return [];
  return new DOMParser().parseFromString(noscript.textContent ?? '', 'text/html').querySelectorAll('meta');
}

/** The address in `5; url='/next'` (HTML standard, shared declarative refresh steps); null without one. */
function refreshTarget(content: string): string | null {
  const found = /^\s*[\d.]+\s*(?:[;,\s]\s*)(?:url\s*=\s*)?(.*)$/is.exec(content);
  const rest = found?.[1]?.trim() ?? '';
  if (rest === '') return null;
  const quote = rest.charAt(0);
  if (quote !== '"' && quote !== "'") return rest;
  const end = rest.indexOf(quote, 1);
  return end < 0 ? rest.slice(1) : rest.slice(1, end);
}

function addLink(found: FoundFacts, el: Element, raw: string | null, rel: string): void {
  const url = absolute(raw, el, found);
  const known = url === null ? undefined : found.links.get(url);
  putLink(found, url, { text: known?.text ?? linkText(el), rel });
}

function putLink(
  { links }: FoundFacts,
  url: string | null,
  { text, rel }: { text: string; rel: string },
): void {
  if (url === null) return;
  const known = links.get(url);
  // It is enough if one of them may be followed.
  if (known !== undefined && (!isNofollow(known.rel) || isNofollow(rel))) return;
  links.set(url, { url, text, ...(rel === '' ? {} : { rel }) });
}

/** An HTTP address without its fragment; null for other schemes, and for a place in the page. */
function absolute(raw: string | null, el: Element, { own }: FoundFacts): string | null {
  const trimmed = raw?.trim() ?? '';
  const isPlace = trimmed.startsWith('#');
  // An empty link leads to the base, but an empty source to nothing.
  if (raw === null || (trimmed === '' && el.localName !== 'a' && el.localName !== 'area')) return null;
  const url = webUrl(ownUrl(raw, el), el.baseURI);
  return (isPlace || trimmed === '') && url === own ? null : url;
}

function webUrl(raw: string, base: string): string | null {
  if (raw.length > MAX_URL_UNITS || !URL.canParse(raw, base)) return null;
  const url = new URL(raw, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  return url.href.length > MAX_URL_UNITS ? null : url.href;
}

const relOf = (el: Element): string => clip(el.getAttribute('rel') ?? '', MAX_TEXT_UNITS).toLowerCase();

const isNofollow = (rel = ''): boolean => rel.split(' ').includes('nofollow');

const hasRel = (el: Element, rel: string): boolean => relOf(el).split(' ').includes(rel);

const UNNAMED = new Set(['link', 'meta', 'noscript']);

function linkText(el: Element): string {
  if (UNNAMED.has(el.localName)) return '';
  if (!isShown(el)) return '';
  const own = clip(shownTextIn(el), MAX_TEXT_UNITS);
  if (own !== '') return own;
  const label = el.getAttribute('aria-label') ?? el.getAttribute('title') ?? el.getAttribute('alt');
  return clip(label ?? el.querySelector('img[alt]')?.getAttribute('alt') ?? '', MAX_TEXT_UNITS);
}

/** A feed's title is an element of its own language. */
function titleOf(document: Document): string {
  const title =
    document.title || (isHtmlDocument(document) ? '' : document.querySelector('title')?.textContent);
  return clip(title ?? '', MAX_TITLE_UNITS);
}

const isHtmlDocument = (document: Document): boolean =>
  document.documentElement !== null && isHtml(document.documentElement);

function clip(text: string, units: number): string {
  // Only the beginning of a long text is needed.
  const isLong = text.length > units * 8;
  return cut(squash(isLong ? text.slice(0, units * 8) : text), units, isLong).toWellFormed();
}
