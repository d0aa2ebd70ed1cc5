/** A look at a page that draws slowly is not put off for longer than this. */
const LOOK_MS = 250;
/** A busy machine draws this late. A page that does not draw by then is not waited for again. */
const DRAWN_MS = 8_000;

/**
 * Waits for the frames of a page. Scroll events come with the next frame, and what a list draws for them may
 * come with the one after it. A hidden page draws none, unless its focus is emulated.
 */
export class Frames {
  readonly #document: Document;
  #drawsNever = false;

  constructor(document: Document) {
    this.#document = document;
  }

  /** Whether waiting for frames takes any time. */
  get isPaced(): boolean {
    return !this.#drawsNever && this.#document.visibilityState !== 'hidden' && this.#view !== null;
  }

  get #view(): Window | null {
    return this.#document.defaultView;
  }

  /** The next frame, or {@link LOOK_MS} without one. */
  async look(): Promise<void> {
    if (this.isPaced) await Promise.race([this.#frame(), this.#delay(LOOK_MS)]);
  }

  /**
   * The two frames in which a page draws what was scrolled into view.
   * @param isComplete asked after the first: the second is not waited for when it is true
   */
  async drawn(isComplete: () => boolean): Promise<void> {
    if (!this.isPaced) return;
    const late = this.#delay(DRAWN_MS).then(() => 'late' as const);
    // What listeners of the scroll event ask to be done in the same frame is done after this one's callback.
    const first = await Promise.race([this.#frame().then(() => this.#delay(0)), late]);
    if (first !== 'late' && isComplete()) return;
    const second = first === 'late' ? first : await Promise.race([this.#frame(), late]);
    this.#drawsNever = second === 'late';
  }

  #frame(): Promise<void> {
    return new Promise((fulfil) => this.#view?.requestAnimationFrame(() => fulfil()));
  }

  #delay(delayMs: number): Promise<void> {
    return new Promise((fulfil) => this.#view?.setTimeout(fulfil, delayMs));
  }
}
