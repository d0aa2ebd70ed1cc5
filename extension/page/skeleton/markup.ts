/** The name of an element; a parser takes almost any character into one, and a skeleton does not. */
export function tagName(el: Element): string {
  const name = el.localName.replace(/[^\w.:-]/g, '_');
  return name.length > 60 ? 'too-long-a-name' : name;
}

/** Attributes without value have no quotes; the rest have double quotes. */
export function openTag(tag: string, attributes: readonly (readonly [string, string])[]): string {
  let html = `<${tag}`;
  for (const [name, value] of attributes)
    html += value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value).toWellFormed()}"`;
  return `${html}>`;
}

/** On one line, and without what could begin a tag or a comment. */
export function escapeAttribute(text: string): string {
  return /[&"<>\s]/.test(text)
    ? text
        .replaceAll('\ufeff', '')
        .replace(/\s+/g, ' ')
        .replace(/[&"<>]/g, (found) =>
          found === '&' ? '&amp;' : found === '"' ? '&quot;' : found === '<' ? '&lt;' : '&gt;',
        )
    : text;
}
