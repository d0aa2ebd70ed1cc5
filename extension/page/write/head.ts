import { escapeText, openTag } from './html-text.ts';

/** Elements of a head that say something about the document, and load no script. */
const KEPT = new Set('base link meta style title'.split(' '));

/** A document's type declaration as its source had it; empty for a document without one. */
export function doctypeOf({ doctype }: Document): string {
  if (doctype === null) return '';
  const { name, publicId, systemId } = doctype;
  const ids = [publicId, systemId].map((id) => `"${id.replaceAll('"', '')}"`);
  if (publicId !== '') return `<!DOCTYPE ${name} PUBLIC ${ids[0]}${systemId === '' ? '' : ` ${ids[1]}`}>\n`;
  return `<!DOCTYPE ${name}${systemId === '' ? '' : ` SYSTEM ${ids[1]}`}>\n`;
}

/**
 * A document's head without scripts, as HTML that may be opened anywhere: the encoding is the one that the
 * text has now, and nothing in it goes to another page.
 */
export function headOf({ head }: Document): string {
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
