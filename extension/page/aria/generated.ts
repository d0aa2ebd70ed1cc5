import { PRIVATE_USE } from '../dom.ts';
import { EMPTY_CLIP_PATH, FAR_PX, MIN_FONT_PX, MIN_OPACITY, isEmptyClip } from '../walk/hidden-styles.ts';
import { isSetApart } from '../walk/geometry.ts';
import { transformText } from '../walk/text-transform.ts';

const STRING = String.raw`"(?:[^"\\]|\\[^])*"`;
/** The text after the slash replaces what is drawn: `"★" / "Favourite"`. */
const ALTERNATIVE = new RegExp(`^(?:[^"/]|${STRING})*/([^]*)$`);
const PARTS = new RegExp(
  `(${STRING})|attr\\(\\s*([\\w-]+)[^)]*\\)|(open|close)-quote|(counters?)\\(\\s*([^\\s,)]+)((?:${STRING}|[^()"])*)\\)|[\\w-]+\\((?:${STRING}|[^()"])*\\)`,
  'g',
);
type Pseudo = '::before' | '::after';

/** The style of a pseudo-element that has content and is displayed; null without one. */
export function generatedStyle(el: Element, pseudo: Pseudo): CSSStyleDeclaration | null {
  const style = getComputedStyle(el, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '' || content === '""') return null;
  return style.display === 'none' || style.visibility !== 'visible' ? null : style;
}

/**
 * The text that style puts before or after an element's content, set apart where it is not inline.
 * Pictures without alternative text say nothing.
 */
export function generatedText(el: Element, pseudo: Pseudo): string {
  const style = generatedStyle(el, pseudo);
  return style === null ? '' : styledText(el, style, NOTHING_COUNTED);
}

/** Chromium's names leave counters out. */
const NOTHING_COUNTED = (): string => '';

/** The text of a `counter()` or `counters()`: its function, the counter's name, and what follows the name. */
export type Counted = (counter: string, name: string, more: string) => string;

/** The text of a pseudo-element whose style is known. */
export function styledText(el: Element, style: CSSStyleDeclaration, counted: Counted): string {
  const text = transformText(spokenText(style.content, el, counted), style.textTransform, el);
  return text === '' || (style.display === 'inline' && !isSetApart(style)) ? text : ` ${text} `;
}

/** Whether a pseudo-element's own style takes it out of sight. */
export function isGeneratedUnseen(style: CSSStyleDeclaration): boolean {
  if (Number(style.opacity) < MIN_OPACITY || Number.parseFloat(style.fontSize) < MIN_FONT_PX) return true;
  if (EMPTY_CLIP_PATH.test(style.clipPath) || Number.parseFloat(style.textIndent) <= FAR_PX) return true;
  const isOut = style.position === 'absolute' || style.position === 'fixed';
  if (isOut && (isEmptyClip(style.clip) || isFarOut(style))) return true;
  const isClipped = style.overflow === 'hidden' || style.overflow === 'clip';
  return isClipped && (Number.parseFloat(style.width) <= 1 || Number.parseFloat(style.height) <= 1);
}

const isFarOut = (style: CSSStyleDeclaration): boolean =>
  [style.left, style.top, style.marginLeft].some((length) => Number.parseFloat(length) <= FAR_PX);

/** The words of a computed `content` value. */
function spokenText(content: string, el: Element, counted: Counted): string {
  const spoken = ALTERNATIVE.exec(content)?.[1] ?? content;
  let text = '';
  for (const [, quoted, attribute, quote, counter, name = '', more = ''] of spoken.matchAll(PARTS)) {
    if (quoted !== undefined) text += unquote(quoted);
    else if (attribute !== undefined) text += el.getAttribute(attribute) ?? '';
    else if (quote !== undefined) text += quoteMark(el, quote === 'open');
    else if (counter !== undefined) text += counted(counter, name, more);
  }
  return text.replace(PRIVATE_USE, '');
}

const QUOTE_MARKS: Readonly<Record<string, string>> = {
  de: '„“',
  fr: '«»',
  es: '«»',
  it: '«»',
  ru: '«»',
  uk: '«»',
  pl: '„”',
  cs: '„“',
};

/** By the author's `quotes`, else by the language; a quote in a quote has single marks. */
export function quoteMark(el: Element, isOpen: boolean): string {
  const quotes = el.ownerDocument.defaultView === null ? 'auto' : getComputedStyle(el).quotes;
  if (quotes === 'none') return '';
  const isNested = el.parentElement?.closest('q') != null;
  const own = [...quotes.matchAll(new RegExp(STRING, 'g'))].map(([mark]) => unquote(mark));
  const at = (isNested && own.length > 2 ? 2 : 0) + (isOpen ? 0 : 1);
  if (own.length > 0) return own[at] ?? '';
  const language = (el.closest('[lang]')?.getAttribute('lang') ?? '').slice(0, 2).toLowerCase();
  const marks = isNested
    ? '‘’'
    : ((Object.hasOwn(QUOTE_MARKS, language) ? QUOTE_MARKS[language] : null) ?? '“”');
  return marks.charAt(isOpen ? 0 : 1);
}

/** A CSS string without its quotes and escapes. */
export function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:([\da-f]{1,6}) ?|([^]))/gi, (_all, code: string | undefined, plain: string | undefined) =>
      code === undefined ? (plain ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}
