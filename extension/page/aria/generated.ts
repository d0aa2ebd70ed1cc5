/** Icon fonts put their pictures there; they are not readable text. */
const PRIVATE_USE = /[\u{e000}-\u{f8ff}\u{f0000}-\u{10ffff}]/gu;
const STRING = String.raw`"(?:[^"\\]|\\[^])*"`;
/** The text after the slash replaces what is drawn: `"★" / "Favourite"`. */
const ALTERNATIVE = new RegExp(`^(?:[^"/]|${STRING})*/([^]*)$`);
const PARTS = new RegExp(
  `(${STRING})|attr\\(\\s*([\\w-]+)[^)]*\\)|(open|close)-quote|[\\w-]+\\((?:${STRING}|[^()"])*\\)`,
  'g',
);

/**
 * The text that style puts before or after an element's content, set apart where it is not inline.
 * Counters and pictures without alternative text say nothing.
 */
export function generatedText(el: Element, pseudo: '::before' | '::after'): string {
  const style = getComputedStyle(el, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  const text = spokenText(content, el);
  return text === '' || style.display === 'inline' ? text : ` ${text} `;
}

/** The words of a computed `content` value. */
function spokenText(content: string, el: Element): string {
  const spoken = ALTERNATIVE.exec(content)?.[1] ?? content;
  let text = '';
  for (const [, quoted, attribute, quote] of spoken.matchAll(PARTS)) {
    if (quoted !== undefined) text += unquote(quoted);
    else if (attribute !== undefined) text += el.getAttribute(attribute) ?? '';
    else if (quote !== undefined) text += quote === 'open' ? '“' : '”';
  }
  return text.replace(PRIVATE_USE, '');
}

/** A CSS string without its quotes and escapes. */
function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:([\da-f]{1,6}) ?|([^]))/gi, (_all, code: string | undefined, plain: string | undefined) =>
      code === undefined ? (plain ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}
