import { isHtml } from '../../dom/elements.ts';
import { PageError } from '../../dom/doorway.ts';
import { isSecret, takesPassword } from '../../dom/controls.ts';
import type { PageAnswers } from '../../core/ports/page-answers.ts';
import { isEditable, resolveControlKind } from './controls.ts';
import { focusWithin } from './focus.ts';
import { describeElement } from './hit.ts';
import { passwordRefused } from './protocol.ts';
import { isDrawnIn } from './surroundings.ts';
import { hitOf } from './witness.ts';

const WATCHED = ['keydown', 'keypress', 'beforeinput', 'drop', 'pointerdown'] as const;
/** A guard that never ended would keep people from typing their own passwords, or from sending a form. */
export const SILENCE_MS = 10_000;

/**
 * Keeps an agent's typed, pasted and dropped text out of password fields. The focus may move between two keys, so each
 * event is judged when it arrives, before the page sees it. After the first refusal no key arrives at all: Enter would
 * submit an incomplete form. It also sees where the characters of keys arrive.
 */
export class KeyGuard {
  #windows: readonly Window[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refused: string | null = null;
  #spares = true;
  /** The last key with a character for an editable element, until that has arrived. */
  #key: Event | null = null;
  #goal: Element | null = null;
  /** The field that the text is for. */
  #field: Element | null = null;
  #isDown = false;
  /** When the act ended, by the clock of {@link timeOf}. */
  #liftedAt = Infinity;
  #seen: SeenKeys = { ...NOTHING_SEEN };

  /**
   * @param spares whether text is kept out of password fields, and not only watched
   * @param field that the text is for, if it is one of these windows
   */
  start(windows: readonly Window[], spares = true, field: Element | null = null): void {
    this.end();
    this.#field = field !== null && takesKeys(field) ? field : null;
    this.#spares = spares;
    this.#windows = windows;
    this.#liftedAt = Infinity;
    for (const type of WATCHED)
      for (const window of windows) window.addEventListener(type, this.#take, { capture: true });
    this.#stayAwake();
  }

  /** Stops, and returns the field that text was kept out of, or null, and where keys have led. */
  end(): PageAnswers['guard'] {
    clearTimeout(this.#timer);
    this.#settle();
    for (const type of WATCHED)
      for (const window of this.#windows) window.removeEventListener(type, this.#take, { capture: true });
    const ended = { refused: this.#refused, ...this.#seen };
    this.#windows = [];
    this.#refused = null;
    this.#seen = { ...NOTHING_SEEN };
    return ended;
  }

  /**
   * The act is over. Input that it sent before may still arrive, and is judged; a person's, which begins with a key or a
   * press, ends the guard.
   */
  lift(): void {
    this.#liftedAt = performance.timeOrigin + performance.now();
  }

  /** Stops. @throws PageError `password_refused` if text was kept out of a field */
  check(): void {
    const { refused } = this.end();
    if (refused !== null) throw new PageError('password_refused', passwordRefused(refused));
  }

  /**
   * Checks the focused field before a script puts text into it.
   * @throws PageError `password_refused` for a password field while the guard is active
   */
  spare(el: Element): void {
    if (this.#windows.length === 0 || !this.#spares) return;
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
    if (timeOf(event) > this.#liftedAt && (isKey(event) || event.type === 'pointerdown'))
      return void this.end();
    if (event.type === 'pointerdown') return;
    if (this.#liftedAt === Infinity) this.#stayAwake();
    this.#follow(event);
    if (!this.#spares) return;
    if (this.#refused === null) {
      const el = putsText(event) ? goalOf(event) : null;
      if (el === null || !takesPassword(el)) return;
      this.#refused = describeElement(el);
    }
    event.stopImmediatePropagation();
    event.preventDefault();
  };

  /** A key's character goes to the element that has the focus after `keydown`, which may be another one, or none. */
  #follow(event: Event): void {
    if (!putsText(event) || (isKey(event) && event.altKey)) return;
    const el = goalOf(event);
    const taker = el !== null && takesKeys(el) ? el : null;
    this.#seen.hides ||= taker !== null && isSecret(taker);
    // The outer document's script hears this one.
    if (taker !== null && window.frameElement === null) this.#seen.came = describeElement(taker);
    if (isKey(event)) this.#followKey(event, el, taker);
  }

  #followKey(event: KeyboardEvent, el: Element | null, taker: Element | null): void {
    const field = this.#field;
    const isDown = event.type === 'keydown';
    if (isDown) {
      this.#settle();
      if (taker !== null || field !== null) this.#key = event;
      this.#goal = field === null || (el !== null && isDrawnIn(el, field)) ? el : field;
    } else if (taker !== null) {
      if (!this.#isDown) this.#seen.late += 1;
      if (taker !== this.#goal) this.#seen.to = describeElement(taker);
      this.#key = null;
    } else if (this.#key !== null) this.#key = event; // A page may take it from here itself.
    this.#isDown = isDown;
  }

  #settle(): void {
    if (this.#key !== null && !this.#key.defaultPrevented) this.#seen.lost += 1;
    this.#key = null;
  }
}

const takesKeys = (el: Element): boolean =>
  !el.matches(':disabled') &&
  (isEditable(el) ||
    (isHtml(el) && (el.isContentEditable || ('value' in el && resolveControlKind(el) === 'combobox'))));

interface SeenKeys {
  /** Characters that left an editable element on their way, and came to no other one in the document. */
  lost: number;
  /** Characters whose key another document got. */
  late: number;
  /** The last element that got a character of another one's key, or meant for the field. */
  to: string | null;
  /** The last element that got a character's key. */
  came: string | null;
  /** Whether an element whose value is hidden got one. */
  hides: boolean;
}
const NOTHING_SEEN: Readonly<SeenKeys> = { lost: 0, late: 0, to: null, came: null, hides: false };

/** Checked by member: events of another frame are not instances of this one's classes. */
export const isKey = (event: Event): event is KeyboardEvent => 'key' in event;
/** Events count from the beginning of their own document. */
const timeOf = (event: Event): number =>
  ((isOfView(event) ? event.view : null) ?? window).performance.timeOrigin + event.timeStamp;
const isOfView = (event: Event): event is UIEvent => 'view' in event;
const isInsertion = (event: Event): event is InputEvent => 'inputType' in event;

const LINE_BREAK = new Set(['insertLineBreak', 'insertParagraph']);

function putsText(event: Event): boolean {
  if (isInsertion(event)) return event.inputType.startsWith('insert') && !LINE_BREAK.has(event.inputType);
  if (!isKey(event)) return event.type === 'drop';
  return [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
}

function goalOf(event: Event): Element | null {
  const el = hitOf(event);
  return el === null || event.type === 'drop' ? el : focusWithin(el);
}
