/**
 * Keeps the input of an agent out of a document that it may not act in. The browser puts this script into every frame
 * before the page's own scripts: who listens at a window first hears first, and stops the rest from hearing. Until the
 * worker asks for it, everything passes.
 */

const PASSING = [
  ...['pointerover', 'pointerenter', 'pointermove', 'pointerout', 'pointerleave'],
  ...['mouseover', 'mouseenter', 'mousemove', 'mouseout', 'mouseleave'],
  ...['dragenter', 'dragover', 'dragleave'],
];
const MEANT = [
  ...['keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'input', 'paste', 'cut', 'copy'],
  ...['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dragstart', 'drop'],
  ...['click', 'dblclick', 'auxclick', 'contextmenu', 'submit'],
];

/**
 * A document that the worker has not asked yet keeps out what was sent in its first moments: the worker may not have known of
 * it then. On a busy machine that arrives much later.
 */
const YOUNG_MS = 100;
/** A guard that is never ended would keep a person from their own frame. */
const SILENCE_MS = 10_000;
const KEY = Symbol.for('spillway.guard');

/** `passing` of a pointer, `meant` of all else. */
interface Kept {
  passing: boolean;
  meant: boolean;
}
const nothing = (): Kept => ({ passing: false, meant: false });

class FrameGuard {
  readonly #startedAt = performance.now();
  readonly #probe = `spillway-${Math.random().toString(36).slice(2)}`;
  /** The gestures that it keeps out, and whether it has kept anything since each began. */
  readonly #gestures = new Map<string, Kept>();
  /** Null from then on. */
  #unasked: Kept | null = nothing();
  /** Input sent before the last gesture ended belongs to it: a busy document gets movements late. */
  #endedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isErased = false;
  #isProbed = false;

  constructor() {
    this.#listen();
  }

  #listen(): void {
    for (const type of [...PASSING, ...MEANT]) addEventListener(type, this.#take, { capture: true });
    addEventListener(this.#probe, this.#hear);
  }

  /**
   * Begins or ends to keep a gesture out. The first answer says what was kept before it. `document.open` erases listeners: then
   * others may hear before this one.
   */
  readonly ask = (gesture: string, isOn: boolean): Kept & { readonly isErased: boolean } => {
    this.#isProbed = false;
    dispatchEvent(new Event(this.#probe));
    if (!this.#isProbed) {
      this.#isErased = true;
      this.#listen();
    }
    const begun = this.#gestures.get(gesture);
    const kept = begun ?? this.#unasked ?? nothing();
    this.#unasked = null;
    if (isOn) this.#gestures.set(gesture, begun ?? nothing());
    else if (this.#gestures.delete(gesture)) this.#endedAt = performance.now();
    clearTimeout(this.#timer);
    if (this.#gestures.size > 0) this.#timer = setTimeout(() => this.#gestures.clear(), SILENCE_MS);
    return { ...kept, isErased: this.#isErased };
  };

  readonly #hear = (): void => {
    this.#isProbed = true;
  };

  readonly #take = (event: Event): void => {
    if (!event.isTrusted) return;
    const unasked = event.timeStamp - this.#startedAt < YOUNG_MS ? this.#unasked : null;
    if (this.#gestures.size === 0 && unasked === null && event.timeStamp > this.#endedAt) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const how = PASSING.includes(event.type) ? 'passing' : 'meant';
    for (const kept of this.#gestures.values()) kept[how] = true;
    // A key that only comes up here went down elsewhere.
    if (unasked !== null && event.type !== 'keyup') unasked[how] = true;
  };
}

if (window !== window.top && Reflect.get(globalThis, KEY) === undefined)
  Reflect.set(globalThis, KEY, new FrameGuard().ask);
