import {
  PRIVATE_USE,
  firstNumber,
  isElement,
  isListItem,
  isOrderedList,
  lookUp,
  stepAt,
  valueIn,
} from './elements.ts';
import { flatChildren } from './trees.ts';
import { EMPTY_CLIP_PATH, MIN_FONT_PX, isEmptyClip } from './hidden-styles.ts';
import { FAR_PX } from './level.ts';
import { isSetApart } from './geometry.ts';
import { MIN_ALPHA, filterOpacity } from './paint.ts';

/** The first letter of a word as browsers count words: hyphens, dots and quotes separate, apostrophes do not. */
const WORD_START = /(?<![\p{L}\p{N}\p{M}_]['’]?)\p{L}/gu;

/**
 * Applies `text-transform` by the rules of the text's language. Chromium's accessible names are transformed as well, so
 * all formats agree.
 * @param transform a computed value of `text-transform`, or what {@link transformOfStyle} returns
 */
export function transformText(text: string, transform: string, el: Element): string {
  if (transform.endsWith(REVERSED))
    return transformText(reversed(text), transform.slice(0, -REVERSED.length), el);
  if (transform.includes('uppercase')) return inLanguage(el, (language) => text.toLocaleUpperCase(language));
  if (transform.includes('lowercase')) return inLanguage(el, (language) => text.toLocaleLowerCase(language));
  if (!transform.includes('capitalize')) return text;
  return inLanguage(el, (language) =>
    text.replace(WORD_START, (letter) => letter.toLocaleUpperCase(language)),
  );
}

const REVERSED = ' reversed';

/** `text-transform`, and whether letters run backwards, as in an address that is written so against harvesters. */
export function transformOfStyle({ textTransform, unicodeBidi, direction }: CSSStyleDeclaration): string {
  const isBackwards = direction === 'rtl' && unicodeBidi.endsWith('override');
  return (textTransform === 'none' ? '' : textTransform) + (isBackwards ? REVERSED : '');
}

const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const MIRRORED = '()[]{}<>';

/** Letters that run from right to left anyway are read in their order. */
const reversed = (text: string): string =>
  FROM_RIGHT.test(text) ? text : [...text].reverse().map(mirror).join('');

function mirror(char: string): string {
  const at = MIRRORED.indexOf(char);
  return at === -1 ? char : MIRRORED.charAt(at ^ 1);
}

function inLanguage(el: Element, change: (language: string | undefined) => string): string {
  const language = el.closest('[lang]')?.getAttribute('lang') ?? '';
  try {
    return change(language === '' ? undefined : language);
  } catch {
    return change(undefined); // The page's `lang` may not be a valid language tag.
  }
}

const STRING = String.raw`"(?:[^"\\]|\\[^])*"`;
/** The text after the slash replaces the drawn content: `"★" / "Favourite"`. */
const ALTERNATIVE = new RegExp(`^(?:[^"/]|${STRING})*/([^]*)$`);
const PARTS = new RegExp(
  `(${STRING})|attr\\(\\s*([\\w-]+)[^)]*\\)|(open|close)-quote|(counters?)\\(\\s*([^\\s,)]+)((?:${STRING}|[^()"])*)\\)|[\\w-]+\\((?:${STRING}|[^()"])*\\)`,
  'g',
);
type Pseudo = '::before' | '::after';

/** The style of a displayed pseudo-element with content; null without one. */
export function generatedStyle(el: Element, pseudo: Pseudo): CSSStyleDeclaration | null {
  const style = getComputedStyle(el, pseudo);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '' || content === '""') return null;
  return style.display === 'none' || style.visibility !== 'visible' ? null : style;
}

/** Words, or potential words; not the empty boxes and icons that most of these rules create. */
export function mayHaveText(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  if (/attr\(|counters?\(|var\(|quote/.test(content)) return true;
  return /[^\s"']/.test(content.replace(/url\([^)]*\)/g, '').replace(PRIVATE_USE, ''));
}

/** Whether style may put text before or after an element's content. */
export const generatesText = (el: Element): boolean =>
  (['::before', '::after'] as const).some((pseudo) => mayHaveText(getComputedStyle(el, pseudo).content));

/**
 * The text that style puts before or after an element's content, separated by spaces if it is not inline. Images
 * without alternative text add nothing.
 */
export function generatedText(el: Element, pseudo: Pseudo): string {
  const style = generatedStyle(el, pseudo);
  return style === null ? '' : styledText(el, style, NOTHING_COUNTED);
}

/** Chromium's names omit counters. */
const NOTHING_COUNTED = (): string => '';

/** Text of a `counter()` or `counters()`, by function, counter name and remaining arguments. */
type Counted = (counter: string, name: string, more: string) => string;

export function styledText(el: Element, style: CSSStyleDeclaration, counted: Counted): string {
  const text = transformText(spokenText(style.content, el, counted), style.textTransform, el);
  return text === '' || (style.display === 'inline' && !isSetApart(style)) ? text : ` ${text} `;
}

/** Whether a pseudo-element's own style hides it. */
export function isGeneratedUnseen(style: CSSStyleDeclaration): boolean {
  if (Number(style.opacity) * filterOpacity(style.filter) < MIN_ALPHA || isShrunk(style)) return true;
  if (Number.parseFloat(style.fontSize) < MIN_FONT_PX) return true;
  if (EMPTY_CLIP_PATH.test(style.clipPath) || Number.parseFloat(style.textIndent) <= FAR_PX) return true;
  const isOut = style.position === 'absolute' || style.position === 'fixed';
  if (isOut && (isEmptyClip(style.clip) || isFarOut(style))) return true;
  const isClipped = style.overflow === 'hidden' || style.overflow === 'clip';
  return isClipped && (Number.parseFloat(style.width) <= 1 || Number.parseFloat(style.height) <= 1);
}

/** By a scale of nothing; transforms do not apply to a part of a line. */
const isShrunk = ({ display, transform, scale }: CSSStyleDeclaration): boolean =>
  display !== 'inline' &&
  (/^matrix\((?:0, 0|[^,]+, [^,]+, 0, 0),/.test(transform) || /(?:^| )0(?: |$)/.test(scale));

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

const QUOTE_MARKS = { de: '„“', fr: '«»', es: '«»', it: '«»', ru: '«»', uk: '«»', pl: '„”', cs: '„“' };

/** By the author's `quotes`, else by the language; nested quotes have single marks. */
export function quoteMark(el: Element, isOpen: boolean): string {
  const quotes = el.ownerDocument.defaultView === null ? 'auto' : getComputedStyle(el).quotes;
  if (quotes === 'none') return '';
  const isNested = el.parentElement?.closest('q') != null;
  const own = [...quotes.matchAll(new RegExp(STRING, 'g'))].map(([mark]) => unquote(mark));
  const at = (isNested && own.length > 2 ? 2 : 0) + (isOpen ? 0 : 1);
  if (own.length > 0) return own[at] ?? '';
  const language = (el.closest('[lang]')?.getAttribute('lang') ?? '').slice(0, 2).toLowerCase();
  const marks = isNested ? '‘’' : (lookUp(QUOTE_MARKS, language) ?? '“”');
  return marks.charAt(isOpen ? 0 : 1);
}

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:([\da-f]{1,6}) ?|([^]))/gi, (_all, code: string | undefined, plain: string | undefined) =>
      code === undefined ? (plain ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}

/** A counter in scope: it ends with the parent of the element that created it. */
interface Counter {
  readonly parent: Element | null;
  value: number;
}

type Values = ReadonlyMap<string, readonly number[]>;

/** The counter that browsers keep for items of lists. */
const ITEM = 'list-item';
const LISTS = new Set(['ol', 'ul', 'menu']);

/** Counters of larger documents are not computed. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 1_000;

let counted: { readonly root: Document; readonly values: ReadonlyMap<Element, Map<Pseudo, Values>> } | null =
  null;

/** Call when a walk begins: the page may have changed since the last one. */
export function forgetCounters(): void {
  counted = null;
}

/** A pseudo-element's `counter(name, style)` or `counters(name, "separator", style)`, as shown. */
export function countedText(el: Element, pseudo: Pseudo): Counted {
  return (counter, name, more) => {
    const all = counterValues(el, pseudo);
    if (all === undefined) return '';
    const values = all.get(name) ?? [];
    const separator = counter === 'counters' ? unquote(/"(?:[^"\\]|\\[^])*"/.exec(more)?.[0] ?? '""') : '';
    const style = /,\s*([\w-]+)\s*$/.exec(more)?.[1] ?? 'decimal';
    const shown = counter === 'counters' && values.length > 0 ? values : [values.at(-1) ?? 0];
    return shown.map((value) => inCounterStyle(value, style)).join(separator);
  };
}

/**
 * The values of counters at a pseudo-element, outermost first (CSS Lists 3); browsers do not expose them. Undefined
 * where nothing was counted.
 */
function counterValues(el: Element, pseudo: Pseudo): Values | undefined {
  const root = el.ownerDocument;
  if (counted?.root !== root) counted = { root, values: new Count().run(root) };
  return counted.values.get(el)?.get(pseudo);
}

/** One pass over a document in order. */
class Count {
  readonly #values = new Map<Element, Map<Pseudo, Values>>();
  readonly #scopes = new Map<string, Counter[]>();
  #left = MAX_ELEMENTS;

  run(root: Document): ReadonlyMap<Element, Map<Pseudo, Values>> {
    if (root.documentElement !== null) this.#visit(root.documentElement, null);
    return this.#values;
  }

  /** @param parent in the flattened tree */
  #visit(el: Element, parent: Element | null, depth = 0): void {
    this.#left -= 1;
    if (this.#left < 0 || depth > MAX_DEPTH) return;
    const style = getComputedStyle(el);
    if (style.display === 'none') return;
    this.#apply(style, parent, el);
    this.#generate(el, '::before');
    for (const child of flatChildren(el, false)) if (isElement(child)) this.#visit(child, el, depth + 1);
    this.#generate(el, '::after');
    for (const stack of this.#scopes.values()) while (stack.at(-1)?.parent === el) stack.pop();
  }

  #generate(el: Element, pseudo: Pseudo): void {
    const style = getComputedStyle(el, pseudo);
    const { content } = style;
    if (content === 'none' || content === 'normal') return;
    this.#apply(style, el);
    if (!content.includes('counter')) return;
    const values = new Map(
      [...this.#scopes].map(([name, stack]) => [name, stack.map(({ value }) => value)] as const),
    );
    valueIn(this.#values, el, () => new Map<Pseudo, Values>()).set(pseudo, values);
  }

  /** @param el none for a pseudo-element */
  #apply(style: CSSStyleDeclaration, parent: Element | null, el?: Element): void {
    const { counterReset, counterIncrement, counterSet } = style;
    if (el !== undefined && LISTS.has(el.localName))
      this.#reset(ITEM, parent, isOrderedList(el) ? firstNumber(el) - (el.reversed ? -1 : 1) : 0);
    for (const [name, value] of pairs(counterReset, 0)) this.#reset(name, parent, value);
    if (style.display.endsWith(ITEM) && !counterIncrement.includes(ITEM))
      this.#top(ITEM, parent).value += el === undefined ? 1 : stepAt(el);
    for (const [name, value] of pairs(counterIncrement, 1)) this.#top(name, parent).value += value;
    if (el !== undefined && isListItem(el) && el.hasAttribute('value'))
      this.#top(ITEM, parent).value = el.value;
    for (const [name, value] of pairs(counterSet, 0)) this.#top(name, parent).value = value;
  }

  #reset(name: string, parent: Element | null, value: number): void {
    const stack = this.#stack(name);
    if (stack.at(-1)?.parent === parent) stack.pop();
    stack.push({ parent, value });
  }

  #top(name: string, parent: Element | null): Counter {
    const stack = this.#stack(name);
    let top = stack.at(-1);
    if (top === undefined) stack.push((top = { parent, value: 0 }));
    return top;
  }

  #stack(name: string): Counter[] {
    return valueIn(this.#scopes, name, () => []);
  }
}

/** `a 1 b 2` as pairs. */
function* pairs(css: string, initial: number): Generator<readonly [string, number]> {
  if (css === 'none') return;
  for (const [, name = '', value] of css.matchAll(/([^\s()-][^\s()]*|-[^\s()\d][^\s()]*)(?:\s+(-?\d+))?/g))
    yield [name, value === undefined ? initial : Number(value)];
}

const ROMAN = 'm cm d cd c xc l xl x ix v iv i'.split(' ');
const WORTHS = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

/** Formats a number in a counter style; unknown styles count as decimal. */
export const inCounterStyle = (value: number, style: string): string =>
  (lookUp(COUNTER_STYLES, style) ?? String)(value);

const COUNTER_STYLES: Readonly<Record<string, (value: number) => string>> = {
  'lower-alpha': alphabetic,
  'lower-latin': alphabetic,
  'upper-alpha': (value) => alphabetic(value).toUpperCase(),
  'upper-latin': (value) => alphabetic(value).toUpperCase(),
  'lower-roman': roman,
  'upper-roman': (value) => roman(value).toUpperCase(),
  'decimal-leading-zero': (value) => String(value).padStart(2, '0'),
  disc: () => '•',
  none: () => '',
};

function alphabetic(value: number): string {
  if (value < 1) return String(value);
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let text = '';
  let rest = value;
  for (const [at, worth] of WORTHS.entries()) for (; rest >= worth; rest -= worth) text += ROMAN[at];
  return text;
}
