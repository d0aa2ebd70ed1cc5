import { RENDERING, renderingOf } from '../../dom/visible.ts';
import {
  isBlank,
  isCell,
  isTiny,
  isDocument,
  isShadowRoot,
  isObject,
  isElement,
  isFrameElement,
  isText,
  withoutIcons,
  type FrameElement,
  TAG,
  tagBits,
  summaryOf,
  isFolded,
} from '../../dom/elements.ts';
import {
  innerDocument,
  slottedIn,
  CLOSED_ROOT_FULL_CHECK,
  flatParent,
  lineageOf,
  wayTo,
} from '../../dom/trees.ts';
import { markFrame, nameOfFrame, originOf } from '../../dom/frames.ts';
import type { Refs } from '../../dom/refs.ts';
import type { WalkView, Writer } from './write/out.ts';
import { type CodePart, CodeSearch, isWithinCode } from '../../dom/code-blocks.ts';
import { forgetCounters, transformText } from '../../dom/generated-text.ts';
import { CoverageCounter, type WalkFacts } from '../../core/page/coverage.ts';
import { SettledAnimations } from '../../dom/settled.ts';
import { FLOW, Level, type Flow, type View, type Selection } from '../../dom/level.ts';
import { beginLevel, documentLevel, enterFrame, fillLevel } from '../../dom/sight.ts';
import {
  LayoutVisibility,
  type VisibilityChecker,
  type VisibilityCheckerFactory,
} from '../../dom/layout-visibility.ts';

export interface WalkOptions {
  readonly document: Document;
  /** The parts to read; empty reads the whole document. */
  readonly roots: readonly Element[];
  /** Where to begin: earlier content is omitted, except ancestors. */
  readonly from?: Element | null;
  readonly includeHidden: boolean;
  readonly selection: Selection | null;
  readonly refs: Refs;
  /** How visibility is judged; by style and layout by default. */
  readonly createVisibility?: VisibilityCheckerFactory;
}

/**
 * Walks the flattened tree (shadow roots entered, slots filled, same-origin frames in place) with a stack of its own,
 * so that depth uses no call stack and a walk can pause between two nodes.
 */
export class Walker implements WalkView {
  readonly #visibility: VisibilityChecker;
  readonly #counter: CoverageCounter;
  readonly #thorough: boolean;
  readonly #top: View;
  readonly #code: CodeSearch;
  readonly #animations = new SettledAnimations();
  /** The remaining path from the root to the starting element, outermost first. */
  readonly #way: Element[];
  #base: Level | null = null;
  /** The deepest open level. */
  #level: Level | null = null;
  #nextRoot = 0;

