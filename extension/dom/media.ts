import { isEmptyDrawing } from './paint.ts';
import {
  childrenOf,
  imageAddresses,
  isArea,
  isAnchor,
  isImage,
  isMedia,
  isVideo,
  squash,
} from './elements.ts';
import { decodePercent } from '../../shared/base/file-name.ts';

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

function svgTitle(el: Element): string {
  if (el.localName !== 'svg' || isEmptyDrawing(el)) return '';
  return squash(titleIn(el));
}

/** The title of an SVG, or of a part of one. */
export const titleIn = (el: Element): string =>
  childrenOf(el).find(({ localName }) => localName === 'title')?.textContent ?? '';

const LANGUAGE_CLASS =
  /(?:^|\s)(?:(?:language|lang|highlight-source|brush:|sourceCode)[-: ]\s*|highlight-(?!(?:source|default|none|text)\b))([\w+#.-]+)|^([\w+#.-]+) hljs$|^(?:hljs|syntaxhighlighter) +([\w+#.-]+)$/;
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
  const names = el.getAttribute('class') ?? '';
  const found = LANGUAGE_CLASS.exec(
    el.localName === 'figure' ? names.replace(/^highlight /, 'lang-') : names,
  );
  if (found !== null) return found.slice(1).find((name) => name !== undefined) ?? '';
  const name = el.getAttributeNames().find((each) => LANGUAGE_NAME.test(each)) ?? '';
  const data = el.getAttribute(name);
  return data !== null && /^[\w+#.-]+$/.test(data) ? data : null;
}
