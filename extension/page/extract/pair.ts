import { allIn, isElement, tagOf, textIn } from '../dom.ts';
import type { View } from './view.ts';

/** How sure each way of writing a label is. */
export const SURE = {
  list: 1,
  colon: 0.95,
  rows: 0.95,
  icon: 0.9,
  loose: 0.85,
  byline: 0.85,
  unit: 0.8,
  prefix: 0.8,
} as const;

/** A label and what it labels. */
export interface Pair {
  /** How the label is written. */
  readonly kind: keyof typeof SURE;
  readonly label: string;
  /** An element of the page, or a copy of the nodes that follow the label on its line. */
  readonly value: Element;
  /** The element of the page that says it. */
  readonly at: Element;
  /** How sure it is that this is a label with its value, 0 to 1. */
  readonly sure: number;
}

export const LABEL_UNITS = 40;
/** Of a value after a label without a colon. */
const LED_UNITS = 100;
export const HAS_LETTER = /\p{L}/u;

/** A text that can be a label: short words without a price or a sentence. */
export function asLabel(text: string): string | null {
  const bare = text.replace(/\s*[:：]\s*$/, '');
  if (bare.length < 2 || bare.length > LABEL_UNITS || !HAS_LETTER.test(bare)) return null;
  return /\p{Sc}|[.!?]\s|https?$|@/u.test(bare) || bare.split(' ').length > 6 ? null : bare;
}

export const isNumeric = (text: string): boolean => /^[\p{Sc}#~≈±+-]?\s*\p{N}/u.test(text);

export const isBold = (node: Node): boolean => isElement(node) && /^(?:b|strong)$/.test(tagOf(node));

/** A label without a colon, and the short text that follows it. */
export function besidePair(label: string | null, nodes: readonly Node[], at: Element, view: View): Pair[] {
  const value = view.inert.createElement('span');
  value.append(...nodes);
  const { length } = textIn(value);
  return label === null || length === 0 || length > LED_UNITS
    ? []
    : [{ label, value, at, kind: 'rows', sure: SURE.icon }];
}

/** A copy without controls: what they hold is read from the page alone, where secrets are known. */
export function copyOf(el: Element, view: View): Node {
  const copy = view.inert.importNode(el, true);
  if (!isElement(copy)) return copy;
  for (const control of allIn(copy, 'input,textarea,select,script,style')) control.remove();
  return /^(?:input|textarea|select)$/.test(tagOf(copy)) ? view.inert.createTextNode('') : copy;
}
