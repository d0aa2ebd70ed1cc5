import {
  countEach,
  isElement,
  isFrameElement,
  isInput,
  isText,
  squash,
  type FrameElement,
  isOption,
} from '../../../dom/elements.ts';
import { CLOSED_ROOT_FULL_CHECK, innerDocument, shadowRootOf } from '../../../dom/trees.ts';
import { markFrame, originOf } from '../../../dom/frames.ts';
import type { Refs } from '../../../dom/refs.ts';
import { isListed } from '../../../dom/controls.ts';
import { RENDERING, isLeftOut, isShown, renderingOf, shownText } from '../../../dom/visible.ts';
import { escapeText } from '../write/html.ts';
import type { Out } from '../write/out.ts';
import { cut } from '../../../../shared/base/cut.ts';
import type { SkeletonOptions } from '../../../../shared/read/html_skeleton.methods.ts';
import { keepAddress, keptAttributes, shapeOf, type Shape } from './attributes.ts';

/** A sibling to show, or a count of omitted ones. */
export type Planned =
  | { readonly show: number }
  | {
      /** Position of the last omitted one. */
      readonly last: number;
      readonly skipped: number;
      readonly isLikeLast: boolean;
    };

/** A comment replaces at least two elements. */
const MIN_SKIPPED = 2;
/** Siblings shown before those that differ only in their names count as repetition. */
const NAMED_ALIKE = 12;

/**
 * Chooses the siblings of a skeleton: the first of each shape, both of a shape that occurs twice, and the first dozen
 * that differ only in their ids. The rest become counts; they need not be adjacent, so that alternating rows collapse
 * too.
 */
export function planSiblings(shapes: readonly Shape[]): Planned[] {
  const totals = countEach(shapes.flatMap(({ fine, coarse }) => [`fine ${fine}`, `coarse ${coarse}`]));
  const seen = new Map<string, number>();
  const plan: Planned[] = [];
  let lastFine: string | null = null;
  let run: { last: number; skipped: number; isLikeLast: boolean } | null = null;
  for (const [index, { fine, coarse }] of shapes.entries()) {
    const ofFine = seen.get(`fine ${fine}`) ?? 0;
    const ofCoarse = seen.get(`coarse ${coarse}`) ?? 0;
    const isRepeated = ofFine > 0 && (totals.get(`fine ${fine}`) ?? 0) > MIN_SKIPPED;
    const isNamedAlike =
      ofCoarse >= NAMED_ALIKE && (totals.get(`coarse ${coarse}`) ?? 0) >= NAMED_ALIKE + MIN_SKIPPED;
    seen.set(`fine ${fine}`, ofFine + 1);
    if (isRepeated || isNamedAlike) {
      const isLikeLast = fine === lastFine;
      if (run === null) plan.push((run = { last: index, skipped: 1, isLikeLast }));
      else {
        run.last = index;
        run.skipped += 1;
        run.isLikeLast &&= isLikeLast;
      }
      continue;
    }
    seen.set(`coarse ${coarse}`, ofCoarse + 1);
    plan.push({ show: index });
    lastFine = fine;
    run = null;
  }
  return plan;
}

/** These have no box of their own to be hidden. */
const BOXLESS = new Set('option optgroup area col colgroup map datalist br slot'.split(' '));

/**
 * Hidden by style alone, wherever it is scrolled to, with all children.
 * @param isInHidden whether its container is hidden; an element without a box follows it
 */
function isHiddenElement(el: Element, isInHidden: boolean): boolean {
  if (isInput(el) && el.type === 'hidden') return isInHidden;
  if (BOXLESS.has(el.localName)) return isInHidden || (isOption(el) && !isListed(el));
  return isLeftOut(el) || renderingOf(el) !== RENDERING.whole;
}

/** Whether a container (list, frame) hides the element without that being visible at the element. */
function isInHidden(el: Element): boolean {
  const box = BOXLESS.has(el.localName) ? el.closest(`:not(${[...BOXLESS].join()})`) : null;
  if (box !== null && isHiddenElement(box, false)) return true;
  const frame = el.ownerDocument.defaultView?.frameElement ?? null;
  return frame !== null && (isHiddenElement(frame, false) || isInHidden(frame));
}

/** Whether only the contents of an element are hidden, as in a closed `details`. */
function isContentHidden(el: Element): boolean {
  if (el.localName === 'details') return !el.hasAttribute('open');
  return getComputedStyle(el).getPropertyValue('content-visibility') === 'hidden';
}

/** A parser accepts almost any character in a name; a skeleton does not. */
function tagName(el: Element): string {
  const name = el.localName.replace(/[^\w.:-]/g, '_');
  return name.length > 60 ? 'too-long-a-name' : name;
}

/** Attributes without value have no quotes; the rest have double quotes. */
export function openTag(tag: string, attributes: readonly (readonly [string, string])[]): string {
  let html = `<${tag}`;
  for (const [name, value] of attributes)
    html += value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value).toWellFormed()}"`;
  return `${html}>`;
}

