import { mimeOf, type PageKind } from '../../../shared/core/page-headers.ts';
import { allIn, isElement, isText, squash } from '../../dom/elements.ts';
import { isHiddenBySource } from '../../dom/source-visibility.ts';
import { isOverlay } from '../../read/page/main-content/phrases.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';

/**
 * Parses a page into a document that loads and runs nothing. Its addresses resolve as in a tab: a `<base>` against the
 * final address, which replaces a missing one.
 */
export function parsePage(text: string, kind: PageKind, contentType: string | null, url: string): Document {
  const document = kind === 'text' ? textPage(text) : (parseXml(text, kind, contentType) ?? parseHtml(text));
  setBase(document, url);
  placeSegments(document);
  return document;
}

/**
 * React streams parts of a page in hidden elements (`S:1`) behind their places (`B:1` for a boundary, `P:1` within one),
 * and moves them there by inline scripts: so does this.
 */
function placeSegments(document: Document): void {
  for (const place of document.querySelectorAll('template[id^="B:"],template[id^="P:"]')) {
    const segment = document.getElementById(`S:${place.id.slice(2)}`);
    if (segment === null || segment.contains(place)) continue;
    if (place.id.startsWith('B:')) dropFallback(place);
    const parts = document.createRange();
    parts.selectNodeContents(segment);
    place.replaceWith(parts.extractContents());
    segment.remove();
  }
}

/** Removes the text that stands for a boundary while it loads, up to the mark that ends the boundary. */
function dropFallback(place: Element): void {
  const fallback: ChildNode[] = [];
  let depth = 0;
  for (let node = place.nextSibling; node !== null; node = node.nextSibling) {
    const mark = isElement(node) ? node.getAttribute(MARK) : null;
    if (mark !== null) depth += mark.startsWith('/') ? -1 : 1;
    if (depth < 0) break;
    fallback.push(node);
  }
  if (depth < 0) for (const node of fallback) node.remove();
}

/** React marks the bounds of boundaries by comments, which the parser may drop. */
const MARK = 'data-spillway-mark';
const BOUND = /<!--(\/?[$&])[?!~]?-->/g;

/** Declarative shadow trees are part of what a tab shows. They are opened, since closed ones are inaccessible here. */
function parseHtml(text: string): Document {
  const opened = text.replace(CLOSED_ROOT, '$1open');
  const isStreamed = opened.includes('<template id="B:');
  return Document.parseHTMLUnsafe(
    isStreamed ? opened.replace(BOUND, `<template ${MARK}="$1"></template>`) : opened,
  );
}

const CLOSED_ROOT = /(<template\b[^>]*\sshadowrootmode\s*=\s*["']?)closed\b/gi;

/** Null if it is not well-formed XML: it is then read as HTML, which accepts anything. */
function parseXml(text: string, kind: PageKind, contentType: string | null): Document | null {
  if (kind !== 'xml') return null;
  const type = mimeOf(contentType) === 'application/xhtml+xml' ? 'application/xhtml+xml' : 'application/xml';
  const document = new DOMParser().parseFromString(text, type);
  return document.querySelector('parsererror') === null ? document : null;
}

/** A text file as browsers show it. */
function textPage(text: string): Document {
  const document = Document.parseHTMLUnsafe('<!doctype html><body></body>');
  const pre = document.createElement('pre');
  pre.textContent = text;
  document.body.append(pre);
  return document;
}

function setBase(document: Document, url: string): void {
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  const wanted = URL.canParse(declared, url) ? new URL(declared, url) : null;
  const isWeb = wanted?.protocol === 'http:' || wanted?.protocol === 'https:';
  const base = document.createElementNS(XHTML, 'base');
  base.setAttribute('href', isWeb ? wanted.href : url);
  (document.head ?? document.documentElement).prepend(base);
}

/** A page with this much text is useful without its scripts. */
const ENOUGH_CHARS = 200;
/** Below this, having scripts is reason enough. */
const NEXT_TO_NOTHING_CHARS = 25;

const UNREAD = new Set('script style template noscript head title'.split(' '));
/** Useful without scripts, with or without text. */
const SHOWN = 'img,picture,video,object,embed,iframe,frame,form,table';
const ASKS_FOR_SCRIPTS = /java\s*script/i;

/**
 * Whether a page is empty without its scripts, so that only rendering shows its content: it has scripts, its main part has
 * less than 200 characters of text and no picture, form, table or frame; and either hardly any text at all (25
 * characters), or an empty element waiting for content (`<div id=root></div>`, `<app-root></app-root>`), or a
 * `<noscript>` that asks for JavaScript. The same goes for a page whose source hides nearly all of its text, for a
 * script to fade in.
 */
export function isShell(document: Document): boolean {
  const { body } = document;
  if (body === null || document.querySelector('script') === null) return false;
  if (isHiddenAtFirst(body)) return true;
  const main = document.querySelector<HTMLElement>('main,[role=main]') ?? body;
  const chars = countText(main, ENOUGH_CHARS);
  if (chars >= ENOUGH_CHARS || main.querySelector(SHOWN) !== null) return false;
  return chars < NEXT_TO_NOTHING_CHARS || hasMount(main) || asksForScripts(document);
}

/** The parts that a page may hide whole. */
const WHOLES = ':scope > *, :scope > * > *';
const NEARLY_ALL = 0.9;

function isHiddenAtFirst(body: HTMLElement): boolean {
  const wholes = [body.ownerDocument.documentElement, body, ...body.querySelectorAll(WHOLES)];
  const hidden = wholes.filter(isHiddenBySource).map((el) => countText(el, Infinity));
  const most = hidden.reduce((longest, chars) => Math.max(longest, chars), 0);
  return most >= ENOUGH_CHARS && most > NEARLY_ALL * countText(body, Infinity);
}

/** Characters of text, without code, text for browsers without scripts, and dialogs; stops at `most`. */
function countText(root: Element, most: number): number {
  let chars = 0;
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined && chars < most; node = open.pop()) {
    if (isText(node)) chars += squash(node.data).length;
    else if (isElement(node) && !UNREAD.has(node.localName) && (node === root || !isOverlay(node)))
      node.childNodes.forEach((child) => open.push(child));
  }
  return chars;
}

function hasMount(body: HTMLElement): boolean {
  const mounts = allIn(body, ':is(div[id],main,section[id],[data-reactroot]):not(:has(*))');
  const custom = [...body.children].filter(({ localName }) => localName.includes('-'));
  return [...mounts, ...custom].some((el) => el.textContent.trim() === '');
}

const asksForScripts = (document: Document): boolean =>
  allIn(document, 'noscript').some((el) => ASKS_FOR_SCRIPTS.test(el.textContent));
