/** How far back a rate looks. */
const WINDOW_MS = 30_000;
/** Samples are no closer than this, so that a fast run keeps few. */
const STEP_MS = 500;

/** Counts what was done in the last half minute. Time is monotonic, in milliseconds. */
export class Rate {
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  add(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < STEP_MS) return;
    this.#samples.push({ at, done });
    // The newest sample that is older than the window is where the window begins.
    while ((this.#samples[1]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  /** Per second, with one decimal. */
  perSecond(at: number, done: number): number {
    const first = this.#samples[0];
    if (first === undefined || at <= first.at) return 0;
    return Math.round(((done - first.done) * 10_000) / (at - first.at)) / 10;
  }
}