  constructor(private readonly options: WalkOptions) {
    forgetCounters();
    const { createVisibility, includeHidden } = options;
    this.#visibility = createVisibility?.(includeHidden) ?? new LayoutVisibility(includeHidden);
    this.#counter = new CoverageCounter(this.#visibility, includeHidden);
    this.#code = new CodeSearch(
      this.#visibility.codeView,
      options.selection !== null || options.roots.length > 0,
    );
    this.#thorough = options.document.getElementsByTagName('*').length <= CLOSED_ROOT_FULL_CHECK;
    this.#top = this.#visibility.viewOf(options.document);
    this.#way = options.from == null ? [] : wayTo(options.from);
  }

  get facts(): WalkFacts {
    return this.#counter.facts;
  }

  /** Walks until the end or until `isFull`. Returns whether it reached the end. */
  run(writer: Writer, isFull: () => boolean): boolean {
    return this.#animations.during(() => this.#walk(writer, isFull));
  }

  #walk(writer: Writer, isFull: () => boolean): boolean {
    for (;;) {
      if (this.#level !== null) {
        this.#step(writer, this.#level);
        if (isFull()) return false;
      } else if (!this.#openNext()) return true;
    }
  }

  #step(writer: Writer, level: Level): void {
    const node = this.#advance(level);
    if (node === null) this.#close(writer, level);
    else if (isText(node)) this.#text(writer, level, node);
    else if (isElement(node)) this.#element(writer, level, node);
  }

  #advance(level: Level): Node | null {
    if (level.list !== null) {
      const node = level.list[level.index] ?? null;
      level.index += 1;
      return node;
    }
    const node = level.next;
    if (node !== null) level.next = node.nextSibling;
    return node;
  }

  #text(writer: Writer, level: Level, node: Text): void {
    const { data } = node;
    if (isBlank(data) && !level.preformatted) {
      if (!level.isSilent) writer.space?.();
      return;
    }
    if (level.isSilent || this.#isFolded(level)) return;
    const seen = this.#visibility.seenText(level, node);
    if (seen !== '') writer.text?.(this.shownText(seen), level.preformatted);
    else if (level.index === 0) {
      level.index = -1;
      this.facts.hiddenElements += 1;
    }
  }

  /** Text as style shows it. Code keeps its characters; elsewhere icon-font glyphs are omitted. */
  shownText(data: string): string {
    const level = this.#level;
    const kept = level?.isPreLine === true ? data.replace(/[ \t]+/g, ' ').replace(/ ?\n ?/g, '\n') : data;
    const text = level?.preformatted === true ? kept : withoutIcons(data);
    if (level?.el == null) return text;
    const transform = this.#visibility.transformOf(level);
    return transform === '' ? text : transformText(text, transform, level.el);
  }

  generatedText(pseudo: '::before' | '::after'): string {
    const level = this.#level;
    if (level?.generates !== true || level.isCode || this.#isFolded(level)) return '';
    if (level.preformatted && isWithinCode(level.el, this.#visibility.codeView)) return '';
    return this.#visibility.generatedOf(level, pseudo);
  }

  #generated(writer: Writer, level: Level, pseudo: '::before' | '::after'): void {
    if (!level.generates || level.isSilent) return;
    const text = this.generatedText(pseudo);
    if (text !== '') writer.text?.(text, false);
  }

  /** Text directly inside a closed `<details>` is not shown, though the element is. */
  #isFolded(level: Level | null): boolean {
    if (level?.tag !== 'details' || level.el === null) return false;
    return !this.options.includeHidden && isFolded(level.el);
  }

  #isCollapsed(parent: Level, el: Element): boolean {
    if (!this.#isFolded(parent)) return false;
    if (parent.summary === undefined) parent.summary = summaryOf(parent.el);
    return parent.summary !== el;
  }

  #element(writer: Writer, parent: Level, el: Element): void {
    const tag = el.localName;
    const bits = tagBits(tag);
    if (this.#visibility.isSkipped(el, bits)) return;
    const { selection } = this.options;
    const isSilent = selection !== null && !selection.has(el);
    if (isSilent && !selection.isOnWay(el)) return;
    if (this.#isCollapsed(parent, el)) {
      this.facts.hiddenElements += 1;
      return;
    }
    if (tag === 'area') return this.#area(writer, el);
    const level = this.#push(parent, el);
    level.isSilent = isSilent;
    if (!this.#open(parent, level, el)) this.#level = parent;
    else if ((bits & TAG.frame) !== 0 && isFrameElement(el) && !this.#isFallback(el))
      this.#frame(writer, level, el);
    else if (!isSilent && !writer.enter(el, tag, level.flow)) this.#level = parent;
    else {
      this.#generated(writer, level, '::before');
      this.#children(level, el);
    }
  }

  /** Fills the level of an element. False if it is wholly invisible, or if another text repeats it. */
  #open(parent: Level, level: Level, el: Element): boolean {
    const { tag } = level;
    const flow = this.#visibility.enter(el, parent, level);
    if (this.#isUnseen(el, level, flow)) {
      // A cell that shows nothing still has its column.
      if (!isCell(el) || renderingOf(el) === RENDERING.none) return false;
      level.isStoodIn = true;
      level.bits = TAG.atom;
    }
    if (tag === 'details' || tag === 'canvas' || tag === 'embed') this.#counter.countUnread(el, tag, level);
    fillLevel(this.#visibility, level, el, flow);
    if (level.root !== null) this.#remember(level, level.root);
    return true;
  }

  #isUnseen(el: Element, level: Level, flow: Flow | null): boolean {
    if (flow === null) this.#counter.countHidden(el, level);
    if (flow === null || !level.attributed) return flow === null;
    this.#counter.countAttributes(el, level.tag, level);
    return el.getAttribute('aria-hidden') === 'true' && this.#visibility.isRepeatedNearby(el);
  }

  /** A tree that the walk has entered. */
  #remember(level: Level, root: Document | ShadowRoot): void {
    this.#animations.add(root);
    this.#code.add(root, level.styles);
  }

  /** An `<object>` without anything to show shows its content. */
  #isFallback(el: FrameElement): boolean {
    if (!isObject(el) || innerDocument(el) !== null || el.contentWindow !== null) return false;
    return this.#visibility.isFallbackShown(el);
  }

  /** An `<area>` has no box: it is visible if its image is. */
  #area(writer: Writer, el: Element): void {
    const map = el.closest('map');
    const name = map?.getAttribute('name') ?? map?.id ?? '';
    const picture = el.ownerDocument.querySelector(`img[usemap="#${CSS.escape(name)}"]`);
    if (!el.hasAttribute('href') || picture === null || !this.#visibility.isShown(picture)) return;
    if (writer.enter(el, 'area', FLOW.inline)) writer.leave?.(el, 'area', FLOW.inline);
  }

  #children(level: Level, el: Element): void {
    if (level.root !== null) level.next = level.root.firstChild;
    else if ((level.bits & TAG.atom) !== 0 && level.tag !== 'object') level.next = null;
    else {
      level.list = level.tag === 'slot' ? slottedIn(el) : null;
      const root = level.list?.[0]?.getRootNode();
      // Slotted content is styled by its own tree.
      if (root !== undefined && (isDocument(root) || isShadowRoot(root)))
        level.styles = this.#visibility.stylesOf(root);
      level.next = el.firstChild;
    }
    if (this.#way.length > 0) this.#takeWay(level, el);
  }

  /** Skips to the next element on the path to the starting one. */
  #takeWay(level: Level, el: Element): void {
    const at = this.#way.indexOf(el);
    if (at === -1) return;
    this.#way.splice(0, at + 1);
    const [next] = this.#way;
    if (next === undefined) return;
    if (level.list !== null) level.index = Math.max(0, level.list.indexOf(next));
    else if (next.parentNode === level.next?.parentNode) level.next = next;
  }

  #close(writer: Writer, level: Level): void {
    this.#generated(writer, level, '::after');
    if (level.closesFrame) writer.leaveFrame(originOf(level.view.document));
    else if (level.el !== null && !level.isSilent) writer.leave?.(level.el, level.tag, level.flow);
    this.#level = level.outer;
  }

  /** Walks a same-origin frame in place. Any other frame is marked, and its own content script reads it. */
  #frame(writer: Writer, level: Level, el: FrameElement): void {
    level.next = null;
    level.isSilent = true;
    if (!this.#visibility.isAtomSeen(el, level) || isTiny(el)) {
      this.#level = level.outer;
      if (!this.options.includeHidden) this.facts.hiddenElements += 1;
      return;
    }
    const inner = innerDocument(el);
    const isPdf = inner?.contentType === 'application/pdf';
    if (inner?.documentElement != null && !isPdf) {
      this.facts.frames += 1;
      enterFrame(this.#visibility, level, inner);
      this.#remember(level, inner);
      level.next = inner.documentElement;
      writer.enterFrame(originOf(inner), nameOfFrame(el));
      return;
    }
    this.#level = level.outer;
    if (isPdf) this.facts.pdfs.add(inner.URL);
    else if (el.contentWindow !== null) writer.frame((place) => markFrame(el, this.options.refs, place));
  }

  #push(parent: Level, el: Element): Level {
    return (this.#level = beginLevel((parent.inner ??= new Level(parent.view)), parent, el, this.#thorough));
  }

  /** Opens the document, or the next root below levels for its ancestors. */
  #openNext(): boolean {
    const { roots, document } = this.options;
    if (this.#nextRoot > 0 && this.#nextRoot >= roots.length) return false;
    const root = roots[this.#nextRoot];
    this.#nextRoot += 1;
    if (root === undefined) {
      this.#openDocument(this.#top, document.documentElement);
      return true;
    }
    const way = lineageOf(flatParent(root)).reverse();
    const own = root.ownerDocument;
    const base = this.#openDocument(own === document ? this.#top : this.#visibility.viewOf(own), null);
    let parent = base;
    for (const el of way) {
      const level = this.#push(parent, el);
      level.isSilent = true;
      level.next = null;
      if (this.#visibility.enter(el, parent, level) === null) {
        this.facts.hiddenElements += 1;
        this.#level = null;
        return true;
      }
      fillLevel(this.#visibility, level, el, null);
      if (level.root !== null) this.#remember(level, level.root);
      parent = level;
    }
    parent.list = [root];
    return true;
  }

  #openDocument(view: View, first: Element | null): Level {
    const level = documentLevel(this.#visibility, view);
    level.inner = this.#base?.inner ?? null;
    this.#remember(level, view.document);
    level.next = first;
    this.#base = this.#level = level;
    return level;
  }

  get isHost(): boolean {
    return this.#level?.root != null;
  }

  get isAttributed(): boolean {
    return this.#level?.attributed === true;
  }

  isAtomSeen(el: Element): boolean {
    return this.#level !== null && this.#visibility.isAtomSeen(el, this.#level);
  }

  isTextSeen(): boolean {
    const level = this.#level;
    return level !== null && !this.#isFolded(level) && this.#visibility.isTextSeen(level);
  }

  seenText(node: Text): string {
    const level = this.#level;
    return level === null || this.#isFolded(level) ? '' : this.#visibility.seenText(level, node);
  }

  isClickable(): boolean {
    return this.#level !== null && this.#visibility.isClickable(this.#level);
  }

  isStruck(): boolean {
    return this.#level !== null && this.#visibility.isStruck(this.#level);
  }

  codePart(): CodePart | null {
    return this.#level === null ? null : this.#code.partAt(this.#level);
  }

  isSeen(el: Element): boolean {
    return this.#visibility.isShown(el);
  }
}
