import { isElement, lookUp, squash } from '../dom.ts';
import type { Lines } from './lines.ts';

/** Elements of two children that are written with a sign between them. */
const SIGNS: Readonly<Record<string, string>> = {
  mfrac: '/',
  msup: '^',
  mover: '^',
  msub: '_',
  munder: '_',
};
/** Applies a function to what follows; shows nothing. */
const APPLIED = '\u2061';
/** Multiplication, commas and plus signs that do not show. */
const INVISIBLE = /[\u2062-\u2064]/g;
/** Said in another way by the rest of the formula. */
const UNREAD = new Set(['annotation', 'annotation-xml', 'mphantom', 'mspace']);

/** A formula: MathML, or one drawn by other means (MathJax, KaTeX) that holds what it was drawn from. */
export function isMath(el: Element, tag: string): boolean {
  if (tag === 'math') return true;
  const isDrawn =
    tag === 'mjx-container' || (tag === 'span' && el.hasAttributes() && el.getAttribute('class') === 'katex');
  return isDrawn && el.querySelector('math') !== null;
}

/**
 * The TeX that a formula was made from, else its MathML in a line: `(a+b)/2`, `x^2`, `x_1`.
 *
 * @param el a `math` element, or what holds one
 */
export function mathText(el: Element): string {
  const tex =
    el.querySelector('annotation[encoding="application/x-tex"]')?.textContent ?? el.getAttribute('alttext');
  const math = el.localName === 'math' ? el : el.querySelector('math');
  const shown = math === null ? '' : squash(linear(math));
  return tex != null && (shown === '' || saysNoMore(tex, shown)) ? `$${squash(tex)}$` : shown;
}

/** Words of TeX that are text, as those of `\\text{…}`, are in the formula too: an annotation is not shown. */
function saysNoMore(tex: string, shown: string): boolean {
  const letters = shown
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  const words = tex
    .replace(/\\(?:begin|end|operatorname|\w*color)\*?\s*\{[^}]*\}|\\[a-z]+/gi, ' ')
    .match(/\p{L}{4,}/gu);
  return (words ?? []).every((word) => letters.includes(word.toLowerCase()));
}

/** Writes a formula: TeX has a syntax of its own, what was made of MathML is text. */
export function writeMath(lines: Lines, el: Element): void {
  const text = mathText(el);
  if (text.startsWith('$')) lines.raw(text);
  else lines.text(text);
}

function linear(el: Element): string {
  const name = el.localName;
  if (UNREAD.has(name)) return '';
  const parts = [...el.children];
  if (parts.length === 0) return squash(el.textContent.replace(INVISIBLE, ''));
  if (name in SIGNS) return joined(el, name, parts);
  return lookUp(LAYOUTS, name)?.(parts, el) ?? inLine(el);
}

/** Elements whose parts are not written one after the other. */
const LAYOUTS: Readonly<Record<string, (parts: readonly Element[], el: Element) => string>> = {
  mfenced: (parts, el) =>
    `${el.getAttribute('open') ?? '('}${separated(parts, el)}${el.getAttribute('close') ?? ')'}`,
  mmultiscripts: ([base, ...parts]) => scripts(base, parts),
  mroot: ([base, index]) => `${grouped(index)}√(${base === undefined ? '' : linear(base)})`,
  msqrt: (_parts, el) => `√(${inLine(el)})`,
  msubsup: ([base, ...parts]) => grouped(base) + pairs(parts),
  mtable: (parts) => parts.map(linear).join('; '),
  mtr: (parts) => parts.map(linear).join(', '),
  munderover: ([base, ...parts]) => grouped(base) + pairs(parts),
};

/** The parts of `mfenced` with its separators: one sign for each gap, the last one for all further gaps. */
function separated(parts: readonly Element[], el: Element): string {
  const signs = [...(el.getAttribute('separators') ?? ',').replace(/\s+/g, '')];
  if (signs.length === 0) return inLine(el);
  return parts
    .map((part, at) => {
      const sign = at === 0 ? '' : (signs[at - 1] ?? signs.at(-1) ?? '');
      return `${/[,;]/.test(sign) ? `${sign} ` : sign}${linear(part)}`;
    })
    .join('');
}

/** After these, a letter or digit is set apart: `x^2 y` is not `x^2y`. */
const isScript = (name: string): boolean =>
  name in SIGNS || /^m(?:subsup|underover|multiscripts)$/.test(name);

function joined(el: Element, name: string, parts: readonly Element[]): string {
  if (Number.parseFloat(el.getAttribute('linethickness') ?? '') === 0) return stacked(el, parts);
  const isAccent = el.getAttribute('accent') === 'true' || el.getAttribute('accentunder') === 'true';
  return parts
    .slice(0, 2)
    .map(grouped)
    .join(isAccent ? '' : SIGNS[name]);
}

/** A fraction without its line: the number of choices when in brackets, else one line above another. */
function stacked(el: Element, parts: readonly Element[]): string {
  const isBracketed =
    el.previousElementSibling?.textContent.trim() === '(' &&
    el.nextElementSibling?.textContent.trim() === ')';
  return parts.map(grouped).join(isBracketed ? ' choose ' : '; ');
}

/** A base with pairs of a lower and an upper part, those after `mprescripts` before the base. */
function scripts(base: Element | undefined, parts: readonly Element[]): string {
  const middle = parts.findIndex(({ localName }) => localName === 'mprescripts');
  const after = pairs(middle < 0 ? parts : parts.slice(0, middle));
  const before = middle < 0 ? '' : pairs(parts.slice(middle + 1));
  return `${before}${before === '' ? '' : ' '}${grouped(base)}${after}`;
}

/** Lower and upper parts in turns; those that are left out are empty. */
function pairs(parts: readonly Element[]): string {
  return parts
    .map((part, at) => ({ sign: at % 2 === 0 ? '_' : '^', text: grouped(part) }))
    .map(({ sign, text }) => (text === '' || text === '()' ? '' : sign + text))
    .join('');
}

/** Content on one line, including text between elements. */
function inLine(el: Element): string {
  let text = '';
  let isApart = false;
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    const part = isElement(node) ? linear(node) : squash(node.textContent ?? '');
    // `x^2 y` is not `x^2y`, and `sin x` is not `sinx`.
    text += isApart && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part.replace(APPLIED, '');
    if (part !== '') isApart = part === APPLIED || (isElement(node) && isScript(node.localName));
  }
  return text;
}

/** In brackets, unless it is one number or name: `2a` is two. */
function grouped(el: Element | undefined): string {
  if (el === undefined) return '';
  const text = linear(el);
  const isOne = el.childElementCount === 0 ? /^[\p{L}\p{N}.,]+$/u : /^[\p{N}.,]+$/u;
  return isOne.test(text) || /^(?:.|√?\([^()]*\))$/u.test(text) ? text : `(${text})`;
}
