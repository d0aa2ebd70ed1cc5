import { isArea, isAnchor, isImage, squash } from '../dom.ts';

/** Only what a person can follow: never `javascript:`. */
export function linkTarget(el: Element): string | null {
  let url: string | null = null;
  if (isAnchor(el) || isArea(el)) url = resolveHref(el);
  else if (el.localName === 'a') {
    const raw = el.getAttribute('href') ?? el.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
    url = raw !== null && URL.canParse(raw, el.baseURI) ? new URL(raw, el.baseURI).href : null;
  }
  return url === null || isScriptUrl(url) ? null : url;
}

/** A path that resolving would not change: below the origin, unchanged. */
const PLAIN_PATH =
  /^\/(?!\/)(?:[\w~!$&'()*+,;=:@-]|\.(?!\.?(?:\/|[?#]|$))|\/(?!\.)|%[\dA-Fa-f]{2})*(?:[?#][\w~!$&()*+,;=:@/?.-]*)?$/;

let baseDocument: Document | null = null;
let baseOrigin = '';

function resolveHref(el: HTMLAnchorElement | HTMLAreaElement): string | null {
  const raw = el.getAttribute('href');
  return raw === null ? null : (resolvePath(raw, el.ownerDocument) ?? el.href);
}

/** An address resolved like the element does; unchanged if it cannot be resolved. */
export function absoluteUrl(raw: string, el: Element): string {
  const path = resolvePath(raw, el.ownerDocument);
  if (path !== null) return path;
  try {
    return new URL(raw, el.baseURI).href;
  } catch {
    return raw;
  }
}

/** A plain path resolved without parsing: browsers parse an address again each time, which is slow on long lists. */
function resolvePath(raw: string, own: Document): string | null {
  if (!PLAIN_PATH.test(raw)) return null;
  if (own !== baseDocument) rememberBase(own);
  return baseOrigin === '' ? null : baseOrigin + raw;
}

/** The origin that paths of a document belong to; to be called when a read begins. */
export function rememberBase(document: Document): void {
  const { origin, protocol } = new URL(document.baseURI);
  baseDocument = document;
  baseOrigin = protocol === 'http:' || protocol === 'https:' ? origin : '';
}

/** `javascript:`, as browsers read it: control characters and blanks before or within do not count. */
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
}

/** The picture an element shows a person, or null for decoration. */
export function pictureOf(el: Element): Picture | null {
  const label = squash(el.getAttribute('aria-label') ?? '');
  if (isImage(el)) {
    const given = el.getAttribute('alt');
    const alt = squash(given ?? '') || label || squash(el.getAttribute('title') ?? '');
    if (alt === '' && given !== null) return null;
    const src = sourceOf(el);
    return alt === '' && src === '' ? null : { alt, src };
  }
  const alt = label || squash(el.getAttribute('title') ?? '') || svgTitle(el);
  return alt === '' ? null : { alt, src: '' };
}

/** The address of a picture; empty for inline data. */
export function sourceOf(el: HTMLImageElement): string {
  const src = el.currentSrc === '' ? el.src : el.currentSrc;
  return /^(?:data|blob|javascript):/i.test(src) ? '' : src;
}

function svgTitle(el: Element): string {
  if (el.localName !== 'svg') return '';
  for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling)
    if (child.localName === 'title') return squash(child.textContent);
  return '';
}

const LANGUAGE_CLASS = /(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode)[-: ]\s*([\w+#.-]+)/;

/** The language of a code block by what it or an element around it says. */
export function codeLanguage(pre: Element): string {
  const around = pre.parentElement;
  for (const el of [pre.querySelector('code'), pre, around, around?.parentElement ?? null]) {
    const language = el === null ? null : languageOf(el);
    if (language !== null) return language;
  }
  return '';
}

/** The language that the usual class names and attributes of one element say. */
function languageOf(el: Element): string | null {
  const found = LANGUAGE_CLASS.exec(el.getAttribute('class') ?? '');
  if (found !== null) return found[1] ?? '';
  const data =
    el.getAttribute('data-lang') ?? el.getAttribute('data-language') ?? el.getAttribute('lang-name');
  return data !== null && /^[\w+#.-]+$/.test(data) ? data : null;
}
