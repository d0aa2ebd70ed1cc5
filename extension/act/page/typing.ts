import { comparable } from '../../../shared/base/comparable.ts';
import { cut } from '../../../shared/base/cut.ts';
import { isSecret, rememberPasswords, takesPassword } from '../../dom/controls.ts';
import { defer, delay } from '../../../shared/base/async.ts';
import { isHtml, isInput } from '../../dom/elements.ts';
import { lineageOf } from '../../dom/trees.ts';
import { isWithinReach, whenReady } from './aim.ts';
import {
  assertEditable,
  focusOn,
  isEditable,
  resolveControlKind,
  leave,
  readFieldState,
  readValue,
  type FilledFields,
} from './controls.ts';
import { Fields } from './fields.ts';
import { answerFound, type Finding } from './find-targets.ts';
import { giveFocus, hasFocus } from './focus.ts';
import type { FieldState } from './notes.ts';
import type { Motion } from './motion.ts';
import { windowsAround } from './places.ts';
import { whenFaded, type QuietWatch } from './quiet.ts';
import { lettersOf, SEARCH, type AskOf } from './protocol.ts';
import type { PageAnswers } from '../../core/ports/page-answers.ts';
import { isDrawnIn, isLayer, layerNextTo } from './surroundings.ts';
import { hasRow, LISTS } from './popup.ts';
import { isKey, KeyGuard, SILENCE_MS } from './key-guard.ts';

/** Editors that write by themselves cancel `beforeinput`, and `input` never comes. */
const EVENTS = ['beforeinput', 'input'] as const;

/** Editors restore their own caret shortly after they get the focus. */
const EDITOR_MS = 50;
const REST_MS = 200;

/**
 * Resolves when the page is idle: an editor learns of a moved caret by a later event, and until then takes the next key
 * where it believes the caret to be.
 */
export async function atRest(): Promise<void> {
  await Promise.race([scheduler.postTask(() => undefined, { priority: 'background' }), delay(REST_MS)]);
}

/** After the browser has acknowledged text, it is still on its way to a page. */
const LATE_MS = 250;
const CLOSED_MS = 150;
const LEFT = { quietMs: 50, minMs: 0, untilFrame: true, answer: null, effectMs: 0, waitMs: 500 } as const;

const KNOWN_SHOWN = 30;
const LABEL_UNITS = 60;

type Select = 'all' | 'end' | 'none';

export interface Left extends FieldState {
  /** The text when it got the focus. */
  readonly before: string;
  /** Its calendar is still open. */
  readonly isOpen: boolean;
  /** A list or calendar was open for its text until it was left. */
  readonly isOffered: boolean;
}

