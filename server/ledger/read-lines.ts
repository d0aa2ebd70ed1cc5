import { openRegular } from '../machine/regular-file.ts';

const NEW_LINE = 0x0a;
/** Far longer than any line of ours: a file without breaks must not fill the memory. */
const LINE_BYTES_MAX = 1024 * 1024;

/** The bytes between two breaks. */
export interface FoundLine {
  /** Null for bytes that are not UTF-8, or far too many. */
  readonly text: string | null;
  readonly sizeBytes: number;
  /** False for what follows the last break. */
  readonly hasEnded: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function found(bytes: Buffer, sizeBytes: number, hasEnded: boolean): FoundLine {
  try {
    return { text: bytes.length === sizeBytes ? decoder.decode(bytes) : null, sizeBytes, hasEnded };
  } catch {
    return { text: null, sizeBytes, hasEnded };
  }
}

/** The lines of a file, as they are. Memory: the longest line, at most a megabyte. @throws what the disk refuses */
export async function* readLines(path: string): AsyncGenerator<FoundLine, void> {
  let [kept, sizeBytes]: [Buffer[], number] = [[], 0];
  const keep = (part: Buffer): void => {
    sizeBytes += part.length;
    if (sizeBytes <= LINE_BYTES_MAX) kept.push(part);
  };
  for await (const chunk of (await openRegular(path)).createReadStream() as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
      keep(chunk.subarray(from, at));
      yield found(Buffer.concat(kept), sizeBytes, true);
      [kept, sizeBytes, from] = [[], 0, at + 1];
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (sizeBytes > 0) yield found(Buffer.concat(kept), sizeBytes, false);
}
