import { BoundedMap } from '../../../shared/base/maps.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { isButton, isInput, isLabel, isSelect, isTextarea } from '../../dom/elements.ts';
import { submitterOf, SUBMITS } from './fields.ts';
import type { Leads, Point, TargetFacts } from '../../core/ports/page-answers.ts';
import { PageError } from '../../dom/doorway.ts';
import { isSecret, takesPassword } from '../../dom/controls.ts';
import { resolveControlKind, opensPopup } from './controls.ts';
import { fileNeedsOf } from './file-fields.ts';
import type { Seen } from './aim.ts';
import { describeElement, WHOLE_UNITS } from './hit.ts';
import { measureArea } from './places.ts';

/** The card shows the site; in the rest of the address any change counts. */
const URL_UNITS = 400;
const OWN_SCRIPT = /^\s*javascript:/i;

/**
 * The address where an element's form is sent or its link leads; null for neither. What the page's scripts do on a
 * click is out of reach.
 */
function leadsOf(el: Element): Leads | null {
  const link = el.closest('a[href],area[href]');
  if (link !== null) return leads('link', link.getAttribute('href') ?? '', link);
  const control = controlOf(el);
  const form = control === null ? null : formOf(control);
  if (control === null || form === null) return null;
  const button = control.matches(SUBMITS) ? control : firstSubmitter(control);
  if (isButton(control) && button !== control) return null;
  const stated = (name: string): string | null =>
    (button === null ? null : readAttribute(button, `form${name}`)) ?? readAttribute(form, name);
  const method = (stated('method') ?? 'get').toLowerCase().slice(0, 20);
  // A field's name can hide the form's `ownerDocument` and `baseURI`.
  const to = leads('form', stated('action') ?? '', control);
  return to && { ...to, method, hidden: hiddenOf(form, control) };
}

/** A form's own fields shadow its methods and members: `<input name="getAttribute">`. */
const readAttribute = (from: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(from, name);

/** A digest of the names and values of a form's hidden fields. */
function hiddenOf(form: HTMLFormElement, { ownerDocument }: Element): string {
  const pairs: string[] = [];
  for (const el of ownerDocument.querySelectorAll('input[type=hidden i]'))
    if (isInput(el) && el.form === form) pairs.push(`${el.name}=${el.value}`);
  return digestOf(JSON.stringify(pairs));
}

function leads(how: Leads['how'], address: string, { baseURI, ownerDocument }: Element): Leads | null {
  if (OWN_SCRIPT.test(address)) return null;
  // An empty action means the document's own address, whatever its base.
  const base = how === 'form' && address === '' ? ownerDocument.URL : baseURI;
  return { how, url: shorten(absolute(address, base)) };
}

/** Replaces the end of a long address with a digest, so that different ends stay different. */
function shorten(url: string): string {
  return url.length <= URL_UNITS ? url : `${cutUrl(url, URL_UNITS)} ${digestOf(url)}`;
}

/** Random and odd, so that a page cannot construct two texts with one digest. */
const BASES = [...crypto.getRandomValues(new Uint32Array(4))].map((random) => random | 1);

function digestOf(text: string): string {
  const sums = BASES.map((base) => {
    let sum = base;
    for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum ^ text.charCodeAt(at), base) + at) | 0;
    return sum >>> 0;
  });
  return `${text.length}:${sums.map((sum) => sum.toString(36)).join('')}`;
}

const absolute = (address: string, base: string): string =>
  URL.canParse(address, base) ? new URL(address, base).href : address;

function controlOf(el: Element): Element | null {
  const label = el.closest('label');
  const labelled = label !== null && isLabel(label) ? label.control : null;
  return el.closest('button,input,select,textarea') ?? labelled;
}

const formOf = (control: Element): HTMLFormElement | null =>
  isInput(control) || isButton(control) || isSelect(control) || isTextarea(control) ? control.form : null;

function firstSubmitter(control: Element): Element | null {
  try {
    return submitterOf(control.ownerDocument, control);
  } catch {
    return null;
  }
}

const isSameLeads = (a: Leads | null, b: Leads | null): boolean =>
  a?.how === b?.how && a?.url === b?.url && a?.method === b?.method;

/** An element from the debugger, until it is taken: the two share no other name for it. */
export interface HandedElement {
  el: Element | null;
}

/** Maximum elements kept for the steps of an act. */
const HELD_MAX = 500;

interface Known {
  readonly el: Element;
  readonly seen: Seen;
  readonly leads: Leads | null;
  readonly point: Point | undefined;
  isRedirected: boolean;
}

/** Found elements, by the number that later questions use. */
export class HeldElements {
  readonly #elements = new BoundedMap<number, Known>(HELD_MAX);
  #last = 0;

  /** @throws PageError `internal_error` for a number never issued, or issued too long ago */
  get(held: number): Element {
    const el = this.#elements.get(held)?.el;
    if (el === undefined) throw new PageError('internal_error', `Element ${held} is not known to this page.`);
    return el;
  }

  /** The point of the page that named it. */
  point(held: number): Point | null {
    return this.#elements.get(held)?.point ?? null;
  }

  seen(held: number): Seen | null {
    return this.#elements.get(held)?.seen ?? null;
  }

  /**
   * Whether the form's or link's address has changed since the element was found. Pages rewrite links as they are
   * pressed.
   * @param hit the target of an event: the page may have put another element there
   */
  isRedirected(held: number, hit: Element | null = null): boolean {
    const known = this.#elements.get(held);
    if (known === undefined) return false;
    const now = hit === null || known.el.contains(hit) ? leadsOf(known.el) : leadsOf(hit);
    const areForms = [known.leads, now].some((leads) => leads?.how === 'form');
    known.isRedirected ||= areForms && !isSameLeads(known.leads, now);
    return known.isRedirected;
  }

  hold(el: Element, note: string | null = null, point?: Point): TargetFacts {
    this.#last += 1;
    const leads = leadsOf(el);
    const line = describeElement(el);
    const files = fileNeedsOf(el);
    const seen = { place: measureArea(el), at: performance.now() };
    this.#elements.set(this.#last, { el, seen, leads, point, isRedirected: false });
    return {
      held: this.#last,
      line,
      ...(line.endsWith('…') && { whole: describeElement(el, WHOLE_UNITS) }),
      kind: resolveControlKind(el),
      isPassword: takesPassword(el),
      ...(files && { files }),
      hides: isSecret(el),
      isBrief: isInput(el) && el.maxLength > 0 && el.maxLength <= 2,
      opens: opensPopup(el),
      leads,
      note,
      ...(point && { point }),
    };
  }

  clear(): void {
    this.#elements.clear();
  }
}
