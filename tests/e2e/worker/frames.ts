import { endianness } from 'node:os';

const little = endianness() === 'LE';

/** One native messaging frame. */
export function encodeFrame(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(4);
  if (little) head.writeUInt32LE(body.length);
  else head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Takes bytes as they come and answers the bodies of the frames that they complete. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;
  #wanted = 4;

  push(bytes: Buffer): Buffer[] {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length < this.#wanted) return [];
    const all = Buffer.concat(this.#chunks);
    const bodies: Buffer[] = [];
    let at = 0;
    this.#wanted = 4;
    while (all.length - at >= 4) {
      const size = little ? all.readUInt32LE(at) : all.readUInt32BE(at);
      if (all.length - at - 4 < size) {
        this.#wanted = 4 + size;
        break;
      }
      bodies.push(all.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    this.#chunks = [all.subarray(at)];
    this.#length = all.length - at;
    return bodies;
  }
}
