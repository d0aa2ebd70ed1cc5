/** Emitted items that are not stored yet, in UTF-16 code units: the program waits beyond this. */
const UNITS_MAX = 512 * 1024;
/** Of a small item in memory. */
const ITEM_UNITS = 256;

/**
 * A program's items between its thread and the store, which is slower. The thread of a program that emits in a loop
 * stops until there is room: its program notices nothing.
 */
export class Backlog {
  readonly #units: Int32Array;

  constructor(readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#units = new Int32Array(buffer);
  }

  /** In the thread: waits for room, and takes it. A larger item waits until it is the only one. */
  take(item: string): void {
    for (let units = Atomics.load(this.#units, 0); units > 0; units = Atomics.load(this.#units, 0)) {
      if (units + item.length <= UNITS_MAX) break;
      Atomics.wait(this.#units, 0, units);
    }
    Atomics.add(this.#units, 0, item.length + ITEM_UNITS);
  }

  /** In the server: the item is stored. */
  release(item: string): void {
    Atomics.sub(this.#units, 0, item.length + ITEM_UNITS);
    Atomics.notify(this.#units, 0);
  }
}
