import { passwordRefused } from '../../../shared/act/password-refused.ts';
import { shadowRootOf } from '../dom.ts';
import { PageError } from '../page-error.ts';
import { takesPassword } from '../write/controls.ts';
import { describeElement } from './hit.ts';
import { hitOf } from './witness.ts';

const WATCHED = ['keydown', 'keypress', 'beforeinput', 'drop'] as const;
/** A guard that nobody ends would keep a person from their own password. */
const SILENCE_MS = 10_000;

/**
 * Keeps what an agent types, pastes and drops out of password fields. The focus may move between two keys, so each event is
 * judged when it arrives, before the page sees it. After the first that was refused, no key arrives at all: Enter would
 * send what is incomplete.
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

  /** Returns the field that was spared since the start, or null. */
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

  /** @throws PageError `password_refused` while it watches, for a password field */
  spare(el: Element): void {
    if (this.#windows.length > 0 && takesPassword(el))
      throw new PageError('password_refused', passwordRefused(describeElement(el)));
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

/** By their members: events of another frame are not instances of this one's classes. */
const isKey = (event: Event): event is KeyboardEvent => 'key' in event;
const isInsertion = (event: Event): event is InputEvent => 'inputType' in event;

const LINE_BREAK = new Set(['insertLineBreak', 'insertParagraph']);

/** Whether an event leads to new text in what it goes to. */
function putsText(event: Event): boolean {
  if (isInsertion(event)) return event.inputType.startsWith('insert') && !LINE_BREAK.has(event.inputType);
  if (!isKey(event)) return event.type === 'drop';
  return [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
}

/** Where an event leads to; a closed shadow tree tells what has the focus in it. */
function goalOf(event: Event): Element | null {
  let el = hitOf(event);
  if (event.type === 'drop') return el;
  while (el !== null) {
    const inner: Element | null = shadowRootOf(el, true)?.activeElement ?? null;
    if (inner === null) break;
    el = inner;
  }
  return el;
}
