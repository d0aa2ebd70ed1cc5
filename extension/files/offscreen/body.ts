import { toBase64 } from '../../core/ports/base64.ts';
import { joinBytes } from '../../core/ports/join-bytes.ts';
import type { FileHead, Parts, TextPart } from '../../core/offscreen/protocol.ts';

/** Bytes of one part: a multiple of three, so that the parts' base64 texts can be joined. */
const PART_BYTES = 192 * 1024;

/** Headers that describe a file. None of them contains a cookie or token. */
const SHOWN_HEADERS = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-encoding',
  'content-language',
  'last-modified',
  'etag',
  'retry-after',
] as const;

export function describeFile(response: Response, finalUrl: string): FileHead {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const { status, redirected: isRedirected } = response;
  return { finalUrl, isRedirected, status, headers: Object.fromEntries(headers) };
}

/**
 * A body, read until its end, `maxBytes` or the deadline. As base64 it is read only when the next part is requested: a
 * slow reader slows down the server, and at most one part is in memory.
 */
export class BodyReader implements Parts, Size {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Read, and not returned yet. */
  readonly #rest: Uint8Array[] = [];
  #restBytes = 0;
  #isEnded = false;
  cut: Size['cut'] = null;
  sizeBytes = 0;

  constructor(
    response: Response,
    private readonly maxBytes: number,
    private readonly deadline: AbortSignal,
  ) {
    this.#reader = response.body?.getReader();
  }

  async next(): Promise<TextPart> {
    while (!this.#isEnded && this.#restBytes < PART_BYTES) await this.#read();
    return { text: toBase64(this.#take()), isLast: this.#isEnded && this.#restBytes === 0 };
  }

  /**
   * Reads the whole, and keeps what has arrived. A compressed body is counted after decompression, so that a small one
   * cannot fill the memory.
   */
  async whole(): Promise<Body> {
    while (!this.#isEnded) await this.#read();
    return { bytes: joinBytes(this.#rest.splice(0)), cut: this.cut, sizeBytes: this.sizeBytes };
  }

  /** Reads no more. */
  async discard(): Promise<void> {
    this.#isEnded = true;
    await this.#reader?.cancel().catch(() => undefined);
  }

  async #read(): Promise<void> {
    try {
      const { done, value } = (await this.#reader?.read()) ?? { done: true, value: undefined };
      if (done) this.#isEnded = true;
      else this.#add(value);
    } catch {
      this.#end(this.deadline.aborted ? 'timeout' : 'broken');
    }
  }

  #add(value: Uint8Array): void {
    const kept = value.subarray(0, this.maxBytes - this.sizeBytes);
    this.#rest.push(kept);
    this.#restBytes += kept.length;
    this.sizeBytes += kept.length;
    if (kept.length < value.length) this.#end('too_large');
  }

  #end(cut: Size['cut']): void {
    this.cut = cut;
    void this.discard();
  }

  /** The next part of the bytes read so far. */
  #take(): Uint8Array {
    const rest = joinBytes(this.#rest.splice(0));
    const part = rest.subarray(0, PART_BYTES);
    this.#rest.push(rest.subarray(part.length));
    this.#restBytes -= part.length;
    return part;
  }
}

/** The part of a body that was read. */
export interface Size {
  /** Why it is incomplete, once all was read. */
  readonly cut: 'too_large' | 'timeout' | 'broken' | null;
  readonly sizeBytes: number;
}

export interface Body extends Size {
  /** At most `maxBytes`, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}
