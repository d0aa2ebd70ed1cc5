import { unquote, type Counted } from '../aria/generated.ts';

/** A counter in scope: it ends with the parent of the element that made it. */
interface Counter {
  readonly parent: Element | null;
  value: number;
}

type Pseudo = '::before' | '::after';
type Values = Readonly<Record<string, readonly number[]>>;

/** Larger documents are not gone through to count. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 1_000;

let counted: { readonly root: Document; readonly values: ReadonlyMap<Element, Map<Pseudo, Values>> } | null =
  null;

/** To be called when a walk begins: the page may have changed since the last one. */
export function forgetCounters(): void {
  counted = null;
}

/** `counter(name, style)` or `counters(name, "separator", style)` of a pseudo-element, as it shows. */
export function countedText(el: Element, pseudo: Pseudo): Counted {
  return (counter, name, more) => {
    const values = counterValues(el, pseudo, name);
    const separator = counter === 'counters' ? unquote(/"(?:[^"\\]|\\[^])*"/.exec(more)?.[0] ?? '""') : '';
    const style = /,\s*([\w-]+)\s*$/.exec(more)?.[1] ?? 'decimal';
    const shown = counter === 'counters' && values.length > 0 ? values : [values.at(-1) ?? 0];
    return shown.map((value) => inCounterStyle(value, style)).join(separator);
  };
}

/** The values of a counter at a pseudo-element, outermost first (CSS Lists 3); browsers do not tell them. */
function counterValues(el: Element, pseudo: Pseudo, name: string): readonly number[] {
  const root = el.ownerDocument;
  if (counted?.root !== root) counted = { root, values: new Count().run(root) };
  return counted.values.get(el)?.get(pseudo)?.[name] ?? [];
}

/** One pass over a document in order. */
class Count {
  readonly #values = new Map<Element, Map<Pseudo, Values>>();
  readonly #scopes = new Map<string, Counter[]>();
  #left = MAX_ELEMENTS;

  run(root: Document): ReadonlyMap<Element, Map<Pseudo, Values>> {
    if (root.documentElement !== null) this.#visit(root.documentElement);
    return this.#values;
  }

  #visit(el: Element, depth = 0): void {
    this.#left -= 1;
    if (this.#left < 0 || depth > MAX_DEPTH) return;
    const style = getComputedStyle(el);
    if (style.display === 'none') return;
    this.#apply(style, el.parentElement);
    this.#generate(el, '::before');
    for (let child = el.firstElementChild; child !== null; child = child.nextElementSibling)
      this.#visit(child, depth + 1);
    this.#generate(el, '::after');
    for (const stack of this.#scopes.values()) while (stack.at(-1)?.parent === el) stack.pop();
  }

  #generate(el: Element, pseudo: Pseudo): void {
    const style = getComputedStyle(el, pseudo);
    const { content } = style;
    if (content === 'none' || content === 'normal') return;
    this.#apply(style, el);
    if (!content.includes('counter')) return;
    const values: Record<string, readonly number[]> = {};
    for (const [name, stack] of this.#scopes) values[name] = stack.map(({ value }) => value);
    const own = this.#values.get(el) ?? new Map<Pseudo, Values>();
    this.#values.set(el, own.set(pseudo, values));
  }

  #apply({ counterReset, counterIncrement, counterSet }: CSSStyleDeclaration, parent: Element | null): void {
    for (const [name, value] of pairs(counterReset, 0)) {
      const stack = this.#stack(name);
      if (stack.at(-1)?.parent === parent) stack.pop();
      stack.push({ parent, value });
    }
    for (const [name, value] of pairs(counterIncrement, 1)) this.#top(name, parent).value += value;
    for (const [name, value] of pairs(counterSet, 0)) this.#top(name, parent).value = value;
  }

  #top(name: string, parent: Element | null): Counter {
    const stack = this.#stack(name);
    let top = stack.at(-1);
    if (top === undefined) stack.push((top = { parent, value: 0 }));
    return top;
  }

  #stack(name: string): Counter[] {
    let stack = this.#scopes.get(name);
    if (stack === undefined) this.#scopes.set(name, (stack = []));
    return stack;
  }
}

/** `a 1 b 2` as pairs. */
function* pairs(css: string, initial: number): Generator<readonly [string, number]> {
  if (css === 'none') return;
  for (const [, name = '', value] of css.matchAll(/([^\s()-][^\s()]*|-[^\s()\d][^\s()]*)(?:\s+(-?\d+))?/g))
    yield [name, value === undefined ? initial : Number(value)];
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** A number in a counter style; decimal in those that are not known here. */
function inCounterStyle(value: number, style: string): string {
  switch (style) {
    case 'lower-alpha':
    case 'lower-latin':
      return alphabetic(value);
    case 'upper-alpha':
    case 'upper-latin':
      return alphabetic(value).toUpperCase();
    case 'lower-roman':
      return roman(value);
    case 'upper-roman':
      return roman(value).toUpperCase();
    case 'decimal-leading-zero':
      return String(value).padStart(2, '0');
    case 'disc':
      return '•';
    case 'none':
      return '';
    default:
      return String(value);
  }
}

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
  for (const [worth, sign] of ROMAN) for (; rest >= worth; rest -= worth) text += sign;
  return text;
}
