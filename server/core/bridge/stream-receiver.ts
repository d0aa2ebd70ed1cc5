import { createHash } from 'node:crypto';
import type { StreamChunk } from '../../../shared/core/bridge/streams.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';

/** A chunk's bytes are needed only for the hash: one buffer serves all chunks, and grows to the largest. */
let scratch = Buffer.allocUnsafeSlow(LIMITS.streamChunkUnits);
const MAX_BYTES_PER_UNIT = 3;

/** Credit goes back in portions of the window, so that neither grants nor gaps cost throughput. */
const GRANTS_PER_WINDOW = 8;

/**
 * The receiving end of a stream (`shared/core/bridge/streams.ts`): checks numbers, sizes and hash, keeps at most a
 * window of unread text, and grants credit as it is read.
 */
export class StreamReceiver {
  readonly #hash = createHash('sha256');
  #held: { readonly data: string; readonly sizeBytes: number }[] = [];
  #wake: (() => void) | null = null;
  #failure: SpillwayError | null = null;
  /** True once the sealed end has arrived and matches. */
  isComplete = false;
  #nextSeq = 0;
  #sizeBytes = 0;
  #creditBytes: number;
  #ungrantedBytes = 0;

  constructor(
    private readonly options: {
      readonly windowBytes: number;
      /** Lets the sender send this many more bytes. */
      readonly grant: (creditBytes: number) => void;
      /** The reader took a chunk. */
      readonly onTaken: () => void;
    },
  ) {
    this.#creditBytes = options.windowBytes;
  }

  /** True while text waits for its reader: then the reader is silent, not the sender. */
  get hasUnread(): boolean {
    return this.#held.length > 0;
  }

  /**
   * Takes a chunk from the wire.
   * @throws SpillwayError `stream_corrupt` for a missing, repeated, broken or surplus chunk.
   */
  accept({ seq, data, end }: StreamChunk): void {
    if (this.#failure !== null) return;
    if (this.isComplete) throw corrupt(`chunk ${seq} arrived after the end`);
    if (seq !== this.#nextSeq) throw corrupt(`chunk ${this.#nextSeq} was expected, but ${seq} arrived`);
    if (!data.isWellFormed()) throw corrupt(`chunk ${seq} splits a character`);
    const bytes = encode(data);
    const sizeBytes = bytes.length;
    this.#nextSeq += 1;
    this.#sizeBytes += sizeBytes;
    this.#creditBytes -= sizeBytes;
    if (this.#creditBytes < 0) throw corrupt(`chunk ${seq} is more than the reader had room for`);
    this.#hash.update(createHash('sha256').update(bytes).digest());
    if (sizeBytes > 0) this.#held.push({ data, sizeBytes });
    if (end !== undefined) this.#seal(end);
    this.#notify();
  }

  /** Ends the reading with an error and drops unread text. The first failure stays. */
  fail(error: SpillwayError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#held = [];
    this.#notify();
  }

  /** The text in order. Throws the error given to {@link fail}. Iterate it once. */
  async *read(): AsyncGenerator<string, void, undefined> {
    for (let index = 0; ;) {
      if (this.#failure !== null) throw this.#failure;
      const next = this.#held[index];
      if (next !== undefined) {
        index += 1;
        // Shifting a long array is quadratic, and a lagging reader may never empty it, so read items are
        // dropped when they make up half of it.
        if (index * 2 >= this.#held.length) {
          this.#held.splice(0, index);
          index = 0;
        }
        this.#give(next.sizeBytes);
        yield next.data;
      } else if (this.isComplete) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #give(sizeBytes: number): void {
    this.options.onTaken();
    this.#ungrantedBytes += sizeBytes;
    const portion = this.options.windowBytes / GRANTS_PER_WINDOW;
    if (this.isComplete || this.#ungrantedBytes < portion) return;
    const creditBytes = this.#ungrantedBytes;
    this.#ungrantedBytes = 0;
    this.#creditBytes += creditBytes;
    this.options.grant(creditBytes);
  }

  #seal(end: NonNullable<StreamChunk['end']>): void {
    const sha256 = this.#hash.digest('hex');
    if (end.chunks !== this.#nextSeq) throw corrupt(`${this.#nextSeq} of ${end.chunks} chunks arrived`);
    if (end.size_bytes !== this.#sizeBytes)
      throw corrupt(`${this.#sizeBytes} of ${end.size_bytes} bytes arrived`);
    if (end.sha256 !== sha256) throw corrupt('its hash does not match its content');
    this.isComplete = true;
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

/** The text's UTF-8 bytes, valid until the next call. */
function encode(text: string): Buffer {
  const maxBytes = text.length * MAX_BYTES_PER_UNIT;
  if (scratch.length < maxBytes) scratch = Buffer.allocUnsafeSlow(maxBytes);
  return scratch.subarray(0, scratch.write(text));
}

function corrupt(what: string): SpillwayError {
  return new SpillwayError('stream_corrupt', `The stream is broken: ${what}.`);
}
