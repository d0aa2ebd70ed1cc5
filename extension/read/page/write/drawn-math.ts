import { isElement, isText, lookUp } from '../../../dom/elements.ts';

/* The drawings of KaTeX and MathJax as MathML, for pages that have none: their own classes and names say what is what. */

const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Written as nothing, but keeps words apart: the function-application operator. */
const APART = '\u2061';
/** Accents as combining characters; a line above is drawn as a dash. */
const ACCENTS: Readonly<Record<string, string>> = {
  '^': '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '¯': '\u0304',
  '–': '\u0304',
  '': '\u20d7',
};

/** Converts a drawn formula to MathML. Null for an element that draws no formula. */
export function drawnMath(el: Element): Element | null {
  const katex = el.querySelector('.katex-html');
  if (katex !== null) return make('math', ...katexParts(katex));
  const mathjax = el.querySelector('mjx-math,[data-mml-node="math"]');
  return mathjax === null ? null : mathjaxPart(mathjax);
}

function make(name: string, ...parts: readonly (Element | string)[]): Element {
  const made = document.createElementNS(MATHML, name);
  made.append(...parts);
  return made;
}

const row = (parts: readonly Element[]): Element =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : make('mrow', ...parts);

/** A fraction; without a bar, one line above another. */
function fraction(hasBar: boolean, over: Element, under: Element): Element {
  const made = make('mfrac', over, under);
  if (!hasBar) made.setAttribute('linethickness', '0');
  return made;
}

function accent(base: Element, sign: string): Element {
  const isOne = base.textContent.length === 1;
  const mark = isOne ? (lookUp(ACCENTS, sign) ?? sign) : sign.replace('–', '¯');
  const made = make('mover', base, make('mo', mark));
  made.setAttribute('accent', 'true');
  return made;
}

const isBrace = (el: Element): boolean => /^[\u23de\u23df]?$/.test(el.textContent);

/** A base with what is below and above it; either may be missing, or a brace. */
function scripts(base: Element, below: Element | undefined, above: Element | undefined): Element {
  const [low, high] = [below, above].map((part) => (part === undefined || isBrace(part) ? undefined : part));
  if (low !== undefined && high !== undefined) return make('msubsup', base, low, high);
  if (low !== undefined) return make('msub', base, low);
  return high === undefined ? base : make('msup', base, high);
}

/** Parts that draw nothing of the formula. */
const UNREAD = '.strut,.pstrut,.vlist-s,.frac-line,.katex-mathml,.nulldelimiter,svg';

function katexParts(el: Element): Element[] {
  const made: Element[] = [];
  for (const node of el.childNodes) {
    if (isText(node)) made.push(...katexText(node.data, el));
    else if (isElement(node) && !node.matches(UNREAD)) {
      const { classList } = node;
      if (classList.contains('msupsub')) made.push(katexScripts(node, made.pop() ?? make('mrow')));
      else if (classList.contains('mspace')) {
        if (/[\p{L}\p{N}]$/u.test(made.at(-1)?.textContent ?? '')) made.push(make('mo', APART));
      } else {
        const layout = [...classList].map((name) => lookUp(LAYOUTS, name)).find((each) => each !== undefined);
        made.push(...(layout === undefined ? katexParts(node) : [layout(node)]));
      }
    }
  }
  return made;
}

/** Letters of a formula are names of their own; those of functions and text are words. */
function katexText(data: string, el: Element): Element[] {
  const text = data.replace(/\u200b/g, '');
  if (el.classList.contains('mathnormal')) return [...text].map((letter) => make('mi', letter));
  return text === '' ? [] : [make(el.matches('.text *,.text') ? 'mtext' : 'mi', text)];
}

/** The parts drawn one above another, lowest first. */
const stackOf = (el: Element): Element[] => [
  ...(el.querySelector(':scope > .vlist-t > .vlist-r > .vlist')?.children ?? []),
];
const katexRow = (el: Element): Element => row(katexParts(el));
const drawsText = (el: Element): boolean => katexParts(el).length > 0;

const LAYOUTS: Readonly<Record<string, (el: Element) => Element>> = {
  mfrac: (el) => {
    const stack = stackOf(el);
    const [under, over] = stack.filter(drawsText).map(katexRow);
    const hasBar = el.querySelector(':scope > .vlist-t > .vlist-r > .vlist > span > .frac-line') !== null;
    return fraction(hasBar, over ?? make('mrow'), under ?? make('mrow'));
  },
  sqrt: (el) => {
    const base = katexRow(stackOf(el)[0] ?? el);
    const index = el.querySelector(':scope > .root');
    return index === null ? make('msqrt', base) : make('mroot', base, row(katexStack(index)));
  },
  accent: (el) => {
    const [base, sign] = stackOf(el);
    return accent(katexRow(base ?? el), sign?.textContent.trim() ?? '');
  },
  overline: (el) => accent(katexRow(stackOf(el)[0] ?? el), '¯'),
  'op-limits': (el) => {
    const stack = stackOf(el);
    const at = stack.findIndex((part) => part.querySelector('.mop') !== null);
    const [below, base, above] = [stack[at - 1], stack[at], stack[at + 1]].map(
      (part) => part && katexRow(part),
    );
    return scripts(base ?? make('mrow'), below, above);
  },
  munder: (el) => {
    const [below, base] = stackOf(el).filter(drawsText).map(katexRow);
    return base === undefined ? (below ?? make('mrow')) : scripts(base, below, undefined);
  },
  mover: (el) => {
    const [base, above] = stackOf(el).filter(drawsText).map(katexRow);
    return scripts(base ?? make('mrow'), undefined, above);
  },
  mtable: (el) => {
    const columns = [...el.querySelectorAll(':scope > [class^="col-align"]')].map(stackOf);
    const rows = columns[0]?.map((_cell, at) => columns.map((column) => column[at]));
    return make(
      'mtable',
      ...(rows ?? []).map((cells) =>
        make('mtr', ...cells.map((cell) => make('mtd', ...(cell === undefined ? [] : katexParts(cell))))),
      ),
    );
  },
};

