/** A page beyond this waits until no other such page is open: its tree takes many times its size. */
const LARGE_BYTES = 1024 * 1024;

/** Lets one large page be parsed and handed over at a time, so that memory does not grow with how many come at once. */
export class LargePageLock {
  readonly #waiting: { readonly id: number; readonly acquire: () => void }[] = [];
  #holder: number | null = null;

  /** Resolves when the page may be parsed; {@link release} has to follow, in every case. */
  async acquire(id: number, sizeBytes: number): Promise<void> {
    if (sizeBytes < LARGE_BYTES) return;
    if (this.#holder === null) this.#holder = id;
    else await new Promise<void>((acquire) => this.#waiting.push({ id, acquire }));
  }

  /** The page is done with, or no longer wanted. Idempotent. */
  release(id: number): void {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id);
    if (at >= 0) for (const { acquire } of this.#waiting.splice(at, 1)) acquire();
    if (this.#holder !== id) return;
    const next = this.#waiting.shift();
    this.#holder = next?.id ?? null;
    next?.acquire();
  }
}
