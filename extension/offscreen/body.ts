import { toBase64 } from '../ports/base64.ts';
import { joinBytes } from '../ports/join-bytes.ts';
import type { FileHead, Parts } from './protocol.ts';

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

export function headOf(response: Response, finalUrl: string): FileHead {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const { status, redirected: isRedirected } = response;
  return { finalUrl, isRedirected, status, headers: Object.fromEntries(headers) };
}

/**
 * A body as base64, read only when the next part is requested: a slow reader slows down the server, and at most one
 * part is in memory.
 */
export class FileParts implements Parts {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Read, and not returned yet. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #isEnded = false;
  #cut: Body['cut'] = null;
  #sizeBytes = 0;

  constructor(
    response: Response,
    private readonly maxBytes: number,
    private readonly deadline: AbortSignal,
  ) {
    this.#reader = response.body?.getReader();
  }

  /** Why the file is incomplete, once its last part was returned. */
  get cut(): Body['cut'] {
    return this.#cut;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async next(): Promise<{ readonly text: string; readonly isLast: boolean }> {
    while (!this.#isEnded && this.#restBytes < PART_BYTES) await this.#read();
    return { text: toBase64(this.#take()), isLast: this.#isEnded && this.#restBytes === 0 };
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
    const room = this.maxBytes - this.#sizeBytes;
    const kept = value.length > room ? value.subarray(0, room) : value;
    this.#rest.push(kept);
    this.#restBytes += kept.length;
    this.#sizeBytes += kept.length;
    if (value.length > room) this.#end('too_large');
  }

  #end(cut: Body['cut']): void {
    this.#cut = cut;
    this.#isEnded = true;
    this.#reader?.cancel().catch(() => undefined);
  }

  /** The next part of the bytes read so far. */
  #take(): Uint8Array {
    const part = new Uint8Array(Math.min(this.#restBytes, PART_BYTES));
    let used = 0;
    while (used < part.length) {
      const [first] = this.#rest;
      if (first === undefined) break;
      const taken = first.subarray(0, part.length - used);
      part.set(taken, used);
      used += taken.length;
      if (taken.length === first.length) this.#rest.shift();
      else this.#rest[0] = first.subarray(taken.length);
    }
    this.#restBytes -= used;
    return part;
  }
}

export interface Body {
  /** At most `maxBytes`, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why it is incomplete. */
  readonly cut: 'too_large' | 'timeout' | 'broken' | null;
}

/**
 * Reads a body until its end, `maxBytes` or the deadline, and keeps what has arrived. A compressed body is counted
 * after decompression, so that a small one cannot fill the memory.
 */
export async function readBody(response: Response, maxBytes: number, deadline: AbortSignal): Promise<Body> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let cut: Body['cut'] = null;
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read();
      if (done) break;
      const room = maxBytes - size;
      chunks.push(value.length > room ? value.subarray(0, room) : value);
      size += Math.min(room, value.length);
      if (value.length <= room) continue;
      cut = 'too_large';
      break;
    }
  } catch {
    cut = deadline.aborted ? 'timeout' : 'broken';
  }
  if (cut !== null) reader?.cancel().catch(() => undefined);
  return { bytes: joinBytes(chunks), cut };
}
