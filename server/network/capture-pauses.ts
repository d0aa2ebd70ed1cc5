/** A time in which a person had the tab; `to` is null while they have it. Milliseconds since the epoch. */
export interface CapturePause {
  readonly from: number;
  readonly to: number | null;
}

/** Pauses that a slice names. */
const MOST = 20;

/** When people had the tab of a capture, the newest last. */
export class CapturePauses {
  #all: readonly CapturePause[] = [];

  get all(): readonly CapturePause[] {
    return this.#all;
  }

  begin(atMs: number): void {
    // A worker that was ended says it again.
    if (this.#all.at(-1)?.to === null) return;
    this.#all = [...this.#all, { from: atMs, to: null }].slice(-MOST);
  }

  end(atMs: number): void {
    this.#all = this.#all.map((pause) => (pause.to === null ? { ...pause, to: atMs } : pause));
  }
}