/** On one line, without anything that could begin a tag or a comment. */
export const escapeAttribute = (text: string): string =>
  escapeText(text.replaceAll('\ufeff', '').replace(/\s+/g, ' ')).replaceAll('"', '&quot;');

/** Longest skeleton of one document, in UTF-16 code units; the rest is only counted. */
const MAX_UNITS = 256 * 1024;

const MAX_TEXT = 16 * 1024;

const VOID = new Set('area base br col embed hr img input link meta source track'.split(' '));
/** No selector for content names these. Text continues across them, as people read it. */
const LEFT_OUT = new Set(
  'head script style link meta base title noscript template noembed noframes source track param wbr'.split(
    ' ',
  ),
);
const OPAQUE = new Set('textarea video audio canvas math picture'.split(' '));

interface SkeletonLevel {
  /** Levels below the requested element. */
  readonly depth: number;
  readonly indent: string;
  /** Already marked. */
  readonly isHidden: boolean;
  /** In a hidden frame, whose document does not know it. */
  readonly isSealed: boolean;
  /** Text here is not visible. */
  readonly isMute: boolean;
}

export interface SkeletonSource {
  readonly document: Document;
  /** Empty for the whole document. */
  readonly roots: readonly Element[];
  readonly options: SkeletonOptions;
  readonly refs: Refs;
  readonly out: Out;
  readonly prefix: string;
}

/**
 * Draws a document's tree as it is, not as it is rendered: light trees in order, shadow roots as declarative templates,
 * same-origin frames in place. Every comment is our own: the page's are omitted, and its text cannot create one.
 */
export class SkeletonWalk {
  hiddenElements = 0;
  frames = 1;
  isCut = false;
  readonly #thorough: boolean;

  constructor(private readonly source: SkeletonSource) {
    this.#thorough = source.document.getElementsByTagName('*').length <= CLOSED_ROOT_FULL_CHECK;
  }

  run(): void {
    const { document, roots, prefix } = this.source;
    const isSealed = roots.some(isInHidden);
    const top: SkeletonLevel = { depth: 0, indent: prefix, isHidden: false, isSealed, isMute: isSealed };
    if (roots.length > 0) this.#siblings(roots, top);
    else if (document.documentElement !== null) this.#element(document.documentElement, top);
  }

