/** Directives that contain a colon; any other name before a colon is a crawler's. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * Lower-case directives of X-Robots-Tag for everyone. After a crawler's name, all further ones belong to that
 * crawler, since several headers arrive joined.
 */
export function robotsOfHeader(header: string | null): string[] {
  const found: string[] = [];
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const directive = part.trim();
    const name = /^([\w-]+)\s*:/.exec(directive)?.[1];
    if (name !== undefined && !VALUED.has(name)) break;
    if (directive !== '') found.push(directive);
  }
  return found;
}

/** Retry-After (seconds, or a date) in milliseconds from `nowMs`; null if missing or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** How a body is parsed; `none` is not a page. */
export type PageKind = 'html' | 'xml' | 'text' | 'none';

/** Type and subtype, lower case; null if the header is missing or says nothing. */
export function mimeOf(contentType: string | null): string | null {
  const mime = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
  return mime === null || UNKNOWN.has(mime) ? null : mime;
}

/** Types which mean that the server does not know (MIME Sniffing standard). */
const UNKNOWN = new Set(['unknown/unknown', 'application/unknown', '*/*']);
const TEXTS = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);

/**
 * The kind of an answer, by its headers: HTML, XHTML, plain text and XML are pages; a download, a PDF, a
 * picture or anything else is not. Null: the headers do not say.
 */
export function pageKindOf(contentType: string | null, disposition: string | null): PageKind | null {
  if (/^\s*attachment\b/i.test(disposition ?? '')) return 'none';
  const mime = mimeOf(contentType);
  if (mime === null) return null;
  if (mime === 'text/html') return 'html';
  if (TEXTS.has(mime)) return 'text';
  if (mime.startsWith('image/')) return 'none';
  return mime === 'text/xml' || mime === 'application/xml' || mime.endsWith('+xml') ? 'xml' : 'none';
}
