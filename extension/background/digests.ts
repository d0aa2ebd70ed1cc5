const DIGEST_BYTES = 32;
/** Concurrent digests: enough to keep the hashing thread busy, few enough to bound memory. */
const IN_FLIGHT = 64;
const FIRST_CAPACITY = 64;

/**
 * The digests of a stream's chunks, in order. Those that are there lie in one buffer, 32 bytes
 * each: a stream that lives for hours has hundreds of thousands of them.
 */
export class Digests {
  #done = new Uint8Array(FIRST_CAPACITY * DIGEST_BYTES);
  #doneCount = 0;
  #inFlight: Promise<ArrayBuffer>[] = [];

  get count(): number {
    return this.#doneCount + this.#inFlight.length;
  }

  /** Resolves when the next one may come. To be awaited before it is called again. */
  async add(digest: Promise<ArrayBuffer>): Promise<void> {
    this.#inFlight.push(digest);
    const oldest = this.#inFlight.length >= IN_FLIGHT ? this.#inFlight.shift() : undefined;
    if (oldest !== undefined) this.#keep(await oldest);
  }

  /** SHA-256 over the concatenated raw digests, in lower-case hexadecimal. To be called last. */
  async seal(): Promise<string> {
    const last = this.#inFlight;
    this.#inFlight = [];
    for (const digest of last) this.#keep(await digest);
    const all = this.#done.subarray(0, this.#doneCount * DIGEST_BYTES);
    const seal = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
    return Array.from(seal, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  #keep(digest: ArrayBuffer): void {
    const at = this.#doneCount * DIGEST_BYTES;
    if (at === this.#done.length) {
      const larger = new Uint8Array(at * 2);
      larger.set(this.#done);
      this.#done = larger;
    }
    this.#done.set(new Uint8Array(digest), at);
    this.#doneCount += 1;
  }
}
