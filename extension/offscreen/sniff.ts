import type { PageKind } from '../../shared/tools/crawl/headers.ts';

/** Markup, text, or bytes that are neither. */
export function sniff(head: Uint8Array): PageKind {
  const text = new TextDecoder('windows-1252').decode(head.subarray(0, 512)).replace(/^(?:ï»¿)?\s+/, '');
  if (/^(?:ï»¿)?<\?xml/i.test(text)) return 'xml';
  if (/^(?:ï»¿)?<(?:!doctype|!--|[a-z])/i.test(text)) return 'html';
  const isBinary = head.subarray(0, 512).some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return isBinary ? 'none' : 'text';
}
