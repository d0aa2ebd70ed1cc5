import {
  attributesOf,
  childrenOf,
  lookUp,
  isCheckable,
  isInput,
  isOption,
  isTextarea,
  isMedia,
  isSelect,
  isSvg,
} from '../../../dom/elements.ts';
import { isSecret, optionsOf } from '../../../dom/controls.ts';
import { isControlVisible, isPictureOfNothing, isValueSeen } from './seen.ts';
import { isMath, mathText } from './formula.ts';
import { absoluteUrl, isScriptUrl } from '../../../dom/media.ts';
import { isAttributeShown, isShown } from '../../../dom/visible.ts';
import type { FrameMark } from '../../../core/page/protocol.ts';
import type { FramePlace, Writer, WriterTools } from './out.ts';

/** A start tag with the attributes that may leave the page. */
function openTag(el: Element, tag: string, includeLinks: boolean, isValueHidden = false): string {
  let html = `<${tag}`;
  for (const [name, value] of safeAttributes(el, includeLinks, isValueHidden))
    html += value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  return `${html}>`;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };
const entityOf = (sign: string): string => lookUp(ENTITIES, sign) ?? sign;

export const escapeText = (text: string): string => text.replace(/[&<>]/g, entityOf);

const escapeAttribute = (text: string): string => text.replace(/[&"<\u00a0]/g, entityOf);

const URLS = new Set('href src action formaction cite data poster background xlink:href longdesc'.split(' '));
const LINKS = new Set('href action formaction cite xlink:href longdesc ping'.split(' '));
/** Useless to a reader, or a whole document in an attribute. */
const DROPPED = new Set('style nonce integrity crossorigin srcdoc ping is'.split(' '));

/**
 * The attributes of an element that may leave the page: no handlers, no script addresses, no secret values; addresses
 * absolute; a control's state as it is now rather than in the source.
 */
export function safeAttributes(
  el: Element,
  includeLinks: boolean,
  isValueHidden = false,
): [string, string][] {
  const kept: [string, string][] = [];
  const secret = isSecret(el);
  for (const [name, value] of attributesOf(el)) {
    if (isDropped(name)) continue;
    if ((secret && /^(?:data-|aria-value)/.test(name)) || (LINKS.has(name) && !includeLinks)) continue;
    if ((name === 'placeholder' && isUnderValue(el)) || !isAttributeShown(el, name)) continue;
    if (name === 'srcset') kept.push([name, absoluteCandidates(value, el)]);
    else if (!URLS.has(name)) kept.push([name, value]);
    else if (!isScriptUrl(value)) kept.push([name, absolute(value, el)]);
  }
  kept.push(...liveState(el, secret || isValueHidden));
  return kept;
}

/** A placeholder is hidden while its field has a value. */
const isUnderValue = (el: Element): boolean => (isInput(el) || isTextarea(el)) && el.value !== '';

const isDropped = (name: string): boolean => name.startsWith('on') || DROPPED.has(name) || LIVE.has(name);

/** Attributes that {@link liveState} writes. */
const LIVE = new Set(['value', 'checked', 'selected']);

function liveState(el: Element, secret: boolean): [string, string][] {
  const value = el.getAttribute('value');
  const own: [string, string][] = value === null ? [] : [['value', value]];
  if (isCheckable(el)) return el.checked ? [...own, ['checked', '']] : own;
  if (isOption(el)) return el.selected ? [...own, ['selected', '']] : own;
  if (isInput(el)) return secret || el.value === '' || el.type === 'file' ? [] : [['value', el.value]];
  return secret || isTextarea(el) ? [] : own;
}

function absolute(url: string, el: Element): string {
  return url === '' || /^(?:data|blob):/i.test(url) ? url : absoluteUrl(url, el);
}

/** Candidates of an image: each an address and everything up to the next comma. */
function absoluteCandidates(srcset: string, el: Element): string {
  return srcset.replace(
    /([\s,]*)(\S*[^\s,])([^,]*)/g,
    (_all, before: string, url: string, after: string) => before + absolute(url, el) + after,
  );
}

/** Head elements that describe the document and load no script. */
const KEPT = new Set('base link meta style title'.split(' '));

/** The doctype of the source, or an empty text. */
function doctypeOf({ doctype }: Document): string {
  if (doctype === null) return '';
  const { name, publicId, systemId } = doctype;
  const ids = [publicId, systemId].map((id) => `"${id.replaceAll('"', '')}"`);
  if (publicId !== '') return `<!DOCTYPE ${name} PUBLIC ${ids[0]}${systemId === '' ? '' : ` ${ids[1]}`}>\n`;
  return `<!DOCTYPE ${name}${systemId === '' ? '' : ` SYSTEM ${ids[1]}`}>\n`;
}

/**
 * A document's head without scripts, as HTML that is safe to open anywhere: it declares the text's present encoding,
 * and nothing in it navigates.
 */
function writeDocumentHead({ head }: Document): string {
  let html = '<head><meta charset="utf-8">';
  for (const el of head?.querySelectorAll('*') ?? []) {
    const tag = el.localName;
    if (!KEPT.has(tag) || el.closest('noscript') !== null || saysEncodingOrLeaves(el)) continue;
    html += openTag(el, tag, true);
    if (tag === 'title') html += `${escapeText(el.textContent ?? '')}</title>`;
    // A style is raw text: only its own end tag could end it early.
    if (tag === 'style') html += `${(el.textContent ?? '').replaceAll(/<\/(?=style)/gi, '<\\/')}</style>`;
  }
  return `${html}</head>`;
}

function saysEncodingOrLeaves(el: Element): boolean {
  return (
    el.localName === 'meta' &&
    (el.hasAttribute('charset') ||
      /^\s*(?:content-type|refresh|set-cookie)\s*$/i.test(el.getAttribute('http-equiv') ?? ''))
  );
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * Writes cleaned HTML: rendered content without scripts, handlers, comments and hidden content. Shadow trees replace
 * the content of their hosts; a frame's document becomes a `div` that names its origin.
 */
export class HtmlWriter implements Writer {
  readonly #closers: string[] = [];
  #heads: string[] = [];
  #frames = 0;

  constructor(private readonly tools: WriterTools) {}

  enter(el: Element, tag: string): boolean {
    if (tag === 'slot' || (this.#frames > 0 && (tag === 'html' || tag === 'body'))) {
      this.#closers.push('');
      return true;
    }
    if (isMath(el, tag)) {
      // Nothing inside a formula is walked: its drawing would repeat it.
      if (this.tools.view.isTextSeen()) this.#write(`<span role="math">${escapeText(mathText(el))}</span>`);
      return false;
    }
    if (this.#isLeftOut(el)) return false;
    this.#start(el, tag);
    if (VOID.has(tag)) return false;
    if (isTextarea(el) && !isSecret(el) && isValueSeen(el, this.tools.view))
      this.#write(escapeText(el.value));
    if (isSelect(el)) this.#options(el);
    this.#unwalked(el);
    this.#closers.push(`</${tag}>`);
    return true;
  }

  #isLeftOut(el: Element): boolean {
    if (!isInput(el)) return isPictureOfNothing(el, this.tools);
    const isHidden = el.type === 'hidden' && !this.tools.options.include_hidden;
    return isHidden || !isControlVisible(el, this.tools);
  }

  #start(el: Element, tag: string): void {
    const { include_links, include_head } = this.tools.options;
    const isDocument = include_head === true && el === document.documentElement;
    if (isDocument) this.#write(doctypeOf(document));
    this.#write(openTag(el, tag, include_links, isInput(el) && !isValueSeen(el, this.tools.view)));
    if (isDocument && tag === 'html') this.#write(writeDocumentHead(document));
  }

  /** An SVG's title, a video's sources. */
  #unwalked(el: Element): void {
    if (isMedia(el))
      for (const part of el.querySelectorAll('source,track'))
        this.#write(openTag(part, part.localName, this.tools.options.include_links));
    if (!isSvg(el) || !isShown(el)) return;
    for (const child of childrenOf(el))
      if (child.localName === 'title') this.#write(`<title>${escapeText(child.textContent ?? '')}</title>`);
  }

  /** Options are not walked: they are not part of the page until the list opens. */
  #options(select: HTMLSelectElement): void {
    if (isSecret(select) || !isValueSeen(select, this.tools.view)) return;
    let group: Element | null = null;
    for (const option of optionsOf(select)) {
      const next = option.closest('optgroup');
      if (group !== next && group !== null) this.#write('</optgroup>');
      if (group !== next && next !== null) this.#write(openTag(next, 'optgroup', false));
      group = next;
      this.#write(`${openTag(option, 'option', false)}${escapeText(option.text)}</option>`);
    }
    if (group !== null) this.#write('</optgroup>');
  }

  leave(): void {
    const closer = this.#closers.pop();
    if (closer !== undefined && closer !== '') this.tools.out.write(closer);
  }

  text(data: string): void {
    this.#write(escapeText(data));
  }

  space(): void {
    this.tools.out.write('\n');
  }

  enterFrame(origin: string): void {
    this.#frames += 1;
    this.#heads.push(`<div data-frame="${escapeAttribute(origin)}">`);
  }

  leaveFrame(): void {
    this.#frames -= 1;
    if (this.#heads.pop() === undefined) this.tools.out.write('</div>');
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.tools.out.mark(make({ prefix: '', follows: true }));
  }

  #write(html: string): void {
    if (this.#heads.length > 0) {
      const heads = this.#heads.join('');
      this.#heads = [];
      this.tools.out.write(heads);
    }
    this.tools.out.write(html);
  }
}
