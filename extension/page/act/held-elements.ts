import { PageError } from '../page-error.ts';
import { takesPassword } from '../write/controls.ts';
import { checkedOf, kindOf } from './controls.ts';
import { describeElement } from './hit.ts';
import type { TargetFacts } from './protocol.ts';

/** Most elements that are kept for the steps of an act. */
const HELD_MAX = 500;

/** The elements that were found, by the numbers that later questions use for them. */
export class HeldElements {
  readonly #elements = new Map<number, Element>();
  #last = 0;

  /** @throws PageError `internal_error` for a number that was not given, or too long ago */
  get(held: number): Element {
    const el = this.#elements.get(held);
    if (el === undefined) throw new PageError('internal_error', `Element ${held} is not known to this page.`);
    return el;
  }

  /** Keeps an element, and returns what a step has to know about it. */
  hold(el: Element, note: string | null = null): TargetFacts {
    this.#last += 1;
    this.#elements.set(this.#last, el);
    const [oldest] = this.#elements.keys();
    if (this.#elements.size > HELD_MAX && oldest !== undefined) this.#elements.delete(oldest);
    return {
      held: this.#last,
      line: describeElement(el),
      kind: kindOf(el),
      checked: checkedOf(el),
      isPassword: takesPassword(el),
      isMultiple: el.getAttribute('aria-multiselectable') === 'true' || el.hasAttribute('multiple'),
      note,
    };
  }

  clear(): void {
    this.#elements.clear();
  }
}
