/** Bytes that grow, of which the end can be taken back. What is appended is copied: a chunk that came is not kept alive by a part of it. */
export class GrowingBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, 4_096));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  /** A copy of what is from `start` on, which is taken away. */
  takeFrom(start: number): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(start, this.#length));
    this.#length = start;
    return taken;
  }

  /** All of it, without a copy: valid until something is appended. Nothing of it is left here. */
  drain(): Buffer {
    const all = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return all;
  }

  text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
