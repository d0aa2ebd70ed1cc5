import { mayBeShown } from '../../../dom/drawn.ts';
import { isElement, isHtml, isMatch, isText, lookUp, squash } from '../../../dom/elements.ts';
import { isTextShown } from '../../../dom/visible.ts';
import { drawnMath } from './drawn-math.ts';
import type { Lines } from './lines.ts';

/** Elements of two children that are written with a sign between them. */
const SIGNS: Readonly<Record<string, string>> = { mfrac: '/', msup: '^', mover: '^', msub: '_', munder: '_' };
/** The invisible function-application operator. */
const APPLIED = '\u2061';
/** Invisible multiplication, commas and plus signs. */
const INVISIBLE = /[\u2062-\u2064]/g;
/** These repeat the rest of the formula. */
const UNREAD = new Set(['annotation', 'annotation-xml', 'mphantom', 'mspace']);

/** The source of a formula in an attribute of the element around its drawing. */
const SOURCE = 'data-math';
/** MathJax 2 names its drawing after the script with the source. */
const FRAME = /^(MathJax-Element-\d+)-Frame$/;

/** A formula: MathML, or one drawn by MathJax or KaTeX. */
export function isMath(el: Element, tag: string): boolean {
  // No other script is walked.
  if (tag === 'math' || tag === 'mjx-container' || tag === 'script') return true;
  if (!el.hasAttributes()) return false;
  return el.getAttribute('class') === 'katex' || FRAME.test(el.id) || isSourced(el);
}

/** Whether an attribute is the source of all content. */
function isSourced(el: Element): boolean {
  const source = el.getAttribute(SOURCE) ?? '';
  return /[\\^_={}]/.test(source) && el.textContent.trim().length <= 20 + 6 * source.length;
}

/**
 * A formula's TeX source, else its MathML or its drawing on one line: `(a+b)/2`, `x^2`, `x_1`.
 * @param el a `math` element, or one around it
 */
export function mathText(el: Element): string {
  const math = el.localName === 'math' ? el : (el.querySelector('math') ?? drawnMath(el));
  const shown = squash(math === null ? el.textContent : linear(math));
  const tex = sourceOf(el);
  return tex != null && (shown === '' || saysNoMore(tex, shown)) ? `$${squash(tex)}$` : shown;
}

const sourceOf = (el: Element): string | null | undefined =>
  el.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
  el.getAttribute('alttext') ??
  el.getAttribute(SOURCE) ??
  el.querySelector('mjx-math,[data-mml-node="math"]')?.getAttribute('data-latex') ??
  (el.localName === 'script' ? el : el.ownerDocument.getElementById(FRAME.exec(el.id)?.[1] ?? ''))
    ?.textContent;

/** Words of text in TeX, as in `\\text{…}`, must also be in the formula: an annotation is not visible. */
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

/** TeX has a syntax of its own; converted MathML is text. */
export function writeMath(lines: Lines, el: Element): void {
  const text = mathText(el);
  if (text.startsWith('$')) lines.raw(text);
  else lines.text(text);
}

/** Whether style hides a part of a formula. A formula that is drawn in another way may be hidden as a whole. */
function isHiddenPart(el: Element): boolean {
  if (isMatch(el, '[style],[mathcolor]') && el.localName !== 'math' && !isTextShown(el)) return true;
  const whole = mayBeShown(el) ? null : el.closest('math');
  return whole !== null && mayBeShown(whole);
}

/** Browsers draw no text between these. */
const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
const tokenText = (el: Element, text: string): string =>
  TOKENS.has(el.localName) || isHtml(el) ? squash(text) : '';

function linear(el: Element): string {
  const name = el.localName;
  if (UNREAD.has(name) || isHiddenPart(el)) return '';
  const parts = [...el.children];
  if (parts.length === 0) return tokenText(el, el.textContent.replace(INVISIBLE, ''));
  if (name in SIGNS) return joined(el, name, parts);
  return lookUp(LAYOUTS, name)?.(parts, el) ?? inLine(el);
}

/** Elements whose parts are not simply concatenated. */
const LAYOUTS: Readonly<Record<string, (parts: readonly Element[], el: Element) => string>> = {
  mmultiscripts: ([base, ...parts]) => scripts(base, parts),
  mroot: ([base, index]) =>
    `root(${index === undefined ? '' : linear(index)})(${base === undefined ? '' : linear(base)})`,
  msqrt: (_parts, el) => `√(${inLine(el)})`,
  msubsup: ([base, ...parts]) => grouped(base) + pairs(parts),
  mtable: (parts) => parts.map(linear).join('; '),
  mtr: (parts) => parts.map(linear).join(', '),
  munderover: ([base, ...parts]) => grouped(base) + pairs(parts),
};

/** After these, a letter or digit is separated: `x^2 y` is not `x^2y`. */
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

/** A fraction without a bar: a binomial in brackets, else one line above another. */
function stacked(el: Element, parts: readonly Element[]): string {
  const isBracketed =
    el.previousElementSibling?.textContent.trim() === '(' &&
    el.nextElementSibling?.textContent.trim() === ')';
  return parts.map(grouped).join(isBracketed ? ' choose ' : '; ');
}

/** A base with pairs of subscript and superscript, those after `mprescripts` before the base. */
function scripts(base: Element | undefined, parts: readonly Element[]): string {
  const middle = parts.findIndex(({ localName }) => localName === 'mprescripts');
  const after = pairs(middle < 0 ? parts : parts.slice(0, middle));
  const before = middle < 0 ? '' : pairs(parts.slice(middle + 1));
  return `${before}${before === '' ? '' : ' '}${grouped(base)}${after}`;
}

/** Alternating subscripts and superscripts; omitted ones are empty. */
function pairs(parts: readonly Element[]): string {
  return parts
    .map((part, at) => ({ sign: at % 2 === 0 ? '_' : '^', text: grouped(part) }))
    .map(({ sign, text }) => (text === '' || text === '()' ? '' : sign + text))
    .join('');
}

function inLine(el: Element): string {
  let text = '';
  let isApart = false;
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    const part = isElement(node) ? linear(node) : isText(node) ? tokenText(el, node.data) : '';
    // `x^2 y` is not `x^2y`, and `sin x` is not `sinx`.
    const words = node.nodeName.toLowerCase() === 'mtext' ? (node.textContent ?? '') : '';
    isApart ||= /^\s/.test(words) && text !== '';
    text += isApart && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part.replace(APPLIED, '');
    if (part === '') continue;
    isApart = part === APPLIED || /\s$/.test(words) || (isElement(node) && isScript(node.localName));
  }
  return text;
}

/** In brackets, unless it is one number or name: `2a` is two. */
function grouped(el: Element | undefined): string {
  if (el === undefined) return '';
  const text = linear(el);
  if (text === '') return '';
  const isOne = el.childElementCount === 0 ? /^[\p{L}\p{N}.,]+$/u : /^[\p{N}.,]+$/u;
  return isOne.test(text) || /^(?:.|√?\([^()]*\))$/u.test(text) ? text : `(${text})`;
}
