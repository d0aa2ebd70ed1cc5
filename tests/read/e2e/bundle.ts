import { startLit } from '../../../fixtures/rerender/lit.ts';
import { startReact } from '../../../fixtures/rerender/react.ts';
import type { App } from '../../../fixtures/rerender/view.ts';
import { startVue } from '../../../fixtures/rerender/vue.ts';
import { locateRef } from '../../../extension/find/page/locate/locate.ts';
import { Refs, LentNumbers } from '../../../extension/dom/refs.ts';
import { failureOf } from '../../../extension/dom/doorway.ts';
import { LAB } from '../../support/page-lab/lab-name.ts';
import { READ_CONTEXT } from '../../support/page-lab/read-context.ts';
import { HALF_A } from '../../../fixtures/rerender/third/half-a.ts';
import { HALF_B } from '../../../fixtures/rerender/third/half-b.ts';
import { startPlain } from '../../../fixtures/rerender/plain.ts';
import { startPreact } from '../../../fixtures/rerender/preact.ts';
import { FilledFields } from '../../../extension/act/page/controls.ts';
import { ReadSession } from '../../../extension/read/page/session.ts';
import { ShownSnapshots } from '../../../extension/read/page/write/snapshot-out.ts';

interface Known {
  readonly role: string;
  readonly name: string;
  /** The items it belongs to, by their texts; innermost first. */
  readonly things: readonly string[];
}

const TRUTH = 'data-truth';
const THING = 'data-thing';
const ROLES: Readonly<Record<string, string>> = { a: 'link', textarea: 'text', input: 'text' };
const squash = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

/**
 * The identities of a page's controls, removed from its attributes until restored. Knows when a control can be
 * recognised for certain, and shares no code with the tested one.
 */
class Truths {
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

  /** Restores the attributes, as the framework that set them expects. */
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

/** An invisible label would make an ambiguous control unambiguous. */
function isWrittenOn(el: Element, label: string): boolean {
  const written = `${squash(el.textContent)} ${el.getAttribute('aria-label') ?? ''}`;
  return label.split(' ').every((word) => written.includes(word));
}

const VIEWER = 'reader';
let next = 1;

function lent(): LentNumbers {
  const from = next;
  next += 100_000;
  return new LentNumbers({ viewer: VIEWER, numbers: { from, to: from + 99_999 } });
}

/** Shows the reader the current page, and returns the refs of elements by name. */
function read(refs: Refs, elements: ReadonlyMap<string, Element>): Map<string, string> {
  const options = {
    format: 'snapshot',
    selector: null,
    main_content_only: false,
    include_links: false,
    include_hidden: false,
  } as const;
  const session = new ReadSession(options, READ_CONTEXT, {
    refs,
    lent: lent(),
    unrest: null,
    shown: new ShownSnapshots(),
    filled: new FilledFields(),
  });
  refs.use(lent());
  const shown = new Map([...elements].map(([name, el]) => [name, refs.of(el)]));
  while (session.next().done === null);
  return shown;
}

const FRAMEWORKS: Readonly<Record<string, (root: HTMLElement) => App>> = {
  react: startReact,
  vue: startVue,
  lit: startLit,
  preact: startPreact,
  plain: startPlain,
};

const HALVES = { 'half a': HALF_A, 'half b': HALF_B } as const;

export interface Outcome {
  readonly scenario: string;
  readonly truth: string;
  /** `found` and `wrong` are elements; `refused` is an error for an existing one, `gone` for a missing one. */
  readonly outcome: 'found' | 'wrong' | 'refused' | 'gone' | 'ambiguous';
  /** The same element, or a different one now. */
  readonly isSameElement: boolean;
  readonly note: string;
}

function startApp(framework: string): App {
  document.body.replaceChildren();
  const root = document.createElement('div');
  document.body.append(root);
  const app = FRAMEWORKS[framework]?.(root);
  if (app === undefined) throw new Error(`There is no framework ${framework}.`);
  return app;
}

/** Shows the views of a page one after another. The identities are hidden from Spillway while it reads and finds. */
async function runViews(framework: string, { name, views }: (typeof HALF_A)[number]): Promise<Outcome[]> {
  const app = startApp(framework);
  const [first, ...later] = views;
  if (first === undefined) throw new Error(`${name} has no views.`);
  await app.show(first);
  const before = new Truths(document);
  const refs = new Refs();
  const shown = read(refs, before.elements);
  let after = before;
  for (const view of later) {
    after.reveal();
    await app.show(view);
    after = new Truths(document);
  }
  refs.use(null);
  const outcomes = [...shown].map((entry) => ({ scenario: name, ...judge(refs, entry, { before, after }) }));
  app.end();
  return outcomes;
}

const functions = {
  async run(framework: string, set: keyof typeof HALVES): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const page of HALVES[set]) outcomes.push(...(await runViews(framework, page)));
    return outcomes;
  },
};

function judge(
  refs: Refs,
  [truth, ref]: readonly [string, string],
  { before, after }: { readonly before: Truths; readonly after: Truths },
): Omit<Outcome, 'scenario'> {
  const isClear = before.isClear(truth, after);
  const isSameElement = after.elements.get(truth) === before.elements.get(truth);
  try {
    const { el, note } = locateRef(ref, { refs, viewer: VIEWER });
    const isRight = after.elements.get(truth) === el;
    return {
      truth,
      isSameElement,
      outcome: !isRight ? 'wrong' : isClear ? 'found' : 'ambiguous',
      note: note ?? '',
    };
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    const outcome = !after.elements.has(truth) ? 'gone' : isClear ? 'refused' : 'ambiguous';
    return { truth, isSameElement, outcome, note: `${code}: ${message}` };
  }
}

export type RerenderFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
