import type { Refs } from '../refs.ts';
import { checkedOf, valueOf } from './controls.ts';

const contentOf = (el: Element): string => `${checkedOf(el)} ${valueOf(el)}`;

/**
 * Fields that an act has set to what was asked for. Their new values are not news to who asked, and would
 * fill the receipt of a long form.
 */
export class FilledFields {
  /** What each held then. */
  readonly #contents = new Map<Element, string>();

  add(el: Element): void {
    this.#contents.set(el, contentOf(el));
  }

  /** The refs of those that still hold what they were set to. They are forgotten. */
  take(refs: Refs): ReadonlySet<string> {
    const same = [...this.#contents].filter(([el, content]) => el.isConnected && contentOf(el) === content);
    this.#contents.clear();
    return new Set(same.map(([el]) => refs.of(el)));
  }
}
