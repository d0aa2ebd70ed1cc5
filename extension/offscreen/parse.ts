import { mimeOf, type PageKind } from '../../shared/tools/crawl/headers.ts';
import { isElement, isText } from '../page/dom.ts';
import { isHiddenBySource } from '../page/walk/source-visibility.ts';

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
    place.replaceWith(...segment.childNodes);
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
 * Whether a page is empty without its scripts, so that only rendering shows its content: it has scripts, its body has
 * less than 200 characters of text and no picture, form, table or frame; and either hardly any text at all (25
 * characters), or an empty element waiting for content (`<div id=root></div>`, `<app-root></app-root>`), or a
 * `<noscript>` that asks for JavaScript. The same goes for a page whose source hides nearly all of its text, for a
 * script to fade in.
 */
export function isShell(document: Document): boolean {
  const { body } = document;
  if (body === null || document.querySelector('script') === null) return false;
  if (isHiddenAtFirst(body)) return true;
  const chars = countText(body, ENOUGH_CHARS);
  if (chars >= ENOUGH_CHARS || body.querySelector(SHOWN) !== null) return false;
  return chars < NEXT_TO_NOTHING_CHARS || hasMount(body) || asksForScripts(document);
}

/** The parts that a page may hide whole. */
const WHOLES = ':scope > *, :scope > * > *';
const NEARLY_ALL = 0.9;

function isHiddenAtFirst(body: HTMLElement): boolean {
  const wholes = [body.ownerDocument.documentElement, body, ...body.querySelectorAll(WHOLES)];
  const hidden = wholes.filter(isHiddenBySource).map((el) => countText(el, Infinity));
  const most = Math.max(...hidden, 0);
  return most >= ENOUGH_CHARS && most > NEARLY_ALL * countText(body, Infinity);
}

/** Characters of text, without code and text for browsers without scripts; stops at `most`. */
function countText(root: Element, most: number): number {
  let chars = 0;
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined && chars < most; node = open.pop()) {
    if (isText(node)) chars += node.data.replace(/\s+/g, ' ').trim().length;
    else if (isElement(node) && !UNREAD.has(node.localName)) open.push(...node.childNodes);
  }
  return chars;
}

function hasMount(body: HTMLElement): boolean {
  for (const el of body.querySelectorAll('div[id],main,section[id],[data-reactroot]'))
    if (el.firstElementChild === null && el.textContent.trim() === '') return true;
  for (const el of body.children) if (el.localName.includes('-') && el.textContent.trim() === '') return true;
  return false;
}

function asksForScripts(document: Document): boolean {
  for (const el of document.querySelectorAll('noscript'))
    if (ASKS_FOR_SCRIPTS.test(el.textContent)) return true;
  return false;
}
/**
 * A page with more nested elements is not parsed. Browsers flatten anything deeper than 512 levels, and search the list
 * of open elements for each tag: 100,000 of them take minutes. The deepest of 1,445 real pages has 51.
 */
export const MOST_OPEN_ELEMENTS = 1_000;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr',
);
/** Their content is text up to their end tag. */
const RAW_TEXT = words('iframe noembed noframes script style textarea title xmp');
/** A start tag closes an open element of the same name. */
const ENDS_ITSELF = words(
  'a body caption colgroup dd dt head html li nobr optgroup option p rp rt tbody td tfoot th thead tr',
);
/** Such a start tag closes nothing beyond these. */
const BARRIERS = words('button div dl math object ol ruby select svg table template ul');

const NONE: ReadonlySet<string> = new Set();

const TAG = /<(?:!--|(\/?)([a-z][^\s/>]*))/gi;

/**
 * Whether markup nests more elements than {@link MOST_OPEN_ELEMENTS}, by its tags alone: one pass, no tree. It follows
 * the parser where pages depend on it (optional end tags, text of scripts, comments), and counts too few rather than
 * too many.
 */
export function isTooDeep(markup: string, kind: 'html' | 'xml'): boolean {
  const open = new OpenElements(kind === 'html' ? ENDS_ITSELF : NONE);
  TAG.lastIndex = 0;
  for (let found = TAG.exec(markup); found !== null; found = TAG.exec(markup)) {
    const [tag, slash, rawName] = found;
    const end = tag === '<!--' ? markup.indexOf('-->', TAG.lastIndex) : markup.indexOf('>', TAG.lastIndex);
    if (end < 0) return false;
    TAG.lastIndex = end;
    if (rawName === undefined) continue;
    const name = rawName.toLowerCase();
    if (slash === '/') open.close(name);
    else if (!VOID.has(name) && markup.charAt(end - 1) !== '/') {
      if (RAW_TEXT.has(name)) TAG.lastIndex = endOfText(markup, name, end);
      else if (open.push(name) > MOST_OPEN_ELEMENTS) return true;
    }
  }
  return false;
}

function endOfText(markup: string, name: string, from: number): number {
  const endTag = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  endTag.lastIndex = from;
  return endTag.exec(markup)?.index ?? markup.length;
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #endsItself: ReadonlySet<string>;

  constructor(endsItself: ReadonlySet<string>) {
    this.#endsItself = endsItself;
  }

  /** @returns how many are now open */
  push(name: string): number {
    if (this.#endsItself.has(name)) this.#closeUpTo(name, BARRIERS);
    return this.#names.push(name);
  }

  close(name: string): void {
    this.#closeUpTo(name, NONE);
  }

  /** Closes the innermost element of a name and its content, unless one of `barriers` is in between. */
  #closeUpTo(name: string, barriers: ReadonlySet<string>): void {
    for (let at = this.#names.length - 1; at >= 0; at -= 1) {
      const open = this.#names[at];
      if (open === name) {
        this.#names.length = at;
        return;
      }
      if (open === undefined || barriers.has(open)) return;
    }
  }
}
