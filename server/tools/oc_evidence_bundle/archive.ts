import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { anySignal } from '../../../shared/async/abort.ts';
import { withFixedHeader } from './gzip-header.ts';
import { sealOf } from './seal.ts';
import { headerOf, type Member } from './tar-header.ts';

/** A member whose bytes are in a file. */
interface FileMember extends Member {
  readonly path: string;
}

/** A member that is held in memory. */
export interface ShortMember {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The manifest and what is attached to it, made when all else is packed. */
export type LastMembers = (signal: AbortSignal) => AsyncIterable<ShortMember> | Iterable<ShortMember>;

interface ArchiveOptions {
  readonly files: readonly FileMember[];
  readonly last: LastMembers;
  /** Time of the last members, in seconds since the epoch. */
  readonly mtimeS: number;
  readonly signal: AbortSignal;
  /** Called with the SHA-256 of the whole archive, in lower-case hexadecimal, with its last bytes. */
  readonly onSha256: (sha256: string) => void;
}

/**
 * The archive's bytes: a gzip member that holds the tar, and the seal. Equal members give equal bytes
 * from one version of zlib. Memory: a few chunks.
 */
export async function* packArchive(options: ArchiveOptions): AsyncGenerator<Uint8Array, void> {
  // A reader that stops early ends what is still being made.
  const stopped = new AbortController();
  const { signal, release } = anySignal([options.signal, stopped.signal]);
  const whole = createHash('sha256');
  const sealed = createHash('sha256');
  const tar = pack();
  const gzip = createGzip();
  const piped = pipeline(tar, gzip, { signal });
  const filled = fill(tar, { ...options, signal });
  // The first failure fails the iteration below; the other rejection must still be handled.
  piped.catch(() => undefined);
  filled.catch((thrown: unknown) =>
    tar.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))),
  );
  try {
    for await (const chunk of withFixedHeader(gzip)) {
      whole.update(chunk);
      sealed.update(chunk);
      yield chunk;
    }
    await Promise.all([piped, filled]);
  } finally {
    stopped.abort();
    release();
    gzip.destroy();
    tar.destroy();
  }
  const seal = sealOf(sealed.digest());
  options.onSha256(whole.update(seal).digest('hex'));
  yield seal;
}

async function fill(tar: Pack, { files, last, mtimeS, signal }: ArchiveOptions): Promise<void> {
  for (const { path, ...member } of files)
    await pipeline(createReadStream(path), tar.entry(headerOf(member)), { signal });
  for await (const { name, bytes } of last(signal)) {
    const entry = tar.entry(headerOf({ name, sizeBytes: bytes.length, mtimeS }));
    await pipeline(Readable.from([bytes]), entry, { signal });
  }
  tar.finalize();
}
