import { claimsMoreRows, coverageFacts, isWindowed, type CoverageFacts } from '../coverage-facts.ts';
import {
  resetRenderedCache,
  innerDocument,
  isObject,
  isElement,
  isFrameElement,
  isSlot,
  isText,
  shadowRootOf,
  CLOSED_ROOT_FULL_CHECK,
  flatParent,
  withoutIcons,
  type FrameElement,
} from '../dom.ts';
import { embeddedPdf } from '../embedded-files.ts';
import { markFrame, originOf } from '../frames.ts';
import type { Refs } from '../refs.ts';
import type { WalkView, Writer } from '../write/writer.ts';
import type { CodePart } from './code-blocks.ts';
import { CodeSearch } from './code-search.ts';
import { forgetCounters } from './counters.ts';
import { transformText } from './text-transform.ts';
import type { VisibilityChecker, VisibilityCheckerFactory } from './visibility-checker.ts';
import { FLOW, createLevel, inherit, type Flow, type Level, type View } from './level.ts';
import { LayoutVisibility, isCollapsed } from './layout-visibility.ts';
import { TAG, tagBits } from './tags.ts';

/** Which elements a walk is bound to: those of the main content, and the way to them. */
export interface Selection {
  has(el: Element): boolean;
  /** Has a selected element below it; its own text is left out. */
  isOnWay(el: Element): boolean;
}

export interface WalkOptions {
  readonly document: Document;
  /** What to read; empty reads the whole document. */
  readonly roots: readonly Element[];
  readonly includeHidden: boolean;
  readonly selection: Selection | null;
  readonly refs: Refs;
  /** Decides what is visible; by style and layout unless given. */
  readonly eyes?: VisibilityCheckerFactory;
}

/** What a walk learned besides the text. */
export interface WalkFacts extends CoverageFacts {
  hiddenElements: number;
  frames: number;
}

/** A level whose element is on the way to what was asked: nothing of its own is written. */
type Open = Level & { flow: Flow; tag: string; isSilent: boolean; root: ShadowRoot | null };

/**
 * Walks the flattened tree (shadow roots entered, slots filled, same-origin frames in place) with a
 * its own stack, so that depth costs no call stack and a walk can pause between two nodes.
 */
export class Walker implements WalkView {
  readonly facts: WalkFacts = { hiddenElements: 0, frames: 1, ...coverageFacts() };
  readonly #options: WalkOptions;
  readonly #levels: Open[] = [];
  readonly #sight: VisibilityChecker;
  readonly #thorough: boolean;
  readonly #top: View;
  readonly #code: CodeSearch;
  #depth = -1;
  #nextRoot = 0;

  constructor(options: WalkOptions) {
    resetRenderedCache();
    forgetCounters();
    this.#options = options;
    const { eyes, includeHidden } = options;
    this.#sight = eyes?.(this.#levels, includeHidden) ?? new LayoutVisibility(this.#levels, includeHidden);
    this.#code = new CodeSearch(this.#sight.codeView, options.selection !== null || options.roots.length > 0);
    this.#thorough = options.document.getElementsByTagName('*').length <= CLOSED_ROOT_FULL_CHECK;
    this.#top = this.#sight.viewOf(options.document);
  }

  /** Walks on until the end, or until `isFull`; returns whether the end was reached. */
  run(writer: Writer, isFull: () => boolean): boolean {
    for (;;) {
      while (this.#depth >= 0) {
        this.#step(writer);
        if (isFull()) return false;
      }
      if (!this.#openNext()) return true;
    }
  }

  #step(writer: Writer): void {
    const level = this.#levels[this.#depth];
    if (level === undefined) return;
    const node = this.#advance(level);
    if (node === null) this.#close(writer, level);
    else if (isText(node)) this.#text(writer, level, node.data);
    else if (isElement(node)) this.#element(writer, level, node);
  }

