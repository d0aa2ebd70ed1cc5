import { passwordRefused } from '../../../shared/act/password-refused.ts';
import { shadowRootOf } from '../dom.ts';
import { PageError } from '../page-error.ts';
import { takesPassword } from '../write/controls.ts';
import { describeElement } from './hit.ts';
import { hitOf } from './witness.ts';

const WATCHED = ['keydown', 'keypress', 'beforeinput', 'drop'] as const;
/** A guard that is never ended would keep a person from typing their own password. */
const SILENCE_MS = 10_000;

/**
 * Keeps what an agent types, pastes and drops out of password fields. The focus may move between two keys, so
 * each event is judged when it arrives, before the page sees it. After the first refusal no key arrives at
 * all: Enter would submit an incomplete form.
 */
export class PasswordGuard {
  #windows: readonly Window[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refused: string | null = null;

  start(windows: readonly Window[]): void {
    this.end();
    this.#windows = windows;
    for (const type of WATCHED)
      for (const window of windows) window.addEventListener(type, this.#take, { capture: true });
    this.#stayAwake();
  }

  /** Stops, and returns the field that text was kept out of since the start, or null. */
  end(): string | null {
    clearTimeout(this.#timer);
    for (const type of WATCHED)
      for (const window of this.#windows) window.removeEventListener(type, this.#take, { capture: true });
    const refused = this.#refused;
    this.#windows = [];
    this.#refused = null;
    return refused;
  }

  /** Ends it. @throws PageError `password_refused` if something was kept from a field */
  check(): void {
    const refused = this.end();
    if (refused !== null) throw new PageError('password_refused', passwordRefused(refused));
  }

  /**
   * Checks the field that a script is about to put text into: the text goes to what has the focus by now.
   *
   * @throws PageError `password_refused` while it watches, for a password field
   */
  spare(el: Element): void {
    if (this.#windows.length === 0) return;
    const focused = focusWithin(el.ownerDocument.activeElement ?? el);
    const field = [el, focused].find(takesPassword);
    if (field !== undefined) throw new PageError('password_refused', passwordRefused(describeElement(field)));
  }

  #stayAwake(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.end(), SILENCE_MS);
  }

  readonly #take = (event: Event): void => {
    if (!event.isTrusted) return;
    this.#stayAwake();
    if (this.#refused === null) {
      const el = putsText(event) ? goalOf(event) : null;
      if (el === null || !takesPassword(el)) return;
      this.#refused = describeElement(el);
    }
    event.stopImmediatePropagation();
    event.preventDefault();
  };
}

/** Told apart by their members: events of another frame are not instances of this one's classes. */
const isKey = (event: Event): event is KeyboardEvent => 'key' in event;
const isInsertion = (event: Event): event is InputEvent => 'inputType' in event;

const LINE_BREAK = new Set(['insertLineBreak', 'insertParagraph']);

/** Whether an event puts new text into its target. */
function putsText(event: Event): boolean {
  if (isInsertion(event)) return event.inputType.startsWith('insert') && !LINE_BREAK.has(event.inputType);
  if (!isKey(event)) return event.type === 'drop';
  return [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
}

/** The element that an event affects. */
function goalOf(event: Event): Element | null {
  const el = hitOf(event);
  return el === null || event.type === 'drop' ? el : focusWithin(el);
}

/**
 * The element that has the focus within another one, through shadow trees, closed ones too; else that one
 * itself.
 */
function focusWithin(el: Element): Element {
  let focused = el;
  for (;;) {
    const inner: Element | null = shadowRootOf(focused, true)?.activeElement ?? null;
    if (inner === null) return focused;
    focused = inner;
  }
}