const katexStack = (el: Element): Element[] => stackOf(el).flatMap(katexParts);

/** One script alone is a lower one if it reaches below the line. */
function katexScripts(el: Element, base: Element): Element {
  const [first, second] = stackOf(el).filter(drawsText).map(katexRow);
  if (second !== undefined) return scripts(base, first, second);
  const isLower = el.querySelector(':scope > .vlist-t2') !== null;
  return isLower ? scripts(base, first, undefined) : scripts(base, undefined, first);
}

/** The MathML name that an element of MathJax stands for; null for one that only lays out. */
const mathjaxName = (el: Element): string | null =>
  el.getAttribute('data-mml-node')?.toLowerCase() ??
  /^mjx-(m[a-z]+|texatom)$/.exec(el.localName)?.[1] ??
  null;

/** The nodes of the formula directly below an element, and its signs. */
function mathjaxParts(el: Element): Element[] {
  return [...el.children].flatMap((child) => {
    if (child.localName === 'mjx-surd' || child.localName === 'defs') return [];
    const sign = signOf(child);
    if (sign !== null) return sign === '' ? [] : [make('mi', sign)];
    return mathjaxName(child) === null ? mathjaxParts(child) : [mathjaxPart(child)];
  });
}

/** Pieces of tall brackets, U+239B to U+23AD, three each. */
const BRACKETS = '()[]{}';

/** The sign that MathJax draws by its code point; null for another element. */
function signOf(el: Element): string | null {
  if (/^(?:mjx-utext|text)$/.test(el.localName)) return el.textContent;
  const isDrawn = /^(?:mjx-(?:c|stretchy-[hv])|path|use|g)$/.test(el.localName);
  const names = `${el.getAttribute('data-c') ?? ''} ${el.getAttribute('xlink:href') ?? ''} ${el.getAttribute('class') ?? ''}`;
  const code = isDrawn ? /(?:^|-|\bmjx-c)([\dA-F]{2,5})\b/.exec(names)?.[1] : undefined;
  if (code === undefined) return isDrawn && el.localName !== 'g' ? '' : null;
  const sign = String.fromCodePoint(Number.parseInt(code, 16)).normalize('NFKC');
  const piece = (sign.codePointAt(0) ?? 0) - 0x239b;
  return piece >= 0 && piece < 18 ? BRACKETS.charAt(Math.floor(piece / 3)) : sign.replace(/\p{Co}/u, '');
}

const MATHJAX_BASE =
  ':scope > mjx-base,:scope > mjx-row > mjx-base,:scope > mjx-box > mjx-munder > mjx-row > mjx-base';

type MathjaxLayout = (el: Element, parts: readonly Element[]) => Element;

const token: MathjaxLayout = (el, parts) =>
  make(mathjaxName(el) ?? 'mi', parts.map((part) => part.textContent).join(''));
const bothScripts: MathjaxLayout = (_el, [base, above, below]) => scripts(base ?? make('mrow'), below, above);

const MATHJAX_LAYOUTS: Readonly<Record<string, MathjaxLayout>> = {
  mfrac: (el, [over, under]) => {
    const hasBar = el.querySelector(':scope > rect,:scope > mjx-frac > mjx-dbox') !== null;
    return fraction(hasBar, over ?? make('mrow'), under ?? make('mrow'));
  },
  mi: token,
  mn: token,
  mo: token,
  mover: (_el, [base, over]) =>
    over?.localName === 'mo' && base !== undefined
      ? accent(base, over.textContent)
      : scripts(base ?? make('mrow'), undefined, over),
  mroot: (el, [index, ...base]) => {
    // A drawing has the base first, as its only part without a name, and the sign of the root last.
    const drawn = el.querySelector(':scope > g:not([data-mml-node])');
    return drawn === null
      ? make('mroot', row(base), index ?? make('mrow'))
      : make('mroot', row(mathjaxParts(drawn)), base.at(-2) ?? index ?? make('mrow'));
  },
  ms: token,
  msqrt: (el) => make('msqrt', ...mathjaxParts(el.querySelector(':scope > g') ?? el)),
  msubsup: bothScripts,
  mtext: token,
  munder: (_el, [base, under]) => scripts(base ?? make('mrow'), under, undefined),
  munderover: bothScripts,
  texatom: (_el, parts) => row(parts),
};

function mathjaxPart(el: Element): Element {
  const limits = el.querySelector(MATHJAX_BASE);
  if (limits !== null) return mathjaxLimits(el, limits);
  const name = mathjaxName(el) ?? 'mrow';
  const parts = mathjaxParts(el);
  return lookUp(MATHJAX_LAYOUTS, name)?.(el, parts) ?? make(name, ...parts);
}

/** A base between limits, in the order of the drawing. */
function mathjaxLimits(el: Element, base: Element): Element {
  const under = base.parentElement?.parentElement?.querySelector(':scope > mjx-row > mjx-under') ?? null;
  const over = el.querySelector(':scope > mjx-over');
  const [middle, below, above] = [base, under, over].map((part) => part && row(mathjaxParts(part)));
  if (below == null && above?.localName === 'mo') return accent(middle ?? make('mrow'), above.textContent);
  return scripts(middle ?? make('mrow'), below ?? undefined, above ?? undefined);
}
