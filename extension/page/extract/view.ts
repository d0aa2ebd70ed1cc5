import type { CoerceHints } from '../../../shared/extract/coerce.ts';
import { cut } from '../../../shared/cut.ts';
import { allIn, attrOf, firstIn, isElement, isText, squash, tagOf, textIn } from '../dom.ts';
import { isSecret, rememberPasswords } from '../write/controls.ts';

/** A part of the page that has elements of its own: a document, or a shadow tree. */
export type Root = Document | ShadowRoot;

/** Elements whose text is not read. */
const UNREAD = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'title',
  'svg',
  'iframe',
  'object',
]);
/** Elements that start on their own line, in the browser's default style. */
export const BLOCKS = new Set(
  'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const INLINE_HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/**
 * What is read of one document: text, addresses, and what a person sees. A document that was only
 * parsed has no layout: there the attributes that hide are all that is known.
 */
export class View {
  readonly document: Document;
  readonly lang: string | null;
  readonly #base: string;
  readonly #isLive: boolean;
  #inert: Document | null = null;

  /** @param url address of a parsed document, which does not know it itself */
  constructor(document: Document, url: string) {
    this.document = document;
    this.#isLive = document.defaultView !== null;
    this.#base = baseOf(document, url);
    this.lang = langOf(document);
    if (this.#isLive) rememberPasswords(document);
  }

  /** How its texts are coerced. */
  get hints(): CoerceHints {
    return { lang: this.lang, isMachine: false };
  }

  /** A document where copies load nothing and run nothing. */
  get inert(): Document {
    return (this.#inert ??= this.document.implementation.createHTMLDocument(''));
  }

  /** An absolute address; null if invalid. */
  absolute(address: string): string | null {
    const trimmed = address.trim();
    if (trimmed === '') return null;
    try {
      return new URL(trimmed, this.#base).href;
    } catch {
      return null;
    }
  }

  /** Whether a person sees an element, as far as its ancestors let them. */
  isShown(el: Element): boolean {
    if (UNREAD.has(tagOf(el))) return false;
    // A copy of a part of the page has no layout either.
    if (!this.#isLive || !el.isConnected)
      return !el.hasAttribute('hidden') && !INLINE_HIDDEN.test(attrOf(el, 'style') ?? '');
    if (el.checkVisibility({ visibilityProperty: true })) return true;
    const style = getComputedStyle(el);
    return style.display === 'contents' && style.visibility === 'visible';
  }

  /** Whether a control's value must not leave the page. */
  isSecret(el: Element): boolean {
    return isSecret(el);
  }

  /**
   * The text that a person reads in an element, white space collapsed. What is kept from screen
   * readers (`aria-hidden`) is left out where something else says it.
   */
  text(el: Element): string {
    if (el.firstElementChild === null) return UNREAD.has(tagOf(el)) ? '' : textIn(el);
    const spoken = this.#collect(el, false);
    return spoken === '' ? this.#collect(el, true) : spoken;
  }

  #collect(el: Element, withAriaHidden: boolean): string {
    const parts: string[] = [];
    this.#walk(el, parts, withAriaHidden);
    return squash(parts.join(''));
  }

  #walk(el: Element, parts: string[], withAriaHidden: boolean): void {
    for (let node = el.firstChild; node !== null; node = node.nextSibling) {
      if (isText(node)) parts.push(node.data);
      else if (isElement(node)) this.#enter(node, parts, withAriaHidden);
    }
  }

  #enter(el: Element, parts: string[], withAriaHidden: boolean): void {
    if (!withAriaHidden && attrOf(el, 'aria-hidden') === 'true') return;
    if (!this.isShown(el)) return;
    const isBlock = BLOCKS.has(tagOf(el));
    if (isBlock) parts.push(' ');
    this.#walk(el, parts, withAriaHidden);
    if (isBlock) parts.push(' ');
  }

  /** The markup inside an element, without scripts, comments, and what secret controls hold. */
  html(el: Element): string {
    const copy = el.cloneNode(true);
    if (!isElement(copy)) return '';
    const originals = allIn(el, 'input,textarea,select');
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

function baseOf(document: Document, url: string): string {
  const href = firstIn(document, 'base[href]')?.getAttribute('href') ?? '';
  return href !== '' && URL.canParse(href, url) ? new URL(href, url).href : url;
}

function langOf(document: Document): string | null {
  const own = document.documentElement?.getAttribute('lang')?.trim() ?? '';
  if (own !== '') return cut(own, 35);
  const declared =
    firstIn(document, 'meta[http-equiv="content-language" i]')?.getAttribute('content')?.trim() ?? '';
  return declared === '' ? null : cut(declared, 35);
}
