import { framesIn, treesIn, innerDocument } from '../../dom/trees.ts';
import {
  childCount,
  isDocument,
  isShadowRoot,
  parentOf,
  tagOf,
  allIn,
  attrOf,
  firstIn,
  isCheckable,
  isElement,
  isInput,
  isText,
  squash,
  wordSet,
  isFrameElement,
} from '../../dom/elements.ts';
import type { NumberHints } from '../../../shared/libraries/values/numbers.ts';
import { cut } from '../../../shared/base/cut.ts';
import { claimsMoreRows, count } from '../../core/page/coverage.ts';
import { isSetApart } from '../../dom/geometry.ts';
import {
  RENDERING,
  isAttributeShown,
  isLeftOut,
  isTextShown,
  renderingOf,
  shownText,
} from '../../dom/visible.ts';
import { isSecret, rememberPasswords } from '../../dom/controls.ts';
import type { Coverage } from '../../../shared/core/bridge/page.ts';

const PLAIN_ID = /^[A-Za-z][\w-]*$/;

/**
 * CSS selectors of elements. Siblings asked for in order cost one step each, so that a table of a hundred thousand rows
 * is not counted a hundred thousand times.
 */
export class Paths {
  readonly #known = new WeakMap<Element, string>();
  readonly #last = new WeakMap<Node, { readonly el: Element; readonly index: number }>();

  /** @param isAsked false returns empty paths */
  constructor(readonly isAsked: boolean) {}

  /** From the nearest element with a unique id, or from the root. */
  of(el: Element): string {
    if (!this.isAsked) return '';
    const known = this.#known.get(el);
    if (known !== undefined) return known;
    const path = this.#make(el);
    // Rows and cells are asked for once: only parents are cached.
    if (childCount(el) > 0) this.#known.set(el, path);
    return path;
  }

  #make(el: Element): string {
    if (PLAIN_ID.test(el.id) && isFirstOfId(el)) return `#${el.id}`;
    const parent = parentOf(el);
    if (parent === null || tagOf(el) === 'body') return tagOf(el);
    return `${this.of(parent)} > ${el.localName}:nth-child(${this.#indexOf(el, parent)})`;
  }

  #indexOf(el: Element, parent: Element): number {
    const last = this.#last.get(parent);
    let index = 1;
    for (let at = el.previousElementSibling; at !== null; at = at.previousElementSibling) {
      if (last?.el === at) {
        index += last.index;
        break;
      }
      index += 1;
    }
    this.#last.set(parent, { el, index });
    return index;
  }
}

function isFirstOfId(el: Element): boolean {
  const root = el.getRootNode();
  return (isDocument(root) || isShadowRoot(root)) && root.getElementById(el.id) === el;
}

/** A part of the page that is searched separately: a document or a shadow tree. */
export type Root = Document | ShadowRoot;

const UNREAD = new Set('script style template noscript head title svg iframe object'.split(' '));
/** Elements on lines of their own in the browser's default style. */
export const BLOCKS = wordSet(
  'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul',
);
const INLINE_HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

const INLINE_STRUCK = /text-decoration[a-z-]*\s*:[^;]*line-through/i;

/**
 * The readable content of one document: text, addresses, visibility. A document that was only parsed has no layout:
 * only attributes hide anything there.
 */
export class View {
  readonly document: Document;
  readonly lang: string | null;
  readonly #base: string;
  readonly #isLive: boolean;
  #inert: Document | null = null;

