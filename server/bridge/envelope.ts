import { SpillwayError } from '../../shared/errors.ts';
import { writeLength } from './frames.ts';

/** Room in a frame for the envelope around its message. */
export const ENVELOPE_RESERVE_BYTES = 64;

const HEADER_BYTES = 4;
const PREFIX = Buffer.from('{"channel":');
const INFIX = Buffer.from(',"message":');
const ZERO = 0x30;
const NINE = 0x39;
const CLOSING_BRACE = 0x7d;
const MAX_DIGITS = 10;

/** A frame from the worker, taken apart by its prefix alone. */
export interface Envelope {
  readonly channel: number;
  /** Bytes of `message`, a view of the frame. */
  readonly message: Buffer;
  /** The message as a frame of its own: a view that reuses the prefix's bytes for the length. */
  toFrame(): Buffer;
}

/**
 * Opens `{"channel":N,"message":…}` without parsing what it carries.
 *
 * @throws SpillwayError `frame_malformed` when the frame has another shape.
 */
export function openEnvelope(frame: Buffer): Envelope {
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
    message: frame.subarray(start, end),
    toFrame: () => {
      // The prefix is longer than a frame's header and of no more use: no copy of the message.
      writeLength(frame, end - start, start - HEADER_BYTES);
      return frame.subarray(start - HEADER_BYTES, end);
    },
  };
}

/** Size of the frame's body that {@link sealEnvelope} makes. */
export function sealedBytes(channel: number, message: Buffer): number {
  return prefixOf(channel).length + message.length + 1;
}

/** A whole frame, header included, that carries `message` on `channel` to the worker. */
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
