import { comparable, readable } from '../../../../shared/base/comparable.ts';
import { PageError } from '../../../dom/doorway.ts';
import { isInput, isShadowRoot, isText, isElement, valueIn } from '../../../dom/elements.ts';
import { shadowRootOf } from '../../../dom/trees.ts';

/** A part of a selector, with its position in the whole. */
export interface SelectorPart {
  readonly engine: string;
  readonly body: string;
  /** Position of the body in {@link whole}. */
  readonly at: number;
  readonly whole: string;
}

/** Characters of a selector in messages. */
const MAX_SHOWN = 500;

/** Positions count from 0. */
export function invalid(
  { whole, at }: Pick<SelectorPart, 'whole' | 'at'>,
  why: string,
  offset = 0,
): PageError {
  const shown = whole.length > MAX_SHOWN ? `${whole.slice(0, MAX_SHOWN)}…` : whole;
  return new PageError(
    'selector_invalid',
    `target: ${JSON.stringify(shown)} is invalid at position ${at + offset}: ${why}.`,
  );
}

/** Matches a text by substring, exactly, or by pattern. */
export type TextMatcher =
  | { readonly kind: 'contains' | 'exact'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

const QUOTED = /^(["'])(.*)\1$/s;
const PATTERN = /^\/(.+)\/([a-z]*)$/s;
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis;
/**
 * The argument of `text=` and the like: a text, a quoted exact text, or `/a pattern/i`.
 * @throws PageError `selector_invalid`
 */
export function parseMatcher(part: SelectorPart): TextMatcher {
  const { body } = part;
  if (body === '') throw invalid(part, `${part.engine}= takes a text`);
  const pattern = PATTERN.exec(body);
  if (pattern !== null)
    return { kind: 'pattern', pattern: compile(part, pattern[1] ?? '', pattern[2] ?? '') };
  const quoted = QUOTED.exec(body);
  if (quoted === null) return { kind: 'contains', text: comparable(body) };
  return { kind: 'exact', text: readable(unescape(quoted[2] ?? '')) };
}

/** @throws PageError `selector_invalid` */
export function compile(part: SelectorPart, source: string, flags: string, offset = 0): RegExp {
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch {
    throw invalid(part, `/${source}/${flags} is not a regular expression`, offset);
  }
}

/** A quoted CSS string without its escapes. */
export function unescape(text: string): string {
  return text.replace(ESCAPE, (_all, code: string | undefined, char: string | undefined) =>
    code === undefined ? (char ?? '') : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff)),
  );
}

export function matches(matcher: TextMatcher, text: string): boolean {
  if (matcher.kind === 'pattern') return matcher.pattern.test(text);
  if (matcher.kind === 'exact') return readable(text) === matcher.text;
  return comparable(text).includes(matcher.text);
}

const UNSAID = new Set(['script', 'style', 'noscript', 'head', 'template']);
const FACED = new Set(['submit', 'button', 'reset']);

/** Whether an element has no page text: a script, a style. */
export const isUnsaid = (el: Element): boolean => UNSAID.has(el.localName);

export const faceOfInput = (el: Element): string | null =>
  isInput(el) && FACED.has(el.type) ? el.value : null;

/** The children of an element, then those of its shadow tree. */
export function* childrenAcross(el: Element | ShadowRoot): Generator<Node> {
  yield* el.childNodes;
  const root = isShadowRoot(el) ? null : shadowRootOf(el, true);
  if (root !== null) yield* root.childNodes;
}

/** Text of elements, each computed once. */
export class Texts {
  readonly #known = new Map<Element, string>();

  constructor(private readonly say: (node: Text) => string = ({ data }) => data) {}

  /** All text of an element and its shadow tree. */
  of(el: Element): string {
    return valueIn(this.#known, el, () => this.#compute(el));
  }

  #compute(el: Element): string {
    if (isUnsaid(el)) return '';
    const face = faceOfInput(el);
    if (face !== null) return face;
    let text = '';
    for (const child of childrenAcross(el)) {
      if (isText(child)) text += this.say(child);
      else if (isElement(child)) text += this.of(child);
    }
    return text;
  }
}
