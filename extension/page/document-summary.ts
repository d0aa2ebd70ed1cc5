import { cut } from '../../shared/cut.ts';
import { isHtml, squash } from './dom.ts';
import { ownUrl } from './write/media.ts';
import type { PageLink, DocumentSummary } from './protocol.ts';

const MAX_TEXT_UNITS = 160;
const MAX_TITLE_UNITS = 1_024;
const MAX_URL_UNITS = 8_192;
/** Larger pages name more links than any crawl follows, and each is kept until the page is done. */
const MAX_LINKS = 50_000;

/**
 * Collects links from shadow trees too: of `a`, `area`, `link rel=next` and `prev`, `frame`, `meta http-equiv=refresh`
 * and feeds; absolute, without fragment, without duplicates, in document order. A page-wide `nofollow` is in `robots`.
 */
export function summarizeDocument(document: Document): DocumentSummary {
  const links = new Map<string, PageLink>();
  const robots = new Set<string>();
  let canonical: string | null = null;
  for (const el of elementsOf(document)) {
    switch (el.localName) {
      case 'a':
      case 'area':
        addLink(links, el, el.getAttribute('href') ?? el.getAttribute('xlink:href'), relOf(el));
        break;
      case 'frame':
        addLink(links, el, el.getAttribute('src'), 'frame');
        break;
      case 'link':
        if (!isHtml(el)) addLink(links, el, el.getAttribute('href') ?? el.textContent, relOf(el));
        else if (hasRel(el, 'canonical')) canonical ??= absolute(el.getAttribute('href'), el);
        else if (hasRel(el, 'next') || hasRel(el, 'prev'))
          addLink(links, el, el.getAttribute('href'), relOf(el));
        break;
      case 'meta':
        addMeta(el, links, robots);
        break;
    }
    if (links.size >= MAX_LINKS) break;
  }
  return { title: titleOf(document), canonical, robots: [...robots], links: [...links.values()] };
}

/** Elements in document order, those of open shadow trees after their host. */
function* elementsOf(root: Document | ShadowRoot): Generator<Element> {
  for (const el of root.querySelectorAll('*')) {
    yield el;
    if (el.shadowRoot !== null) yield* elementsOf(el.shadowRoot);
  }
}

function addMeta(el: Element, links: Map<string, PageLink>, robots: Set<string>): void {
  const content = el.getAttribute('content') ?? '';
  if (el.getAttribute('name')?.trim().toLowerCase() === 'robots') {
    for (const part of content.toLowerCase().split(',')) if (part.trim() !== '') robots.add(part.trim());
  } else if (el.getAttribute('http-equiv')?.trim().toLowerCase() === 'refresh') {
    const url = refreshTarget(content);
    if (url !== null) addLink(links, el, url, 'refresh');
  }
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

function addLink(links: Map<string, PageLink>, el: Element, raw: string | null, rel: string): void {
  const url = absolute(raw, el);
  if (url === null) return;
  const known = links.get(url);
  // It is enough if one of them may be followed.
  if (known !== undefined && (!isNofollow(known.rel) || isNofollow(rel))) return;
  links.set(url, { url, text: known?.text ?? textOf(el), ...(rel === '' ? {} : { rel }) });
}

/** An HTTP address without its fragment; null for other schemes. */
function absolute(raw: string | null, el: Element): string | null {
  const trimmed = raw?.trim() ?? '';
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.length > MAX_URL_UNITS) return null;
  if (!URL.canParse(trimmed, el.baseURI)) return null;
  const url = new URL(ownUrl(raw ?? '', el), el.baseURI);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  return url.href.length > MAX_URL_UNITS ? null : url.href;
}

const relOf = (el: Element): string => clip(el.getAttribute('rel') ?? '', MAX_TEXT_UNITS).toLowerCase();

const isNofollow = (rel = ''): boolean => rel.split(' ').includes('nofollow');

const hasRel = (el: Element, rel: string): boolean => relOf(el).split(' ').includes(rel);

function textOf(el: Element): string {
  if (el.localName === 'link' || el.localName === 'meta') return '';
  const own = clip(el.textContent ?? '', MAX_TEXT_UNITS);
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
