/** How a body is parsed; `none` is not a page. */
export type PageKind = 'html' | 'xml' | 'text' | 'none';

/** Type and subtype, lower case; null where the header is missing or says nothing. */
export function mimeOf(contentType: string | null): string | null {
  const mime = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
  return mime === null || UNKNOWN.has(mime) ? null : mime;
}

/** Types that say that the server does not know (MIME Sniffing standard). */
const UNKNOWN = new Set(['unknown/unknown', 'application/unknown', '*/*']);
const TEXTS = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);

/**
 * What an answer is, by its headers: HTML, XHTML, plain text and XML are pages; a download, a PDF, a
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
