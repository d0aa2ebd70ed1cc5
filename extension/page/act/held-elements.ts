import { PageError } from '../page-error.ts';
import { takesPassword } from '../write/controls.ts';
import { boundsOf, checkedOf, kindOf, opensPopup } from './controls.ts';
import { describeElement } from './hit.ts';
import { isSameLeads, leadsOf } from './leads.ts';
import type { Leads, TargetFacts } from './protocol.ts';

/** Most elements that are kept for the steps of an act. */
const HELD_MAX = 500;

interface Known {
  readonly el: Element;
  readonly leads: Leads | null;
  isRedirected: boolean;
}

/** The elements that were found, by the numbers that later questions use for them. */
export class HeldElements {
  readonly #elements = new Map<number, Known>();
  #last = 0;

  /** @throws PageError `internal_error` for a number that was not given, or too long ago */
  get(held: number): Element {
    const el = this.#elements.get(held)?.el;
    if (el === undefined) throw new PageError('internal_error', `Element ${held} is not known to this page.`);
    return el;
  }

  /**
   * Whether the form of an element is sent elsewhere than when it was found, or has been. Pages rewrite links as they are
   * pressed.
   *
   * @param hit what an event goes to: the page may have put another element there
   */
  isRedirected(held: number, hit: Element | null = null): boolean {
    const known = this.#elements.get(held);
    if (known === undefined) return false;
    const now = hit === null || known.el.contains(hit) ? leadsOf(known.el) : leadsOf(hit);
    const areForms = [known.leads, now].some((leads) => leads?.how === 'form');
    known.isRedirected ||= areForms && !isSameLeads(known.leads, now);
    return known.isRedirected;
  }

  /** Keeps an element, and returns what a step has to know about it. */
  hold(el: Element, note: string | null = null): TargetFacts {
    this.#last += 1;
    const leads = leadsOf(el);
    this.#elements.set(this.#last, { el, leads, isRedirected: false });
    const [oldest] = this.#elements.keys();
    if (this.#elements.size > HELD_MAX && oldest !== undefined) this.#elements.delete(oldest);
    return {
      held: this.#last,
      line: describeElement(el),
      kind: kindOf(el),
      checked: checkedOf(el),
      isPassword: takesPassword(el),
      isMultiple: el.getAttribute('aria-multiselectable') === 'true' || el.hasAttribute('multiple'),
      bounds: boundsOf(el),
      opens: opensPopup(el),
      leads,
      note,
    };
  }

  clear(): void {
    this.#elements.clear();
  }
}
