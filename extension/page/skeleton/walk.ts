import {
  CLOSED_ROOT_FULL_CHECK,
  innerDocument,
  isElement,
  isFrameElement,
  isInput,
  isText,
  shadowRootOf,
  squash,
  type FrameElement,
} from '../dom.ts';
import { markFrame } from '../frames.ts';
import type { Refs } from '../refs.ts';
import { originOf } from '../frames.ts';
import { escapeText } from '../write/html-text.ts';
import type { Out } from '../write/out.ts';
import { cut } from '../../../shared/cut.ts';
import type { SkeletonOptions } from '../../../shared/tools/html_skeleton/options.ts';
import { keepAddress, keptAttributes } from './attributes.ts';
import { isContentHidden, isHiddenElement, isInHidden, isRendered } from './hidden.ts';
import { escapeAttribute, openTag, tagName } from './markup.ts';
import { shapeOf } from './shape.ts';
import { planSiblings, type Planned } from './siblings.ts';

/** UTF-16 code units of one document's skeleton; the rest is only counted. */
const MOST_UNITS = 256 * 1024;

/** Of the text of one element, what is looked at. */
const MOST_TEXT = 16 * 1024;

const VOID = new Set('area base br col embed hr img input link meta source track'.split(' '));
/** No selector of a page's content names them. Text continues across them, as a person reads it. */
const LEFT_OUT = new Set(
  'head script style link meta base title noscript template noembed noframes source track param wbr'.split(
    ' ',
  ),
);
/** What is in them is data of a control, or not worth a line each. */
const OPAQUE = new Set('textarea video audio canvas math picture'.split(' '));

interface Place {
  /** Levels below what was asked for. */
  readonly depth: number;
  readonly indent: string;
  /** Marked already. */
  readonly isHidden: boolean;
  /** In a frame that is hidden, whose document knows nothing of it. */
  readonly isSealed: boolean;
  /** Text here is not visible. */
  readonly isMute: boolean;
}

/** What a skeleton is drawn of. */
export interface SkeletonSource {
  readonly document: Document;
  /** Empty for the whole document. */
  readonly roots: readonly Element[];
  readonly options: SkeletonOptions;
  readonly refs: Refs;
  readonly out: Out;
  /** What each line begins with. */
  readonly prefix: string;
}

/**
 * Draws the tree of a document as it is, not as it is rendered: light trees in their order, shadow
 * roots as the declarative templates they could have come from, frames of this origin in place.
 * Every comment is ours: those of the page are left out, and its text cannot make one.
 */
export class SkeletonWalk {
  hiddenElements = 0;
  frames = 1;
  isCut = false;
  readonly #source: SkeletonSource;
  readonly #thorough: boolean;

  constructor(source: SkeletonSource) {
    this.#source = source;
    this.#thorough = source.document.getElementsByTagName('*').length <= CLOSED_ROOT_FULL_CHECK;
  }

  run(): void {
    const { document, roots, prefix } = this.#source;
    const isSealed = roots.some(isInHidden);
    const top: Place = { depth: 0, indent: prefix, isHidden: false, isSealed, isMute: isSealed };
    if (roots.length > 0) this.#siblings(roots, top);
    else if (document.documentElement !== null) this.#element(document.documentElement, top);
  }

