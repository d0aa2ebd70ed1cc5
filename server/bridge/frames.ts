import { endianness } from 'node:os';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';

const HEADER_BYTES = 4;
const isLittleEndian = endianness() === 'LE';

function readLength(header: Buffer): number {
  return isLittleEndian ? header.readUInt32LE(0) : header.readUInt32BE(0);
}

/** Writes a frame's length, native byte order, at `offset`. */
export function writeLength(target: Buffer, sizeBytes: number, offset = 0): void {
  if (isLittleEndian) target.writeUInt32LE(sizeBytes, offset);
  else target.writeUInt32BE(sizeBytes, offset);
}

/**
 * One frame: 32-bit length and the text's UTF-8 bytes.
 *
 * @throws SpillwayError `frame_too_large` beyond `maxBytes`, so that an oversized frame never
 * reaches a peer, which would have to drop the connection.
 */
export function encodeFrame(json: string, maxBytes: number = LIMITS.bridgeFrameBytes): Buffer {
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > maxBytes) throw tooLarge(sizeBytes, maxBytes);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + sizeBytes);
  writeLength(frame, sizeBytes);
  frame.write(json, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into frame bodies, whatever the size of its chunks. Every byte is copied at most once: a
 * body that lies whole in a chunk is a view of it, any other fills a buffer of its announced size.
 */
export class FrameDecoder {
  readonly #maxBytes: number;
  readonly #header = Buffer.allocUnsafe(HEADER_BYTES);
  #headerFilled = 0;
  #body: Buffer | null = null;
  #bodyFilled = 0;

  constructor(maxBytes: number = LIMITS.bridgeFrameBytes) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The bodies that `chunk` completes, in order. Iterate to the end before the next call.
   * @throws SpillwayError `frame_too_large` before anything is allocated; `frame_malformed` for an empty
   *   frame. The decoder is then unusable: the position of the next frame is unknown.
   */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#body !== null) {
        offset += this.#fill(this.#body, chunk, offset);
        if (this.#bodyFilled < this.#body.length) return;
        const body = this.#body;
        this.#body = null;
        yield body;
        continue;
      }
      const copied = chunk.copy(this.#header, this.#headerFilled, offset);
      this.#headerFilled += copied;
      offset += copied;
      if (this.#headerFilled < HEADER_BYTES) return;
      this.#headerFilled = 0;
      const sizeBytes = this.#announced();
      if (chunk.length - offset >= sizeBytes) {
        yield chunk.subarray(offset, offset + sizeBytes);
        offset += sizeBytes;
      } else {
        this.#body = Buffer.allocUnsafe(sizeBytes);
        this.#bodyFilled = 0;
      }
    }
  }

  /** Call at the end of the byte stream. @throws SpillwayError `frame_malformed` inside a frame. */
  end(): void {
    if (this.#headerFilled === 0 && this.#body === null) return;
    throw new SpillwayError('frame_malformed', 'The bridge ended inside a frame.');
  }

  #fill(body: Buffer, chunk: Buffer, offset: number): number {
    const copied = chunk.copy(body, this.#bodyFilled, offset);
    this.#bodyFilled += copied;
    return copied;
  }

  #announced(): number {
    const sizeBytes = readLength(this.#header);
    if (sizeBytes === 0) throw new SpillwayError('frame_malformed', 'The bridge received an empty frame.');
    if (sizeBytes > this.#maxBytes) throw tooLarge(sizeBytes, this.#maxBytes);
    return sizeBytes;
  }
}

/**
 * A frame's body as a value.
 * @throws SpillwayError `frame_malformed` if it is not JSON.
 */
export function parseFrame(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString());
    return value;
  } catch (cause) {
    throw new SpillwayError('frame_malformed', 'A frame on the bridge is not JSON.', { cause });
  }
}

function tooLarge(sizeBytes: number, maxBytes: number): SpillwayError {
  return new SpillwayError(
    'frame_too_large',
    `A bridge frame of ${sizeBytes} bytes is over the limit of ${maxBytes}.`,
  );
}

/** Space in a frame for the envelope around its message. */
export const ENVELOPE_RESERVE_BYTES = 64;

const PREFIX = Buffer.from('{"channel":');
const INFIX = Buffer.from(',"message":');
const ZERO = 0x30;
const NINE = 0x39;
const CLOSING_BRACE = 0x7d;
const MAX_DIGITS = 10;

/** A frame from the worker, split at its prefix. */
export type Envelope = ReturnType<typeof openEnvelope>;

/**
 * Opens `{"channel":N,"message":…}` without parsing the message.
 * @throws SpillwayError `frame_malformed` if the frame has another shape.
 */
export function openEnvelope(frame: Buffer) {
  let offset = PREFIX.length;
  let channel = 0;
  for (let digit = frame[offset]; digit !== undefined && digit >= ZERO && digit <= NINE;) {
    channel = channel * 10 + (digit - ZERO);
    offset += 1;
    digit = frame[offset];
  }
  const digits = offset - PREFIX.length;
  const start = offset + INFIX.length;
  const end = frame.length - 1;
  const isEnvelope =
    digits > 0 &&
    digits <= MAX_DIGITS &&
    start < end &&
    frame[end] === CLOSING_BRACE &&
    frame.compare(PREFIX, 0, PREFIX.length, 0, PREFIX.length) === 0 &&
    frame.compare(INFIX, 0, INFIX.length, offset, start) === 0;
  if (!isEnvelope)
    throw new SpillwayError('frame_malformed', 'A frame from the extension is not a valid envelope.');
  return {
    channel,
    /** A view of the frame. */
    message: frame.subarray(start, end),
    /** The message as a separate frame: a view that reuses the prefix's bytes for the length. */
    toFrame: (): Buffer => {
      // The prefix is longer than a frame's header and no longer needed, so the message is not copied.
      writeLength(frame, end - start, start - HEADER_BYTES);
      return frame.subarray(start - HEADER_BYTES, end);
    },
  };
}

/** Size of the frame's body that {@link sealEnvelope} makes. */
export function sealedBytes(channel: number, message: Buffer): number {
  return prefixOf(channel).length + message.length + 1;
}

/** A whole frame, including its header, that carries `message` on `channel` to the worker. */
export function sealEnvelope(channel: number, message: Buffer): Buffer {
  const prefix = prefixOf(channel);
  const sizeBytes = sealedBytes(channel, message);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + sizeBytes);
  writeLength(frame, sizeBytes);
  frame.write(prefix, HEADER_BYTES, 'latin1');
  message.copy(frame, HEADER_BYTES + prefix.length);
  frame[frame.length - 1] = CLOSING_BRACE;
  return frame;
}

function prefixOf(channel: number): string {
  return `{"channel":${channel},"message":`;
}