  /** @param url the address of a parsed document, which does not know its own */
  constructor(document: Document, url: string) {
    this.document = document;
    this.#isLive = document.defaultView !== null;
    this.#base = baseOf(document, url);
    this.lang = langOf(document);
    if (this.#isLive) rememberPasswords(document);
  }

  get hints(): NumberHints {
    return { lang: this.lang, isMachine: false };
  }

  /** A document where copies load nothing and run nothing. */
  get inert(): Document {
    return (this.#inert ??= this.document.implementation.createHTMLDocument(''));
  }

  /** An absolute address; null if invalid. */
  absolute(address: string): string | null {
    const trimmed = address.trim();
    return trimmed !== '' && URL.canParse(trimmed, this.#base) ? new URL(trimmed, this.#base).href : null;
  }

  isShown(el: Element): boolean {
    return !UNREAD.has(tagOf(el)) && this.#isVisible(el);
  }

  #isVisible(el: Element): boolean {
    // A copy of a part of the page has no layout.
    if (!el.isConnected) return !el.hasAttribute('hidden') && !INLINE_HIDDEN.test(attrOf(el, 'style') ?? '');
    return !isLeftOut(el) && renderingOf(el) === RENDERING.whole;
  }

  /** Whether style puts an element on lines of its own. The items of a flex box or grid are blocks in one line. */
  hasOwnLines(el: Element): boolean {
    const isBlock = this.#isLive && /^(?:block|flex|grid|table|list)/.test(getComputedStyle(el).display);
    const parent = isBlock ? parentOf(el) : null;
    return parent !== null && !/flex|grid/.test(getComputedStyle(parent).display);
  }

  /** Whether an element strikes its text through. */
  isStruck(el: Element): boolean {
    if (/^(?:del|s|strike)$/.test(tagOf(el))) return true;
    if (!this.#isLive || !el.isConnected) return INLINE_STRUCK.test(attrOf(el, 'style') ?? '');
    return getComputedStyle(el).textDecorationLine.includes('line-through');
  }

  /**
   * The visible text of an element, white space collapsed. Text hidden from screen readers (`aria-hidden`) is omitted
   * if something else replaces it.
   * @param without parts to omit
   */
  text(el: Element, without: readonly Element[] = []): string {
    if (el.firstElementChild === null) return UNREAD.has(tagOf(el)) ? '' : squash(this.#said(el));
    const spoken = this.#collect(el, false, without);
    return spoken === '' ? this.#collect(el, true, without) : spoken;
  }

  /** The text directly in an element. */
  #said(el: Element): string {
    let text = '';
    for (let node = el.firstChild; node !== null; node = node.nextSibling)
      if (isText(node)) text += this.#shown(node);
    return text;
  }

  /** A copy of a part of the page has what was shown of it. */
  #shown(node: Text): string {
    return node.isConnected ? shownText(node) : node.data;
  }

  #collect(el: Element, withAriaHidden: boolean, without: readonly Element[]): string {
    const parts: (string | Element)[] = [];
    this.#walk(el, parts, withAriaHidden, without);
    const texts: string[] = [];
    let edges: Element[] = [];
    for (const part of parts) {
      if (typeof part !== 'string') edges.push(part);
      else if (part !== '') {
        if (edges.length > 0 && this.#areApart(texts.at(-1) ?? '', part, edges)) texts.push(' ');
        texts.push(part);
        edges = [];
      }
    }
    return squash(texts.join(''));
  }

  /** Texts, and each element where it begins and ends. */
  #walk(
    el: Element,
    parts: (string | Element)[],
    withAriaHidden: boolean,
    without: readonly Element[],
  ): void {
    for (let node = el.firstChild; node !== null; node = node.nextSibling) {
      if (isText(node)) parts.push(this.#shown(node));
      if (!isElement(node) || (!withAriaHidden && attrOf(node, 'aria-hidden') === 'true')) continue;
      if (without.includes(node) || !this.isShown(node)) continue;
      parts.push(node);
      this.#walk(node, parts, withAriaHidden, without);
      parts.push(node);
    }
  }

  /** Whether the elements that begin or end between two texts separate them. Only texts without a space ask for style. */
  #areApart(before: string, after: string, edges: readonly Element[]): boolean {
    if (!/\S$/.test(before) || !/^\S/.test(after)) return false;
    if (edges.some((el) => BLOCKS.has(tagOf(el)))) return true;
    // The parts of `<b>29</b><b>.99</b>` are one number, wherever they are.
    if (!this.#isLive || (/\d$/.test(before) && /^[.,]/.test(after))) return false;
    return edges.some((el) => el.isConnected && isApart(getComputedStyle(el)));
  }

  /** A copy of an element with what is shown of it. */
  copyOf<E extends Element>(el: E): E {
    const copy = this.inert.importNode(el, false);
    for (const name of copy.getAttributeNames())
      if (name === 'srcdoc' || !isAttributeShown(el, name)) copy.removeAttribute(name);
    if (isInput(el) && !isCheckable(el) && !isTextShown(el)) copy.removeAttribute('value');
    for (let node = el.firstChild; node !== null; node = node.nextSibling) {
      if (isText(node)) copy.append(this.#shown(node));
      else if (isElement(node) && this.#isVisible(node)) copy.append(this.copyOf(node));
    }
    return copy;
  }

  /** Inner markup, without scripts, comments and the values of secret controls. */
  html(el: Element): string {
    const copy = this.copyOf(el);
    const originals = allIn(el, 'input,textarea,select').filter((control) => this.#isVisible(control));
    allIn(copy, 'input,textarea,select').forEach((control, index) => {
      const original = originals[index];
      if (original === undefined || !isSecret(original)) return;
      control.removeAttribute('value');
      control.textContent = '';
    });
    for (const unread of allIn(copy, 'script,style,template')) unread.remove();
    return copy.innerHTML.replace(/<!--[^]*?-->/g, '').trim();
  }
}

/** On a line of its own, an item of a flex box or grid, or with a margin or padding as wide as a space. */
const isApart = (style: CSSStyleDeclaration): boolean =>
  /^inline|ruby|math/.test(style.display) ? isSetApart(style) : style.display !== 'contents';

function baseOf(document: Document, url: string): string {
  const href = attrOf(firstIn(document, 'base[href]'), 'href') ?? '';
  return href !== '' && URL.canParse(href, url) ? new URL(href, url).href : url;
}

function langOf(document: Document): string | null {
  const declared = attrOf(firstIn(document, 'meta[http-equiv="content-language" i]'), 'content');
  const lang = attrOf(document.documentElement, 'lang')?.trim() || declared?.trim() || '';
  return lang === '' ? null : cut(lang.replaceAll('_', '-'), 35);
}

/** A document or shadow tree that is searched separately. */
export interface Context {
  readonly root: Root;
  readonly view: View;
  readonly paths: Paths;
}

interface Contexts {
  readonly all: readonly Context[];
  /** Documents, the top one included. */
  readonly frames: number;
  readonly coverage: readonly Coverage[];
}

const MAX_DEPTH = 8;
/** Smaller frames contain counters and tracking pixels. */
const SMALLEST_PX = 32;

/**
 * The top document, its shadow trees, and documents of same-origin frames, in document order. A note reports frames of
 * other origins, which are not read.
 */
export function findContexts(document: Document, url: string, isExplained: boolean): Contexts {
  const all: Context[] = [];
  let closed = 0;
  const paths = new Paths(isExplained);
  const visit = (root: Root, view: View, depth: number): void => {
    all.push({ root, view, paths });
    closed += framesIn(root).filter(
      (el) => innerDocument(el) === null && tagOf(el) !== 'object' && isLarge(el),
    ).length;
    if (depth === MAX_DEPTH) return;
    for (const [el, inner] of treesIn(root)) {
      if (!isDocument(inner)) {
        if (view.isShown(el)) visit(inner, view, depth + 1);
      } else if (isFrameElement(el) && isLarge(el)) visit(inner, new View(inner, inner.baseURI), depth + 1);
    }
  };
  visit(document, new View(document, url), 0);
  const frames = new Set(all.map(({ view }) => view)).size;
  return { all, frames, coverage: [...closedNote(closed), ...windowNotes(document)] };
}

const isLarge = (el: HTMLElement): boolean => el.offsetWidth >= SMALLEST_PX && el.offsetHeight >= SMALLEST_PX;

function closedNote(closed: number): Coverage[] {
  if (closed === 0) return [];
  const frames = count(closed, 'frame of another origin was', 'frames of other origins were');
  return [{ kind: 'closed_frame', detail: `${frames} not searched.` }];
}

function windowNotes(document: Document): Coverage[] {
  if (document.defaultView === null) return [];
  const notes: Coverage[] = [];
  const virtual = allIn(document, '[aria-rowcount]').filter(claimsMoreRows).length;
  if (virtual > 0)
    notes.push({
      kind: 'virtual_list',
      detail: `${count(virtual, 'table or list contains', 'tables or lists contain')} only the rows scrolled into view; pass scroll: "to_end" for all.`,
    });
  const images = [...document.querySelectorAll<HTMLImageElement>('img[loading="lazy" i]')];
  const lazy = document.visibilityState === 'hidden' ? images.filter((img) => !img.complete).length : 0;
  if (lazy > 0)
    notes.push({
      kind: 'background_tab',
      detail: `The tab is in the background: ${count(lazy, 'lazy image has', 'lazy images have')} not loaded.`,
    });
  return notes;
}