  #line(place: Place, text: string): void {
    this.#source.out.write(`\n${place.indent}${text}`);
  }

  get #isFull(): boolean {
    return this.#source.out.units > MOST_UNITS;
  }

  /** Elements and texts of one parent, repetitions collapsed. */
  #siblings(nodes: readonly Node[], place: Place): void {
    const elements = nodes.filter(
      (node): node is Element => isElement(node) && !LEFT_OUT.has(node.localName),
    );
    const plans = plansByPosition(planSiblings(elements.map(shapeOf)));
    let position = -1;
    let isSkipping = false;
    // Comments and scripts part no word, and a redactor is to see what a person reads as one.
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

  /** A text with the next one, where that is seen and something of it would be shown. */
  #join(text: string, next: Text, place: Place): string {
    const isShown = !place.isMute && text.length <= MOST_TEXT && this.#source.options.text_length > 0;
    if (isShown && !/\S/.test(next.data)) return text === '' ? '' : `${text} `;
    return isShown && isRendered(next) ? text + next.data.slice(0, MOST_TEXT) : text;
  }

  #tellRest(count: number, place: Place): void {
    this.isCut = true;
    if (count > 0) this.#line(place, `<!-- ${count} more, not shown -->`);
  }

  #text(data: string, place: Place): void {
    const text = this.#shorten(data);
    if (text !== '') this.#line(place, text);
  }

  /** Of a long text only the beginning is looked at. */
  #shorten(data: string): string {
    const { text_length: most } = this.#source.options;
    if (most === 0) return '';
    const looked = most * 8 + 1_024;
    const isLong = data.length > looked;
    const text = squash((isLong ? data.slice(0, looked) : data).replaceAll('\ufeff', ''));
    return escapeText(cut(text, most, isLong)).toWellFormed();
  }

  #element(el: Element, place: Place): void {
    const tag = tagName(el);
    const isHidden = place.isSealed || isHiddenElement(el, place.isHidden);
    const isMarked = isHidden && !place.isHidden;
    if (isMarked) this.hiddenElements += 1;
    const isTextless = isHidden || (isInput(el) && el.type === 'hidden');
    const open = `${openTag(tag, keptAttributes(el, isTextless))}${isMarked ? '<!-- hidden -->' : ''}`;
    if (VOID.has(tag)) return this.#line(place, open);
    const inner: Place = {
      depth: place.depth + 1,
      indent: `${place.indent} `,
      isHidden,
      isSealed: place.isSealed,
      isMute: isHidden || isContentHidden(el),
    };
    if (tag === 'svg') return this.#line(place, `${open}${drawingOf(el, isHidden)}</svg>`);
    if (isFrameElement(el)) return this.#frame(el, { open, tag, place, inner });
    const root = OPAQUE.has(tag) ? null : shadowRootOf(el, this.#thorough);
    const only = root === null ? this.#onlyText(el, tag, inner) : null;
    if (only !== null) return this.#line(place, `${open}${only}</${tag}>`);
    this.#line(place, open);
    this.#below(el, root, inner);
    this.#line(place, `</${tag}>`);
  }

  /** The text of an element that holds nothing else, or null where it holds elements to show. */
  #onlyText(el: Element, tag: string, inner: Place): string | null {
    if (OPAQUE.has(tag)) return '';
    for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling)
      if (!LEFT_OUT.has(child.localName)) return null;
    let text = '';
    for (const node of el.childNodes) {
      if (isText(node)) text = this.#join(text, node, inner);
      if (text.length > MOST_TEXT) break;
    }
    return this.#shorten(text);
  }

  #below(el: Element, root: ShadowRoot | null, inner: Place): void {
    if (inner.depth >= this.#source.options.max_depth) {
      const count = el.getElementsByTagName('*').length + (root?.querySelectorAll('*').length ?? 0);
      return this.#line(inner, `<!-- ${count} elements deeper -->`);
    }
    if (root !== null) this.#shadow(root, inner);
    this.#siblings([...el.childNodes], inner);
  }

  #shadow(root: ShadowRoot, place: Place): void {
    this.#line(place, `<template shadowrootmode="${root.mode}">`);
    this.#siblings([...root.childNodes], { ...place, indent: `${place.indent} ` });
    this.#line(place, '</template>');
  }

  #frame(
    el: FrameElement,
    { open, tag, place, inner }: { open: string; tag: string; place: Place; inner: Place },
  ): void {
    this.#line(place, open);
    const document = innerDocument(el);
    const isDeepEnough = inner.depth >= this.#source.options.max_depth;
    if (document?.documentElement != null && !isDeepEnough) {
      this.frames += 1;
      this.#line(inner, `<!-- frame of ${escapeText(originOf(document))} -->`);
      this.#element(document.documentElement, { ...inner, isSealed: inner.isHidden });
      // The document of another origin would not know that it is hidden, and so it is not asked.
    } else if (document === null && el.contentWindow !== null && !isDeepEnough && !inner.isHidden)
      this.#source.out.mark(markFrame(el, this.#source.refs, { prefix: inner.indent, follows: true }));
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

/** How many were left out, like what, and how the last of them is called. */
function moreOf({ skipped, isLikeLast }: Extract<Planned, { skipped: number }>, last: Element): string {
  const id = last.getAttribute('id');
  const name = id === null || !/^[\w:.-]{1,60}$/.test(id) ? '' : `, the last #${id}`;
  return `<!-- ${skipped} more like ${isLikeLast ? 'this' : 'those above'}${name} -->`;
}

/** Of a drawing its title and what it borrows: which icon it is. */
function drawingOf(svg: Element, isHidden: boolean): string {
  const title = isHidden ? '' : squash(svg.querySelector('title')?.textContent ?? '');
  const use = svg.querySelector('use');
  const href = keepAddress(use?.getAttribute('href') ?? use?.getAttribute('xlink:href') ?? '') ?? '';
  return (
    (title === '' ? '' : `<title>${escapeText(cut(title, 40)).toWellFormed()}</title>`) +
    (href === '' || /^data:/i.test(href) ? '' : `<use href="${escapeAttribute(href).toWellFormed()}"></use>`)
  );
}
