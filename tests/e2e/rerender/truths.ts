interface Known {
  readonly role: string;
  readonly name: string;
  /** The things that it is about, by what is written on them; the innermost first. */
  readonly things: readonly string[];
}

const TRUTH = 'data-truth';
const THING = 'data-thing';
const ROLES: Readonly<Record<string, string>> = { a: 'link', textarea: 'text', input: 'text' };

const squash = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

/**
 * What the controls of a page are, taken out of it: no attribute of the page says it as long as it is not put back.
 * It knows when a control can be recognised for sure, and shares no code with what is tested.
 */
export class Truths {
  /** The controls, by what they are for. */
  readonly elements = new Map<string, Element>();
  readonly #known = new Map<string, Known>();
  readonly #hidden: (() => void)[] = [];

  constructor(document: Document) {
    for (const el of document.querySelectorAll(`[${TRUTH}]`)) {
      const truth = el.getAttribute(TRUTH) ?? '';
      if (this.elements.has(truth)) throw new Error(`Two controls are ${truth}.`);
      this.elements.set(truth, el);
      this.#known.set(truth, knownOf(el));
    }
    for (const name of [TRUTH, THING])
      for (const el of document.querySelectorAll(`[${name}]`)) this.#hide(el, name);
  }

  #hide(el: Element, name: string): void {
    const value = el.getAttribute(name) ?? '';
    el.removeAttribute(name);
    this.#hidden.push(() => el.setAttribute(name, value));
  }

  /** Puts the attributes back, as the framework that set them expects it. */
  reveal(): void {
    for (const restore of this.#hidden.splice(0)) restore();
  }

  /**
   * Whether a control is there later and can be recognised by its role, its name and the thing that it is about: nothing
   * else had or has the same ones, if need be with the things around that one.
   */
  isClear(truth: string, later: Truths): boolean {
    const [one, other] = [this.#known.get(truth), later.#known.get(truth)];
    if (one === undefined || other === undefined) return false;
    const most = Math.max(one.things.length, other.things.length);
    for (let depth = Math.min(1, most); depth <= most; depth += 1) {
      const line = lineOf(one, depth);
      if (line !== lineOf(other, depth)) return false;
      if (this.#count(line, depth) === 1 && later.#count(line, depth) === 1) return true;
    }
    return false;
  }

  #count(line: string, depth: number): number {
    return [...this.#known.values()].filter((known) => lineOf(known, depth) === line).length;
  }
}

const lineOf = ({ role, name, things }: Known, depth: number): string =>
  JSON.stringify([role, name, things.slice(0, depth)]);

function knownOf(el: Element): Known {
  const things: string[] = [];
  for (let up: Element | null = el; up !== null; up = up.parentElement) {
    const label = up.getAttribute(THING);
    if (label === null) continue;
    if (!isWrittenOn(up, label)) throw new Error(`${label} is not written on its thing.`);
    things.push(label);
  }
  const type = el.getAttribute('type') ?? '';
  const role =
    el.getAttribute('role') ??
    (type === '' || type === 'button' ? (ROLES[el.localName] ?? el.localName) : type);
  return { role, name: nameOf(el), things };
}

function nameOf(el: Element): string {
  const given = squash(el.getAttribute('aria-label'));
  if (given !== '') return given;
  if (el instanceof HTMLInputElement)
    return squash([...(el.labels ?? [])].map((label) => label.textContent).join(' ')) || el.placeholder;
  const copy = el.cloneNode(true);
  if (copy instanceof Element)
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return squash(copy.textContent);
}

/** A label that nobody could read would make a control clear that is not. */
function isWrittenOn(el: Element, label: string): boolean {
  const written = `${squash(el.textContent)} ${el.getAttribute('aria-label') ?? ''}`;
  return label.split(' ').every((word) => written.includes(word));
}