  #advance(level: Open): Node | null {
    if (level.list !== null) {
      const node = level.list[level.index] ?? null;
      level.index += 1;
      return node;
    }
    const node = level.next;
    if (node !== null) level.next = node.nextSibling;
    return node;
  }

  #text(writer: Writer, level: Open, data: string): void {
    if (isBlank(data) && !level.preformatted) {
      if (!level.isSilent) writer.space();
      return;
    }
    if (level.isSilent) return;
    if (this.#isFolded(level)) return;
    if (this.#sight.isTextSeen(this.#depth)) writer.text(this.shownText(data), level.preformatted);
    else if (level.index === 0) {
      level.index = -1;
      this.facts.hiddenElements += 1;
    }
  }

  /** Text as style shows it. Code keeps its characters; elsewhere icons of a font are left out. */
  shownText(data: string): string {
    const level = this.#levels[this.#depth];
    const text = level?.preformatted === true ? data : withoutIcons(data);
    const transform = this.#sight.transformOf(this.#depth);
    return transform === '' || level?.el == null ? text : transformText(text, transform, level.el);
  }

  generatedText(pseudo: '::before' | '::after'): string {
    const level = this.#levels[this.#depth];
    if (level?.generates !== true || level.preformatted || level.isCode || this.#isFolded(level)) return '';
    return this.#sight.generatedOf(this.#depth, pseudo);
  }

  #generated(writer: Writer, level: Open, pseudo: '::before' | '::after'): void {
    if (!level.generates || level.isSilent) return;
    const text = this.generatedText(pseudo);
    if (text !== '') writer.text(text, false);
  }

  /** Text straight inside a closed `<details>` is not shown, though the element is. */
  #isFolded(level: Open): boolean {
    return (
      level.tag === 'details' && level.el?.hasAttribute('open') === false && !this.#options.includeHidden
    );
  }

  #isCollapsed(parent: Open, el: Element): boolean {
    return parent.tag === 'details' && !this.#options.includeHidden && isCollapsed(el, parent.el);
  }

  #element(writer: Writer, parent: Open, el: Element): void {
    const tag = el.localName;
    const bits = tagBits(tag);
    if (this.#sight.isSkipped(el, bits)) return;
    const { selection } = this.#options;
    const isSilent = selection !== null && !selection.has(el);
    if (isSilent && !selection.isOnWay(el)) return;
    if (this.#isCollapsed(parent, el)) {
      this.facts.hiddenElements += 1;
      return;
    }
    if (tag === 'area') return this.#area(writer, el);
    const level = this.#push(parent);
    level.tag = tag;
    level.isSilent = isSilent;
    if (!this.#open(parent, level, el)) this.#depth -= 1;
    else if ((bits & TAG.frame) !== 0 && isFrameElement(el) && !this.#isFallback(el))
      this.#frame(writer, level, el);
    else if (!isSilent && !writer.enter(el, tag, level.flow)) this.#depth -= 1;
    else {
      this.#generated(writer, level, '::before');
      this.#children(level, el);
    }
  }

  /** Fills the level of an element; false where nothing of it is seen, or another text says it. */
  #open(parent: Open, level: Open, el: Element): boolean {
    const { tag } = level;
    level.root = (tagBits(tag) & TAG.host) === 0 ? null : shadowRootOf(el, this.#thorough);
    if (level.root !== null) level.flags |= this.#sight.flagsOf(level.root);
    const flow = this.#sight.enter(el, tag, parent, level);
    if (flow === null) {
      this.facts.hiddenElements += 1;
      if (level.attributed && el.getAttribute('role') === 'tabpanel') this.facts.hiddenTabPanels += 1;
      return false;
    }
    if (level.attributed) {
      this.#note(el, tag);
      if (el.getAttribute('aria-hidden') === 'true' && this.#sight.isRepeatedNearby(el)) return false;
    }
    if (tag === 'details' || tag === 'canvas' || tag === 'embed') this.#noteUnread(el, tag, level);
    level.el = el;
    level.flow = flow;
    level.generates = tag === 'q' || level.hosts.has(el);
    if (level.root === null) return true;
    this.#enterTree(level, level.root);
    level.generates ||= level.hosts.isOnHost;
    return true;
  }

  #enterTree(level: Level, root: Document | ShadowRoot): void {
    level.hosts = this.#sight.hostsOf(root);
    this.#code.add(root, level.flags);
  }

  /** An `<object>` that has nothing to show shows its content instead. */
  #isFallback(el: FrameElement): boolean {
    if (!isObject(el) || innerDocument(el) !== null || el.contentWindow !== null) return false;
    return this.#sight.isFallbackShown(el);
  }

  /** A part of a picture that leads somewhere: it has no box, and is seen where the picture is. */
  #area(writer: Writer, el: Element): void {
    const map = el.closest('map');
    const name = map?.getAttribute('name') ?? map?.id ?? '';
    const picture = el.ownerDocument.querySelector(`img[usemap="#${CSS.escape(name)}"]`);
    if (!el.hasAttribute('href') || picture === null || !this.#sight.isShown(picture)) return;
    if (writer.enter(el, 'area', FLOW.inline)) writer.leave(el, 'area', FLOW.inline);
  }

  #children(level: Open, el: Element): void {
    if (level.root !== null) level.next = level.root.firstChild;
    else if ((tagBits(level.tag) & TAG.atom) !== 0 && level.tag !== 'object') level.next = null;
    else if (isSlot(el)) {
      const assigned = el.assignedNodes();
      if (assigned.length > 0) level.list = assigned;
      else level.next = el.firstChild;
    } else level.next = el.firstChild;
  }

  #close(writer: Writer, level: Open): void {
    this.#generated(writer, level, '::after');
    this.#depth -= 1;
    if (level.closesFrame) writer.leaveFrame(originOf(level.view.document));
    else if (level.el !== null && !level.isSilent) writer.leave(level.el, level.tag, level.flow);
  }

  /** A frame of this origin is walked in place; another one is marked and answers for itself. */
  #frame(writer: Writer, level: Open, el: FrameElement): void {
    level.next = null;
    level.isSilent = true;
    if (!this.#sight.isAtomSeen(el, level) || isTiny(el)) {
      this.#depth -= 1;
      if (!this.#options.includeHidden) this.facts.hiddenElements += 1;
      return;
    }
    const inner = innerDocument(el);
    const isPdf = inner?.contentType === 'application/pdf';
    if (inner?.documentElement != null && !isPdf) {
      this.facts.frames += 1;
      const view = this.#sight.viewOf(inner);
      level.view = view;
      level.flags = this.#sight.flagsOf(inner);
      this.#enterTree(level, inner);
      level.generates = false;
      level.clip = view.reachable;
      level.background = undefined;
      level.preformatted = false;
      level.closesFrame = true;
      level.next = inner.documentElement;
      writer.enterFrame(originOf(inner));
      return;
    }
    this.#depth -= 1;
    if (isPdf) this.facts.pdfs.add(inner.URL);
    else if (el.contentWindow !== null) writer.frame((place) => markFrame(el, this.#options.refs, place));
  }

  #note(el: Element, tag: string): void {
    if ((tag === 'img' || tag === 'iframe') && el.getAttribute('loading') === 'lazy') {
      const complete: unknown = Reflect.get(el, 'complete');
      if (complete === false) this.facts.lazyLeft += 1;
    }
    if (el.hasAttribute('inert')) this.facts.inertParts += 1;
    if (claimsMoreRows(el) || this.#isWindow(el)) this.facts.virtualLists += 1;
  }

  /** A scroller that is not inside one that was counted, or that says itself how many rows are missing. */
  #isWindow(el: Element): boolean {
    const level = this.#levels[this.#depth];
    const overflow = level?.style?.overflowY ?? '';
    if (level === undefined || (overflow !== 'auto' && overflow !== 'scroll')) return false;
    return (
      !el.hasAttribute('aria-rowcount') && el.querySelector('[aria-rowcount]') === null && isWindowed(el)
    );
  }

  /** Parts whose content is not text, or not shown. */
  #noteUnread(el: Element, tag: string, level: Level): void {
    if (tag === 'details') {
      if (!this.#options.includeHidden && !el.hasAttribute('open')) this.facts.closedDetails += 1;
    } else if (
      tag === 'canvas' &&
      el.clientWidth > 2 &&
      el.clientHeight > 2 &&
      this.#sight.isAtomSeen(el, level)
    )
      this.facts.canvases += 1;
    else if (tag === 'embed') {
      const pdf = this.#sight.isAtomSeen(el, level) ? embeddedPdf(el) : null;
      if (pdf !== null) this.facts.pdfs.add(pdf);
    }
  }

  #push(parent: Open): Open {
    this.#depth += 1;
    let level = this.#levels[this.#depth];
    if (level === undefined) {
      level = { ...createLevel(parent.view), flow: FLOW.inline, tag: '', isSilent: false, root: null };
      this.#levels.push(level);
    }
    inherit(level, parent);
    return level;
  }

  /** Opens the document, or the next of the roots below the levels of its ancestors. */
  #openNext(): boolean {
    const { roots, document } = this.#options;
    if (this.#nextRoot > 0 && this.#nextRoot >= roots.length) return false;
    const root = roots[this.#nextRoot];
    this.#nextRoot += 1;
    if (root === undefined) {
      this.#openDocument(this.#top, document.documentElement);
      return true;
    }
    const way: Element[] = [];
    for (let up = flatParent(root); up !== null; up = flatParent(up)) way.unshift(up);
    const own = root.ownerDocument;
    const base = this.#openDocument(own === document ? this.#top : this.#sight.viewOf(own), null);
    let parent = base;
    for (const el of way) {
      const level = this.#push(parent);
      level.isSilent = true;
      level.next = null;
      if (this.#sight.enter(el, el.localName, parent, level) === null) {
        this.facts.hiddenElements += 1;
        this.#depth = -1;
        return true;
      }
      level.el = el;
      level.tag = el.localName;
      const shadow = shadowRootOf(el, this.#thorough);
      if (shadow !== null) {
        level.flags |= this.#sight.flagsOf(shadow);
        this.#enterTree(level, shadow);
      }
      parent = level;
    }
    parent.list = [root];
    return true;
  }

  #openDocument(view: View, first: Element | null): Open {
    this.#depth = 0;
    const level: Open = { ...createLevel(view), flow: FLOW.block, tag: '', isSilent: true, root: null };
    level.flags = this.#sight.flagsOf(view.document);
    this.#enterTree(level, view.document);
    level.clip = view.reachable;
    level.next = first;
    this.#levels[0] = level;
    return level;
  }

  isAtomSeen(el: Element): boolean {
    const level = this.#levels[this.#depth];
    return level !== undefined && this.#sight.isAtomSeen(el, level);
  }

  isTextSeen(): boolean {
    const level = this.#levels[this.#depth];
    if (level !== undefined && this.#isFolded(level)) return false;
    return this.#sight.isTextSeen(this.#depth);
  }

  isClickable(): boolean {
    return this.#sight.isPointer(this.#depth) && !this.#sight.isPointer(this.#depth - 1);
  }

  isStruck(): boolean {
    return this.#sight.isStruck(this.#depth);
  }

  codePart(): CodePart | null {
    const level = this.#levels[this.#depth];
    return level === undefined ? null : this.#code.partAt(level);
  }

  isSeen(el: Element): boolean {
    return this.#sight.isShown(el);
  }
}

function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit !== 32 && unit !== 10 && unit !== 9 && unit !== 13 && unit !== 12) return false;
  }
  return true;
}

/** A frame of at most one pixel is a beacon. */
function isTiny(el: FrameElement): boolean {
  return el.clientWidth <= 1 || el.clientHeight <= 1;
}
