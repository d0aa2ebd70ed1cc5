import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { onAbort } from '../../../../shared/async/abort.ts';

/** A file in the zip. */
export interface ZipMember {
  readonly name: string;
  readonly sizeBytes: number;
  readonly open: () => Readable;
}

/** The earliest time that a zip can hold, since it holds local times. The manifest has the real ones. */
const MTIME = new Date(1980, 0, 1);
const PLAIN_FILE_MODE = 0o100600;

/**
 * A zip of members that are stored without compression, so that a reader can start at any byte. Equal
 * members give equal bytes. Memory: a few chunks.
 *
 * @throws what opening or reading a member throws, or the signal's reason
 */
export async function* packZip(
  members: readonly ZipMember[],
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  signal.throwIfAborted();
  const zip = new ZipFile();
  const { outputStream } = zip;
  if (!(outputStream instanceof Readable)) throw new TypeError('yazl writes to something unknown.');
  const fail = (thrown: unknown): void =>
    void outputStream.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
  const stopListening = onAbort(signal, () => fail(signal.reason));
  zip.on('error', fail);
  const opened: Readable[] = [];
  for (const { name, sizeBytes, open } of members)
    zip.addReadStreamLazy(
      name,
      { mtime: MTIME, mode: PLAIN_FILE_MODE, compress: false, forceDosTimestamp: true, size: sizeBytes },
      (give) => {
        const stream = open().on('error', fail);
        opened.push(stream);
        give(null, stream);
      },
    );
  zip.end();
  try {
    for await (const chunk of outputStream) if (Buffer.isBuffer(chunk)) yield chunk;
  } finally {
    stopListening();
    outputStream.destroy();
    opened.at(-1)?.destroy();
  }
}
