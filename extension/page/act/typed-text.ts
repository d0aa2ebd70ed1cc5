/** How long text that was sent may take to arrive. A page may also keep it from its field, and then nothing arrives. */
const ARRIVAL_MS = 250;

/** Editors that write by themselves cancel the input, and the second event never comes. */
const EVENTS = ['beforeinput', 'input'] as const;

/** Tells when text that is sent to a field has arrived in its document, and the page has handled it. */
export class TypedText {
  readonly #window: Window | null;
  readonly #handled: Promise<void>;
  #resolve: () => void = () => undefined;

  /** Listens from now on: to be made before the text is sent. */
  constructor({ ownerDocument: { defaultView } }: Element) {
    this.#window = defaultView;
    this.#handled = new Promise((resolve) => (this.#resolve = resolve));
    for (const type of EVENTS) defaultView?.addEventListener(type, this.#take, { capture: true });
  }

  /** Resolves when the handlers have run, or when it is clear that no text arrives. */
  async handled(): Promise<void> {
    const timer = setTimeout(this.#resolve, ARRIVAL_MS);
    await this.#handled;
    clearTimeout(timer);
    this.stop();
  }

  stop(): void {
    for (const type of EVENTS) this.#window?.removeEventListener(type, this.#take, { capture: true });
  }

  readonly #take = (): void => {
    // Both events belong to one turn of the page; what handles them has run by the next one.
    setTimeout(this.#resolve, 0);
  };
}
