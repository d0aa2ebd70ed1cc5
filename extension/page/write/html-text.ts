import { safeAttributes } from './attributes.ts';

/** A start tag with the attributes that may leave the page. */
export function openTag(el: Element, tag: string, includeLinks: boolean, isValueHidden = false): string {
  let html = `<${tag}`;
  for (const [name, value] of safeAttributes(el, includeLinks, isValueHidden))
    html += value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  return `${html}>`;
}

/** Text between tags. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text)
    ? text.replace(/[&<>]/g, (found) => (found === '&' ? '&amp;' : found === '<' ? '&lt;' : '&gt;'))
    : text;
}

/** Text between double quotes. */
export function escapeAttribute(text: string): string {
  return /[&"<\u00a0]/.test(text)
    ? text.replace(/[&"<\u00a0]/g, (found) =>
        found === '&' ? '&amp;' : found === '"' ? '&quot;' : found === '<' ? '&lt;' : '&nbsp;',
      )
    : text;
}
