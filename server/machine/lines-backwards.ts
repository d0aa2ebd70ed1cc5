import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
/** A longer line is not an entry; it is skipped without being buffered. */
const LINE_BYTES = 1024 * 1024;
const NEW_LINE = 0x0a;

/** A line of a file, and where in the file it begins. */
export interface PlacedBytes {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * The lines of a file that begin before `before`, from there backwards, in blocks, so that memory does not grow with the
 * file. Default: all.
 */
export async function* linesBackwards(
  file: FileHandle,
  before = Infinity,
): AsyncGenerator<PlacedBytes, void> {
  let position = Math.min((await file.stat()).size, before);
  let tail: Buffer[] = [];
  let tailBytes = 0;
  while (position > 0) {
    const wanted = Math.min(BLOCK_BYTES, position);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, position - wanted);
    position -= wanted;
    let end = bytesRead;
    for (
      let at = buffer.lastIndexOf(NEW_LINE, end - 1);
      at >= 0;
      at = end > 0 ? buffer.lastIndexOf(NEW_LINE, end - 1) : -1
    ) {
      const length = end - at - 1 + tailBytes;
      if (length > 0 && length <= LINE_BYTES)
        yield { bytes: Buffer.concat([buffer.subarray(at + 1, end), ...tail]), at: position + at + 1 };
      tail = [];
      tailBytes = 0;
      end = at;
    }
    tailBytes += end;
    tail = tailBytes <= LINE_BYTES ? [buffer.subarray(0, end), ...tail] : [];
  }
  if (tailBytes > 0 && tailBytes <= LINE_BYTES) yield { bytes: Buffer.concat(tail), at: 0 };
}
