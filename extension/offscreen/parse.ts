import { mimeOf, type PageKind } from '../../shared/tools/crawl/content-type.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';

/**
 * Parses a page into a document that loads and runs nothing. Its addresses mean what they would in
 * a tab: a `<base>` resolves against the final address, which replaces a missing one.
 */
export function parsePage(text: string, kind: PageKind, contentType: string | null, url: string): Document {
  const document = kind === 'text' ? textPage(text) : (parseXml(text, kind, contentType) ?? parseHtml(text));
  setBase(document, url);
  return document;
}

/** Declarative shadow trees are part of what a tab shows; closed ones could not be looked into here. */
const parseHtml = (text: string): Document => Document.parseHTMLUnsafe(text.replace(CLOSED_ROOT, '$1open'));

const CLOSED_ROOT = /(<template\b[^>]*\sshadowrootmode\s*=\s*["']?)closed\b/gi;

/** Null if it is not well-formed XML: then it is read as HTML, which has no errors. */
function parseXml(text: string, kind: PageKind, contentType: string | null): Document | null {
  if (kind !== 'xml') return null;
  const type = mimeOf(contentType) === 'application/xhtml+xml' ? 'application/xhtml+xml' : 'application/xml';
  const document = new DOMParser().parseFromString(text, type);
  return document.querySelector('parsererror') === null ? document : null;
}

/** As browsers show it. */
function textPage(text: string): Document {
  const document = Document.parseHTMLUnsafe('<!doctype html><body></body>');
  const pre = document.createElement('pre');
  pre.textContent = text;
  document.body.append(pre);
  return document;
}

function setBase(document: Document, url: string): void {
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  const wanted = URL.canParse(declared, url) ? new URL(declared, url) : null;
  const isWeb = wanted?.protocol === 'http:' || wanted?.protocol === 'https:';
  const base = document.createElementNS(XHTML, 'base');
  base.setAttribute('href', isWeb ? wanted.href : url);
  (document.head ?? document.documentElement).prepend(base);
}