  #line(place: SkeletonLevel, text: string): void {
    this.source.out.write(`\n${place.indent}${text}`);
  }

  get #isFull(): boolean {
    return this.source.out.units > MAX_UNITS;
  }

  /** Elements and texts of one parent, repetitions collapsed. */
  #siblings(nodes: readonly Node[], place: SkeletonLevel): void {
    const elements = nodes.filter(
      (node): node is Element => isElement(node) && !LEFT_OUT.has(node.localName),
    );
    const plans = plansByPosition(planSiblings(elements.map(shapeOf)));
    let position = -1;
    let isSkipping = false;
    // Comments and scripts do not separate words, and a redactor has to see each word whole.
    let text = '';
    for (const node of nodes) {
      if (this.#isFull) return this.#tellRest(elements.length - position - 1, place);
      if (isText(node)) {
        // Text between two omitted elements (a comma, a bar) is omitted too.
        const next = plans.get(position + 1);
        if (!isSkipping || next === undefined || 'show' in next) text = this.#join(text, node, place);
        continue;
      }
      if (!isElement(node) || LEFT_OUT.has(node.localName)) continue;
      this.#text(text, place);
      text = '';
      position += 1;
      const plan = plans.get(position);
      isSkipping = plan !== undefined && !('show' in plan);
      if (plan === undefined || 'show' in plan) this.#element(node, place);
      else if (plan.last === position) this.#line(place, moreOf(plan, node));
    }
    this.#text(text, place);
  }

  /** Joins a text with the next one, if that is visible and would be shown. */
  #join(text: string, next: Text, place: SkeletonLevel): string {
    const isShown = !place.isMute && text.length <= MAX_TEXT && this.source.options.text_length > 0;
    if (isShown && !/\S/.test(next.data)) return text === '' ? '' : `${text} `;
    return isShown ? text + shownText(next).slice(0, MAX_TEXT) : text;
  }

  #tellRest(count: number, place: SkeletonLevel): void {
    this.isCut = true;
    if (count > 0) this.#line(place, `<!-- ${count} more, not shown -->`);
  }

  #text(data: string, place: SkeletonLevel): void {
    const text = this.#shorten(data);
    if (text !== '') this.#line(place, text);
  }

  /** Only the beginning of a long text is needed. */
  #shorten(data: string): string {
    const { text_length: most } = this.source.options;
    if (most === 0) return '';
    const looked = most * 8 + 1_024;
    const isLong = data.length > looked;
    const text = squash((isLong ? data.slice(0, looked) : data).replaceAll('\ufeff', ''));
    return escapeText(cut(text, most, isLong)).toWellFormed();
  }

  #element(el: Element, place: SkeletonLevel): void {
    const tag = tagName(el);
    const isHidden = place.isSealed || isHiddenElement(el, place.isHidden);
    const isMarked = isHidden && !place.isHidden;
    if (isMarked) this.hiddenElements += 1;
    const isTextless = isHidden || (isInput(el) && el.type === 'hidden');
    const open = `${openTag(tag, keptAttributes(el, isTextless))}${isMarked ? '<!-- hidden -->' : ''}`;
    if (VOID.has(tag)) return this.#line(place, open);
    const inner: SkeletonLevel = {
      depth: place.depth + 1,
      indent: `${place.indent} `,
      isHidden,
      isSealed: place.isSealed,
      isMute: isHidden || isContentHidden(el),
    };
    if (tag === 'svg') return this.#line(place, `${open}${drawingOf(el, isHidden || !isShown(el))}</svg>`);
    if (isFrameElement(el)) return this.#frame(el, { open, tag, place, inner });
    const root = OPAQUE.has(tag) ? null : shadowRootOf(el, this.#thorough);
    const only = root === null ? this.#onlyText(el, tag, inner) : null;
    if (only !== null) return this.#line(place, `${open}${only}</${tag}>`);
    this.#line(place, open);
    this.#below(el, root, inner);
    this.#line(place, `</${tag}>`);
  }

  /** The text of an element without other content, or null if it contains elements to show. */
  #onlyText(el: Element, tag: string, inner: SkeletonLevel): string | null {
    if (OPAQUE.has(tag)) return '';
    for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling)
      if (!LEFT_OUT.has(child.localName)) return null;
    let text = '';
    for (const node of el.childNodes) {
      if (isText(node)) text = this.#join(text, node, inner);
      if (text.length > MAX_TEXT) break;
    }
    return this.#shorten(text);
  }

  #below(el: Element, root: ShadowRoot | null, inner: SkeletonLevel): void {
    if (inner.depth >= this.source.options.max_depth) {
      const count = el.getElementsByTagName('*').length + (root?.querySelectorAll('*').length ?? 0);
      return this.#line(inner, `<!-- ${count} elements deeper -->`);
    }
    if (root !== null) this.#shadow(root, inner);
    this.#siblings([...el.childNodes], inner);
  }

  #shadow(root: ShadowRoot, place: SkeletonLevel): void {
    this.#line(place, `<template shadowrootmode="${root.mode}">`);
    this.#siblings([...root.childNodes], { ...place, indent: `${place.indent} ` });
    this.#line(place, '</template>');
  }

  #frame(
    el: FrameElement,
    { open, tag, place, inner }: { open: string; tag: string; place: SkeletonLevel; inner: SkeletonLevel },
  ): void {
    this.#line(place, open);
    const document = innerDocument(el);
    const isDeepEnough = inner.depth >= this.source.options.max_depth;
    if (document?.documentElement != null && !isDeepEnough) {
      this.frames += 1;
      this.#line(inner, `<!-- frame of ${escapeText(originOf(document))} -->`);
      this.#element(document.documentElement, { ...inner, isSealed: inner.isHidden });
      // Another origin's document would not know that it is hidden, so it is not asked.
    } else if (document === null && el.contentWindow !== null && !isDeepEnough && !inner.isHidden)
      this.source.out.mark(markFrame(el, this.source.refs, { prefix: inner.indent, follows: true }));
    this.#line(place, `</${tag}>`);
  }
}

function plansByPosition(plan: readonly Planned[]): ReadonlyMap<number, Planned> {
  const plans = new Map<number, Planned>();
  for (const planned of plan) {
    if ('show' in planned) plans.set(planned.show, planned);
    else for (let back = 0; back < planned.skipped; back += 1) plans.set(planned.last - back, planned);
  }
  return plans;
}

function moreOf({ skipped, isLikeLast }: Extract<Planned, { skipped: number }>, last: Element): string {
  const id = last.getAttribute('id');
  const name = id === null || !/^[\w:.-]{1,60}$/.test(id) ? '' : `, the last #${id}`;
  return `<!-- ${skipped} more like ${isLikeLast ? 'this' : 'those above'}${name} -->`;
}

/** An SVG's title and references: they identify the icon. */
function drawingOf(svg: Element, isHidden: boolean): string {
  const title = isHidden ? '' : squash(svg.querySelector('title')?.textContent ?? '');
  const use = svg.querySelector('use');
  const href = keepAddress(use?.getAttribute('href') ?? use?.getAttribute('xlink:href') ?? '') ?? '';
  return (
    (title === '' ? '' : `<title>${escapeText(cut(title, 40)).toWellFormed()}</title>`) +
    (href === '' || /^data:/i.test(href) ? '' : `<use href="${escapeAttribute(href).toWellFormed()}"></use>`)
  );
}
