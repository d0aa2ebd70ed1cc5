/** How long to wait for text that was sent. Nothing arrives if the page keeps it from the field. */
const ARRIVAL_MS = 250;

/** Two events, since editors that insert text themselves cancel the first, and the second never fires. */
const EVENTS = ['beforeinput', 'input'] as const;

/** Detects when text that was sent to a field has arrived in its document and the page has handled it. */
export class TypedText {
  readonly #window: Window | null;
  readonly #handled: Promise<void>;
  #resolve: () => void = () => undefined;

  /** Begins to listen. Has to be created before the text is sent. */
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
    // Both events belong to one turn of the page: their handlers have run by the next turn.
    setTimeout(this.#resolve, 0);
  };
}
