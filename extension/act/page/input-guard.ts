/**
 * Keeps an agent's input out of a document that it may not act in. The browser injects this script into every frame
 * before the page's own scripts: the first listener at a window can stop the others. Everything passes until the worker
 * starts a guard.
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
 * A document that the worker has not contacted blocks input in its first moments: the worker may not have known of it
 * when it sent the input. A busy machine delivers that much later.
 */
const YOUNG_MS = 100;
/** A guard that never ended would keep people from their own frame. */
const SILENCE_MS = 10_000;
const KEY = Symbol.for('spillway.guard');

/** `passing` counts pointer events, `meant` all others. */
interface KeptGuard {
  passing: boolean;
  meant: boolean;
}
const nothing = (): KeptGuard => ({ passing: false, meant: false });

class FrameGuard {
  readonly #startedAt = performance.now();
  readonly #probe = `spillway-${Math.random().toString(36).slice(2)}`;
  /** Active gestures, and what has been blocked since each began. */
  readonly #gestures = new Map<string, KeptGuard>();
  /** Null once the worker has asked. */
  #unasked: KeptGuard | null = nothing();
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
   * Starts or stops blocking a gesture. The first answer reports what was blocked before it. `document.open` erases
   * listeners: others may then run before this one.
   */
  readonly ask = (gesture: string, isOn: boolean): KeptGuard & { readonly isErased: boolean } => {
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
    // A key released here was pressed elsewhere.
    if (unasked !== null && event.type !== 'keyup') unasked[how] = true;
  };
}

if (window !== window.top && Reflect.get(globalThis, KEY) === undefined)
  Reflect.set(globalThis, KEY, new FrameGuard().ask);
