import { isElement, squash } from '../dom.ts';
import { isMath, mathText } from '../write/math.ts';
import { isScriptUrl } from '../write/media.ts';
import type { Writer } from '../write/writer.ts';
import type { Heading } from './article.ts';

const TAG_PREFIX = 'data-spillway-';
/** What the walk has judged better: Readability would guess by these. */
const JUDGED = ['style', 'hidden'];
/** Elements that Readability may replace by a bare paragraph: their text needs a tag of its own. */
const REPLACED = new Set(['div', 'body']);
/** A part of the page this long is not decoration, even when it is hidden from assistive technology. */
const MIN_HIDDEN_CHARS = 140;

/** Builds the tagged clone in a document of its own that loads and runs nothing. */
export class CloneWriter implements Writer {
  readonly document: Document;
  readonly headings: Heading[] = [];
  readonly #live: Element[] = [];
  readonly #parents = new Map<Element, Element | null>();
  readonly #openLive: Element[] = [];
  /** The tag that text straight inside each open element takes along, where it needs one. */
  readonly #openTags: (number | null)[] = [];
  #parent: Element;
  #picked: ReadonlySet<number> = new Set();

  constructor(live: Document) {
    this.document = live.implementation.createHTMLDocument(live.title);
    for (const meta of live.head?.querySelectorAll('meta') ?? [])
      this.document.head.append(this.document.importNode(meta));
    this.#parent = this.document.body;
  }

  enter(el: Element, tag: string): boolean {
    this.#parents.set(el, this.#openLive.at(-1) ?? null);
    const isFormula = isMath(el, tag);
    const clone = isFormula ? this.document.createElement('span') : this.#clone(el, tag);
    clone.setAttribute(`${TAG_PREFIX}${this.#live.length}`, '');
    if (isFormula) {
      clone.append(mathText(el));
      this.#parent.append(clone);
      this.#live.push(el);
      return false;
    }
    this.#openTags.push(needsTextTags(el, clone) ? this.#live.length : null);
    this.#live.push(el);
    this.#openLive.push(el);
    if (clone === this.document.body) return true;
    this.#parent.append(clone);
    this.#parent = clone;
    return true;
  }

  #clone(el: Element, tag: string): Element {
    if (tag === 'html' || tag === 'body') return this.document.body;
    // A custom element's own name tells Readability nothing; a slot has no box.
    const clone =
      tag.includes('-') || tag === 'slot'
        ? this.document.createElement('div')
        : this.document.importNode(el, false);
    for (const name of JUDGED) clone.removeAttribute(name);
    // Readability puts bare text in the place of such a link, and the tag would be lost.
    if (tag === 'a' && isScriptUrl(el.getAttribute('href') ?? '')) clone.removeAttribute('href');
    // In an article `aria-hidden` marks decoration; around as much as an article, what a dialog covers.
    if (el.hasAttribute('aria-hidden') && el.textContent.length >= MIN_HIDDEN_CHARS)
      clone.removeAttribute('aria-hidden');
    return clone;
  }

  leave(el: Element, tag: string): void {
    this.#openLive.pop();
    this.#openTags.pop();
    if (tag === 'html' || tag === 'body') return;
    if (tag === 'h1' || tag === 'h2')
      this.headings.push({ live: el, text: squash(this.#parent.textContent) });
    this.#parent = this.#parent.parentElement ?? this.document.body;
    // Words on both sides of a line break are two words.
    if (tag === 'br') this.#parent.append(' ');
  }

  text(data: string): void {
    const tag = this.#openTags.at(-1) ?? null;
    if (tag === null || data.trim() === '') return this.#parent.append(data);
    const span = this.document.createElement('span');
    span.setAttribute(`${TAG_PREFIX}${tag}`, '');
    span.append(data);
    this.#parent.append(span);
  }

  space(): void {
    this.#parent.append(' ');
  }

  enterFrame(): void {
    // A frame's content is looked at like the rest.
  }

  leaveFrame(): void {
    // Nothing was opened.
  }

  frame(): void {
    // Another origin's document is not part of this one's article.
  }

  finish(): void {
    // The clone is complete when the walk is.
  }

  /** The body as it is now, which Readability will change. */
  copyBody(): HTMLElement {
    return this.document.importNode(this.document.body, true);
  }

  /**
   * Leaves in a copy of the body what `picked` holds. Readability merges boxes and renames elements: the
   * copy still has their names and their order.
   */
  reduceTo(copy: HTMLElement, picked: Node): HTMLElement {
    const kept = tagsIn(picked);
    const reduce = (el: Element): boolean => {
      let isKept = tagsOf(el).some((tag) => kept.has(tag));
      for (const child of [...el.children]) isKept = reduce(child) || isKept;
      if (!isKept) el.remove();
      return isKept;
    };
    for (const child of [...copy.children]) reduce(child);
    this.#picked = kept;
    return copy;
  }

  /** The live elements that were picked and whose tags are left below `content`. */
  liveElementsIn(content: Node): Set<Element> {
    const kept = new Set<Element>();
    for (const tag of tagsIn(content)) {
      const live = this.#live[tag];
      if (live !== undefined && this.#picked.has(tag)) kept.add(live);
    }
    return kept;
  }

  /** Keeps the title or takes it out, overriding Readability. */
  setTitle(kept: Set<Element>, title: Element, isKept: boolean): void {
    for (const el of this.#live) {
      if (!title.contains(el)) continue;
      if (isKept) kept.add(el);
      else kept.delete(el);
    }
  }

  waysTo(kept: ReadonlySet<Element>): Set<Element> {
    const way = new Set<Element>();
    for (const el of kept) {
      for (
        let up = this.#parents.get(el) ?? null;
        up !== null && !way.has(up);
        up = this.#parents.get(up) ?? null
      )
        way.add(up);
    }
    return way;
  }
}

function tagsOf(el: Element): number[] {
  const tags: number[] = [];
  for (const { name } of el.attributes)
    if (name.startsWith(TAG_PREFIX)) tags.push(Number(name.slice(TAG_PREFIX.length)));
  return tags;
}

/** The tags of a part of a clone. */
function tagsIn(root: Node): Set<number> {
  const walker = root.ownerDocument?.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  const tags = new Set<number>();
  for (let node: Node | null = root; node != null; node = walker?.nextNode() ?? null)
    if (isElement(node)) for (const tag of tagsOf(node)) tags.add(tag);
  return tags;
}

/** Readability makes a `div` of a paragraph with line breaks, before it replaces that as well. */
function needsTextTags(el: Element, clone: Element): boolean {
  return REPLACED.has(clone.localName) || (clone.localName === 'p' && el.querySelector('br') !== null);
}
