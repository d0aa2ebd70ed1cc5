import {
  childrenOf,
  imageAddresses,
  isArea,
  isAnchor,
  isImage,
  isMedia,
  isVideo,
  squash,
  isElement,
  isHtml,
  isText,
  lookUp,
} from '../dom.ts';
import { decodePercent } from '../../../shared/file-name.ts';
import type { Lines } from './lines.ts';

/** Only addresses that a person can follow: never `javascript:`. */
export function linkTarget(el: Element): string | null {
  let url: string | null = null;
  if (isAnchor(el) || isArea(el)) {
    const raw = el.getAttribute('href');
    url = raw === null ? null : (resolvePath(raw, el.ownerDocument) ?? el.href);
  } else if (el.localName === 'a') {
    const raw = el.getAttribute('href') ?? el.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
    url = raw !== null && URL.canParse(raw, el.baseURI) ? new URL(raw, el.baseURI).href : null;
  }
  return url === null || isScriptUrl(url) ? null : url;
}

/** A path that is its own resolution: below the origin, normalised. */
const PLAIN_PATH =
  /^\/(?!\/)(?:[\w~!$&'()*+,;=:@-]|\.(?!\.?(?:\/|[?#]|$))|\/(?!\.)|%[\dA-Fa-f]{2})*(?:[?#][\w~!$&()*+,;=:@/?.-]*)?$/;

let baseDocument: Document | null = null;
let baseOrigin = '';

/** An address resolved as the element does; unchanged if it cannot be resolved. */
export function absoluteUrl(raw: string, el: Element): string {
  const path = resolvePath(raw, el.ownerDocument);
  if (path !== null) return path;
  try {
    return new URL(ownUrl(raw, el), el.baseURI).href;
  } catch {
    return raw;
  }
}

/** An address as its element resolves it, if it does: a query is in the encoding of the page. */
export const ownUrl = (raw: string, el: Element): string =>
  'href' in el && typeof el.href === 'string' && el.getAttribute('href') === raw ? el.href : raw;

/** Resolves a plain path without parsing: browsers parse an address again each time, which is slow on long lists. */
function resolvePath(raw: string, own: Document): string | null {
  if (!PLAIN_PATH.test(raw)) return null;
  if (own !== baseDocument) rememberBase(own);
  return baseOrigin === '' ? null : baseOrigin + raw;
}

/** Caches the origin of a document's paths; call when a read begins. */
export function rememberBase(document: Document): void {
  const { origin, protocol } = new URL(document.baseURI);
  baseDocument = document;
  baseOrigin = protocol === 'http:' || protocol === 'https:' ? origin : '';
}

/** `javascript:`, as browsers read it: leading and embedded control characters and white space are ignored. */
export function isScriptUrl(url: string): boolean {
  const first = url.charCodeAt(0) | 32;
  if (url.charCodeAt(0) > 32 && first !== 106 && first !== 118) return false; // j, v
  const scheme = url
    .slice(0, 60)
    .replace(/[\s\p{Cc}]+/gu, '')
    .toLowerCase();
  return scheme.startsWith('javascript:') || scheme.startsWith('vbscript:');
}

export interface Picture {
  readonly alt: string;
  /** Absolute address; empty for inline data and for media without an address. */
  readonly src: string;
  /** Parts of a video or recording: poster, tracks, further sources. */
  readonly parts?: readonly Picture[];
}

/** The image an element shows a person, or null for decoration. */
export function pictureOf(el: Element): Picture | null {
  if (isMedia(el)) return mediaOf(el);
  if (isImage(el)) return imageOf(el);
  const alt = labelOf(el) || svgTitle(el);
  return alt === '' ? null : { alt, src: '' };
}

const labelOf = (el: Element): string =>
  squash(el.getAttribute('aria-label') ?? '') || squash(el.getAttribute('title') ?? '');

function imageOf(el: HTMLImageElement): Picture | null {
  const given = el.getAttribute('alt');
  const alt = squash(given ?? '') || labelOf(el);
  if ((alt === '' && given !== null) || isRepeatedForScripts(el)) return null;
  const src = sourceOf(el);
  return alt === '' && src === '' ? null : { alt, src };
}

/** In a parsed page, a lazy image is read by its copy for browsers without scripts. */
function isRepeatedForScripts(el: HTMLImageElement): boolean {
  if (el.src !== '' && !INLINE.test(el.src)) return false;
  const box = el.closest('picture') ?? el;
  return [box.previousElementSibling, box.nextElementSibling].some(
    (other) => other?.localName === 'noscript' && other.querySelector('img')?.alt === el.alt,
  );
}

/** The address of an image, even if it has yet to be loaded; empty for inline data. */
export function sourceOf(el: HTMLImageElement): string {
  const src = el.currentSrc === '' ? el.src : el.currentSrc;
  if (src !== '' && !INLINE.test(src)) return src;
  const later = imageAddresses(el).find((address) => !INLINE.test(address));
  return later === undefined ? '' : absoluteUrl(later, el);
}

/** A video or recording: its name or file, duration and parts. */
function mediaOf(el: HTMLMediaElement): Picture | null {
  const sources = [el.currentSrc, el.src, ...[...el.querySelectorAll('source')].map(({ src }) => src)];
  const [src = '', ...others] = new Set(sources.filter((address) => address !== '' && !INLINE.test(address)));
  const tracks = [...el.querySelectorAll('track')].map((track) => ({
    kind: track.kind,
    text: squash(`${track.kind} ${track.label || track.srclang}`),
    src: track.src,
  }));
  const poster =
    isVideo(el) && el.poster !== '' && !INLINE.test(el.poster) ? [{ alt: 'poster', src: el.poster }] : [];
  const name = labelOf(el) || fileName(src);
  const about = [name, durationText(el.duration), ...tracks.map(({ text }) => text)].filter(
    (part) => part !== '',
  );
  const more = others.map((address) => ({ alt: fileName(address) || 'source', src: address }));
  const texts = tracks.map(({ kind, src: address }) => ({ alt: kind, src: address }));
  // A stream's address leads nowhere, but its player is visible.
  if (name === '' && sources.every((address) => address === '')) return null;
  const alt = `${el.localName}${about.length > 0 ? ': ' : ''}${about.join(', ')}`;
  return { alt, src, parts: [...more, ...poster, ...texts] };
}

const INLINE = /^(?:data|blob|javascript):/i;

const fileName = (address: string): string =>
  URL.canParse(address) ? decoded(new URL(address).pathname.split('/').at(-1) ?? '') : '';

const decoded = (name: string): string => decodePercent(name) ?? name;

/** `1:05` or `1:02:03`; empty if unknown, as for live streams. */
function durationText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return '';
  const whole = Math.round(seconds);
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Whether an SVG has text, or named parts. */
export function hasDrawnParts(svg: Element): boolean {
  return svg.querySelector('text,foreignObject,:scope [aria-label],:scope * > title') !== null;
}

const PAINTED = 'path,rect,circle,ellipse,line,polyline,polygon,text,use,image,foreignObject';

function svgTitle(el: Element): string {
  // An SVG that paints nothing needs no name.
  if (el.localName !== 'svg' || el.querySelector(PAINTED) === null) return '';
  return squash(titleIn(el));
}

/** The title of an SVG, or of a part of one. */
export const titleIn = (el: Element): string =>
  childrenOf(el).find(({ localName }) => localName === 'title')?.textContent ?? '';

const LANGUAGE_CLASS =
  /(?:^|\s)(?:language|lang|highlight-source|highlight(?!-(?:source|default|none|text)\b)|brush:|sourceCode)[-: ]\s*([\w+#.-]+)|^([\w+#.-]+) hljs$|^(?:hljs|syntaxhighlighter) +([\w+#.-]+)$/;
const LANGUAGE_NAME = /^(?:data-)?(?:[a-z]+-)*(?:language|syntax)$|^data-lang$|^lang-name$/;

/** The language of a code block by the attributes of its parts, or of an element around it. */
export function codeLanguage(pre: Element): string {
  const parts = pre.querySelectorAll('code,pre,figure');
  for (const el of [
    ...parts,
    pre,
    pre.parentElement,
    pre.parentElement?.parentElement,
    pre.closest('figure'),
  ]) {
    const language = el == null ? null : languageOf(el);
    if (language !== null) return language;
  }
  return '';
}

/** The language in an element's usual class names and attributes. */
function languageOf(el: Element): string | null {
  const found = LANGUAGE_CLASS.exec(el.getAttribute('class') ?? '');
  if (found !== null) return found.slice(1).find((name) => name !== undefined) ?? '';
  const name = el.getAttributeNames().find((each) => LANGUAGE_NAME.test(each)) ?? '';
  const data = el.getAttribute(name);
  return data !== null && /^[\w+#.-]+$/.test(data) ? data : null;
}

/** Elements of two children that are written with a sign between them. */
const SIGNS: Readonly<Record<string, string>> = { mfrac: '/', msup: '^', mover: '^', msub: '_', munder: '_' };
/** The invisible function-application operator. */
const APPLIED = '\u2061';
/** Invisible multiplication, commas and plus signs. */
const INVISIBLE = /[\u2062-\u2064]/g;
/** These repeat the rest of the formula. */
const UNREAD = new Set(['annotation', 'annotation-xml', 'mphantom', 'mspace']);

/** A formula: MathML, or one drawn by MathJax or KaTeX that contains its source. */
export function isMath(el: Element, tag: string): boolean {
  if (tag === 'math') return true;
  const isDrawn =
    tag === 'mjx-container' || (tag === 'span' && el.hasAttributes() && el.getAttribute('class') === 'katex');
  return isDrawn && el.querySelector('math') !== null;
}

/**
 * A formula's TeX source, else its MathML on one line: `(a+b)/2`, `x^2`, `x_1`.
 * @param el a `math` element, or one around it
 */
export function mathText(el: Element): string {
  const tex =
    el.querySelector('annotation[encoding="application/x-tex"]')?.textContent ?? el.getAttribute('alttext');
  const math = el.localName === 'math' ? el : el.querySelector('math');
  const shown = math === null ? '' : squash(linear(math));
  return tex != null && (shown === '' || saysNoMore(tex, shown)) ? `$${squash(tex)}$` : shown;
}

/** Words of text in TeX, as in `\\text{…}`, must also be in the formula: an annotation is not visible. */
function saysNoMore(tex: string, shown: string): boolean {
  const letters = shown
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  const words = tex
    .replace(/\\(?:begin|end|operatorname|\w*color)\*?\s*\{[^}]*\}|\\[a-z]+/gi, ' ')
    .match(/\p{L}{4,}/gu);
  return (words ?? []).every((word) => letters.includes(word.toLowerCase()));
}

/** TeX has a syntax of its own; converted MathML is text. */
export function writeMath(lines: Lines, el: Element): void {
  const text = mathText(el);
  if (text.startsWith('$')) lines.raw(text);
  else lines.text(text);
}

const isDisplayed = (el: Element): boolean =>
  el.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** Whether style hides a part of a formula. A formula that is drawn in another way may be hidden as a whole. */
function isHiddenPart(el: Element): boolean {
  const whole = isDisplayed(el) ? null : el.closest('math');
  return whole !== null && isDisplayed(whole);
}

/** Browsers draw no text between these. */
const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
const textOf = (el: Element, text: string): string =>
  TOKENS.has(el.localName) || isHtml(el) ? squash(text) : '';

function linear(el: Element): string {
  const name = el.localName;
  if (UNREAD.has(name) || isHiddenPart(el)) return '';
  const parts = [...el.children];
  if (parts.length === 0) return textOf(el, el.textContent.replace(INVISIBLE, ''));
  if (name in SIGNS) return joined(el, name, parts);
  return lookUp(LAYOUTS, name)?.(parts, el) ?? inLine(el);
}

/** Elements whose parts are not simply concatenated. */
const LAYOUTS: Readonly<Record<string, (parts: readonly Element[], el: Element) => string>> = {
  mmultiscripts: ([base, ...parts]) => scripts(base, parts),
  mroot: ([base, index]) => `${grouped(index)}√(${base === undefined ? '' : linear(base)})`,
  msqrt: (_parts, el) => `√(${inLine(el)})`,
  msubsup: ([base, ...parts]) => grouped(base) + pairs(parts),
  mtable: (parts) => parts.map(linear).join('; '),
  mtr: (parts) => parts.map(linear).join(', '),
  munderover: ([base, ...parts]) => grouped(base) + pairs(parts),
};

/** After these, a letter or digit is separated: `x^2 y` is not `x^2y`. */
const isScript = (name: string): boolean =>
  name in SIGNS || /^m(?:subsup|underover|multiscripts)$/.test(name);

function joined(el: Element, name: string, parts: readonly Element[]): string {
  if (Number.parseFloat(el.getAttribute('linethickness') ?? '') === 0) return stacked(el, parts);
  const isAccent = el.getAttribute('accent') === 'true' || el.getAttribute('accentunder') === 'true';
  return parts
    .slice(0, 2)
    .map(grouped)
    .join(isAccent ? '' : SIGNS[name]);
}

/** A fraction without a bar: a binomial in brackets, else one line above another. */
function stacked(el: Element, parts: readonly Element[]): string {
  const isBracketed =
    el.previousElementSibling?.textContent.trim() === '(' &&
    el.nextElementSibling?.textContent.trim() === ')';
  return parts.map(grouped).join(isBracketed ? ' choose ' : '; ');
}

/** A base with pairs of subscript and superscript, those after `mprescripts` before the base. */
function scripts(base: Element | undefined, parts: readonly Element[]): string {
  const middle = parts.findIndex(({ localName }) => localName === 'mprescripts');
  const after = pairs(middle < 0 ? parts : parts.slice(0, middle));
  const before = middle < 0 ? '' : pairs(parts.slice(middle + 1));
  return `${before}${before === '' ? '' : ' '}${grouped(base)}${after}`;
}

/** Alternating subscripts and superscripts; omitted ones are empty. */
function pairs(parts: readonly Element[]): string {
  return parts
    .map((part, at) => ({ sign: at % 2 === 0 ? '_' : '^', text: grouped(part) }))
    .map(({ sign, text }) => (text === '' || text === '()' ? '' : sign + text))
    .join('');
}

function inLine(el: Element): string {
  let text = '';
  let isApart = false;
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    const part = isElement(node) ? linear(node) : isText(node) ? textOf(el, node.data) : '';
    // `x^2 y` is not `x^2y`, and `sin x` is not `sinx`.
    text += isApart && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part.replace(APPLIED, '');
    if (part !== '') isApart = part === APPLIED || (isElement(node) && isScript(node.localName));
  }
  return text;
}

/** In brackets, unless it is one number or name: `2a` is two. */
function grouped(el: Element | undefined): string {
  if (el === undefined) return '';
  const text = linear(el);
  const isOne = el.childElementCount === 0 ? /^[\p{L}\p{N}.,]+$/u : /^[\p{N}.,]+$/u;
  return isOne.test(text) || /^(?:.|√?\([^()]*\))$/u.test(text) ? text : `(${text})`;
}