/** Finds, focuses, types into and reads back one field after the other. */
export class Typing {
  readonly guard = new KeyGuard();
  readonly #fields = new Fields(document);
  /** Values of fields when they got the focus, and when they were last read. */
  readonly #before = new WeakMap<Element, string>();
  readonly #shown = new WeakMap<Element, string>();
  readonly #offered = new WeakSet<Element>();
  #focused: Element | null = null;
  #focusedAt = Infinity;
  /** When text last arrived in a field. */
  #textAt = Infinity;
  /** Ends listening for the text of the last focused element. */
  #hearing = new AbortController();
  /** Resolves once the page has handled that text. */
  #arrived: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly finding: Finding,
    private readonly filled: FilledFields,
    private readonly motion: Motion,
    private readonly watch: () => QuietWatch,
  ) {}

  /** Call after anything that may add, remove or rename fields. */
  forget(): void {
    this.#fields.forget();
  }

  /** The fields that a label, placeholder, name or caption names. */
  named(name: string): readonly Element[] {
    return this.#find(name).found;
  }

  stop(): void {
    this.forget();
    this.guard.lift();
    this.#hearing.abort();
  }

  /** Finds the control with a label, placeholder or name. */
  field({ target }: AskOf<'find'>): PageAnswers['find'] {
    // The outer document's script also searches this one.
    const isInner = window.frameElement !== null;
    const { found, known } = isInner ? { found: [], known: [] } : this.#find(target);
    return {
      ...answerFound(found, this.finding),
      isAtRest: true,
      known: known.slice(0, KNOWN_SHOWN).map((label) => cut(label, LABEL_UNITS)),
    };
  }

  #find(name: string): ReturnType<Fields['find']> {
    if (this.watch().hasChanged()) this.forget();
    rememberPasswords(document);
    return this.#fields.find(name);
  }

  /** @throws PageError as `whenReady`, `assertEditable` and `focusOn` */
  async focus(el: Element, select: Select, guards: boolean, waitMs: number): Promise<void> {
    await whenReady(el, { waitMs, motion: this.motion });
    // Pages lift `readonly` from some fields as they get the focus.
    if (select !== 'none' && !isEditable(el) && isHtml(el)) giveFocus(el);
    if (select !== 'none') assertEditable(el);
    this.#focus(el, select, guards);
    if (resolveControlKind(el) === 'editor' || (isHtml(el) && el.isContentEditable)) {
      await delay(EDITOR_MS);
      await atRest();
    }
  }

  /**
   * Reads the focused field once the page has handled the text that it is given. Some text never arrives.
   * @throws PageError `password_refused`
   */
  async read(el: Element, text: string, given: Promise<void>): Promise<FieldState> {
    const read = (): FieldState => {
      this.guard.check();
      return this.state(el, text);
    };
    // An emptied field may already have been empty: then no input arrives.
    const late = given.then(() => (text === '' ? undefined : delay(LATE_MS)));
    await (text === '' ? late : Promise.race([this.#arrived, late]));
    return read();
  }

  /** Reads a field. One with the expected value is left out of the receipt. */
  state(el: Element, expected: string | null): FieldState {
    const state = readFieldState(el, expected);
    if (state.isTaken) this.filled.add(el);
    this.#shown.set(el, readValue(el));
    return state;
  }

  /** Whether elements have come or gone since a field got the focus. */
  get #hasOpened(): boolean {
    return this.watch().builtAt >= this.#focusedAt;
  }

  /** Whether a layer that offers values has appeared next to a field. */
  async hasLayer(el: Element): Promise<boolean> {
    if (!this.#hasOpened && !isExpanded(el)) return false;
    await this.#whenStanding();
    return this.#isOffered(el);
  }

  /** Whether something has changed since a field got its last text, and has rested. */
  hasAnswered(): boolean {
    const { at } = this.watch().shown;
    return at >= this.#textAt && performance.now() - at >= LEFT.quietMs;
  }

  /**
   * Whether a layer next to a field contains its text, or may contain its number as a date, or is the popup that the
   * field declares to be open: it may offer the text only later. Some pages draw their calendar elsewhere.
   */
  #isOffered(el: Element): boolean {
    if (isSecret(el)) return false;
    const value = comparable(readValue(el));
    const layer = layerNextTo(el);
    const hasDigits = /\d/.test(value);
    if (layer === null)
      return hasDigits && this.layersFor(el).some((on) => isWithinReach(on) && isCalendar(on));
    return isExpanded(el) || hasDigits || comparable(layer.textContent ?? '').includes(value);
  }

  /** The lists and layers that have come, and perhaps gone, since a field got the focus. */
  layersFor(el: Element): readonly Element[] {
    const layerOf = (on: Element): Element | undefined =>
      on.isConnected ? (on.closest(LISTS) ?? lineageOf(on).find(isLayer)) : on;
    const layers = [...this.watch().shown.elements].flatMap((on) => layerOf(on) ?? []);
    return [...new Set(layers)].filter((layer) => !isDrawnIn(el, layer));
  }

  /** Records whether the page offers what the focused field shows: most lists close as it is left. */
  #noteOffers(): void {
    const el = this.#focused;
    if (el === null || isSecret(el) || el.matches(SEARCH)) return;
    const value = readValue(el);
    const offers = (on: Element): boolean => hasRow(on, value) || (/\d/.test(value) && isCalendar(on));
    if (value !== '' && this.layersFor(el).some(offers)) this.#offered.add(el);
  }

  /** Some layers ignore the pointer until a timer of their page ends, shortly after their animation. */
  async #whenStanding(): Promise<void> {
    await whenFaded(document);
    await this.watch().wait({ ...LEFT, minMs: LEFT.quietMs });
  }

  /** Keeps the next Enter from submitting a field's form; the page's own scripts still get it. */
  stay({ ownerDocument: { defaultView } }: Element): void {
    const waiting = new AbortController();
    const { signal } = waiting;
    const keep = (event: Event): void => {
      if (!isKey(event) || event.key !== 'Enter') return;
      // Browsers submit forms by the default action of `keypress`. A page may prevent it: then only `keyup` comes.
      if (event.type === 'keypress') event.preventDefault();
      waiting.abort();
    };
    for (const type of ['keypress', 'keyup'])
      defaultView?.addEventListener(type, keep, { capture: true, signal });
    // On a busy machine the key may take seconds to come.
    setTimeout(() => waiting.abort(), SILENCE_MS);
  }

  /** Takes the focus from fields, and reads what they show once the page is at rest. */
  async leave(fields: readonly Element[], refocuses: boolean): Promise<readonly Left[]> {
    const focused = fields.find(hasFocus);
    const watch = this.watch();
    this.#noteOffers();
    watch.hasChanged();
    if (focused !== undefined) leave(focused);
    await delay(0);
    // A field's popup closes a moment later, and may take the text along.
    const hasOpened = this.#hasOpened || fields.some(isExpanded);
    const minMs = hasOpened ? CLOSED_MS : 0;
    if (minMs > 0 || watch.hasChanged()) await watch.wait({ ...LEFT, minMs });
    if (hasOpened) await this.#whenStanding();
    this.#noteOffers();
    this.#focused = null;
    if (!refocuses) this.#focusedAt = Infinity;
    else if (!hasOpened) this.#focusedAt = performance.now();
    const states = fields.map((el) => {
      const shown = this.#shown.get(el);
      const before = this.#before.get(el) ?? '';
      // The page has replaced a field that is no longer drawn.
      const isTaken = !el.isConnected || shown === undefined || isKept(el, shown, before);
      this.#before.delete(el);
      const isOpen = hasOpened && this.#isOffered(el);
      return {
        ...this.state(el, null),
        isTaken: isTaken && !isOpen,
        isOpen,
        isOffered: this.#offered.delete(el),
        before: isSecret(el) ? '' : before,
      };
    });
    if (refocuses && focused !== undefined && isHtml(focused)) giveFocus(focused, { preventScroll: true });
    return states;
  }

  #hear({ ownerDocument: { defaultView } }: Element): void {
    this.#hearing.abort();
    this.#hearing = new AbortController();
    const { promise, resolve } = defer<void>();
    this.#arrived = promise;
    const take = (): void => {
      this.#textAt = performance.now();
      // Both events belong to one task; their handlers have run by the next one.
      setTimeout(resolve, 0);
    };
    for (const type of EVENTS)
      defaultView?.addEventListener(type, take, {
        capture: true,
        passive: true,
        signal: this.#hearing.signal,
      });
  }

  #focus(el: Element, select: Select, guards: boolean): void {
    this.#focusedAt = Math.min(this.#focusedAt, performance.now());
    if (this.#focused !== el) this.#noteOffers();
    this.#focused = el;
    this.watch().typeInto(el);
    if (select !== 'none' && !this.#before.has(el)) this.#before.set(el, readValue(el));
    focusOn(el, select);
    if (guards) this.guard.start(windowsAround(el));
    this.#hear(el);
  }
}

