/**
 * Longer than who sends text waits for it. A page may also keep it from its field, and then nothing arrives.
 */
const ARRIVAL_MS = 10_000;

/** Editors that write by themselves cancel the input, and the second event never comes. */
const EVENTS = ['beforeinput', 'input'] as const;

/** Reports when text that is sent to a field has arrived in its document, and the page has handled it. */
export class TypedText {
  readonly #window: Window | null;
  readonly #handled: Promise<boolean>;
  #end: (hasArrived: boolean) => void = () => undefined;
  readonly #timer: ReturnType<typeof setTimeout>;

  /** Listens from now on: to be made before the text is sent. */
  constructor({ ownerDocument: { defaultView } }: Element) {
    this.#window = defaultView;
    this.#handled = new Promise((resolve) => (this.#end = resolve));
    for (const type of EVENTS) defaultView?.addEventListener(type, this.#take, { capture: true });
    this.#timer = setTimeout(() => this.stop(), ARRIVAL_MS);
  }

  /** Resolves when the handlers have run; with false if no text has arrived before it was stopped. */
  handled(): Promise<boolean> {
    return this.#handled;
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const type of EVENTS) this.#window?.removeEventListener(type, this.#take, { capture: true });
    this.#end(false);
  }

  readonly #take = (): void => {
    // Both events belong to one turn of the page; what handles them has run by the next one.
    setTimeout(() => {
      this.#end(true);
      this.stop();
    }, 0);
  };
}
