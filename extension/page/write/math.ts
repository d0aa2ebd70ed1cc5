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
/** Base, lower and upper part. */
const BOTH = new Set(['msubsup', 'munderover']);
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
  if (tex !== null && tex !== undefined) return `$${squash(tex)}$`;
  const math = el.localName === 'math' ? el : el.querySelector('math');
  return math === null ? '' : squash(linear(math));
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
  if (parts.length === 0) return squash(el.textContent);
  const sign = el.getAttribute('accent') === 'true' ? '' : lookUp(SIGNS, name);
  if (sign !== undefined) return parts.slice(0, 2).map(grouped).join(sign);
  if (BOTH.has(name)) {
    const [base, under, over] = parts.map(grouped);
    return `${base ?? ''}_${under ?? ''}^${over ?? ''}`;
  }
  if (name === 'msqrt') return `√(${inLine(el)})`;
  if (name === 'mroot') return `${grouped(parts[1])}√(${parts[0] === undefined ? '' : linear(parts[0])})`;
  if (name === 'mtable') return parts.map(linear).join('; ');
  if (name === 'mtr') return parts.map(linear).join(', ');
  return inLine(el);
}

/** Content on one line, including text between elements. */
function inLine(el: Element): string {
  let text = '';
  let isScripted = false;
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    const part = isElement(node) ? linear(node) : squash(node.textContent ?? '');
    // `x^2 y` is not `x^2y`.
    text += isScripted && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part;
    if (part !== '') isScripted = isElement(node) && (node.localName in SIGNS || BOTH.has(node.localName));
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