/** Whether a field still has what was typed. Pages mask card numbers and codes in fields that are left: `•••• 4242`. */
function isKept(el: Element, shown: string, before: string): boolean {
  const now = readValue(el);
  if (now === shown) return true;
  if (!isSecret(el) || takesPassword(el) || now === '' || now === before) return false;
  return lettersOf(shown).endsWith(lettersOf(now).replace(/^x+/, ''));
}

const isExpanded = (el: Element): boolean => el.getAttribute('aria-expanded') === 'true';

const DAYS_MIN = 7;

/** Whether a layer has many small numbers. */
function isCalendar(layer: Element): boolean {
  const days = [...layer.querySelectorAll(':not(:has(*))')].filter((day) =>
    /^\s*\d{1,2}\s*$/.test(day.textContent ?? ''),
  );
  return days.length >= DAYS_MIN;
}

const FILTER = '[role=combobox],[aria-autocomplete=list],[aria-autocomplete=both],[aria-haspopup=listbox]';
const FILTERED = '[role=listbox],[role=option]';

/** Whether a field filters a list; `perhaps` if Enter in it means nothing to the browser, so that it means something to the page. */
export function filters(el: Element): 'surely' | 'perhaps' | 'no' {
  const isIn = (outer: ParentNode | undefined, lists: string): boolean =>
    outer !== undefined && [...outer.querySelectorAll(lists)].some(isWithinReach);
  const layer = lineageOf(el).find(isLayer);
  const isSure = el.matches(FILTER) || isIn(el.ownerDocument, FILTERED) || isIn(layer, '[role^=menu]');
  if (isSure) return 'surely';
  const isAlone = isInput(el) ? el.form === null : isHtml(el) && el.isContentEditable;
  return isAlone ? 'perhaps' : 'no';
}
