import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createInflateRaw } from 'node:zlib';
import { extract, pack, type Header, type Pack } from 'tar-stream';
import { anySignal } from '../../../shared/async/abort.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { MANIFEST_NAME } from './manifest.ts';
import {
  ATTACHED,
  bytesIn,
  checkBundle,
  NOTHING,
  WHOLE_MAX_BYTES,
  type Checked,
  type Expected,
  type Found,
} from './check.ts';

/** A member whose bytes are in a file. */
interface FileMember {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Seconds since the epoch. */
  readonly mtimeS: number;
}

/** A member that is held in memory. */
export interface ShortMember {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The manifest and its attachments, made when all else is packed. */
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
  // A reader that stops early ends the unfinished parts.
  const stopped = new AbortController();
  const { signal, release } = anySignal([options.signal, stopped.signal]);
  const whole = createHash('sha256');
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
      yield chunk;
    }
    await Promise.all([piped, filled]);
  } finally {
    stopped.abort();
    release();
    gzip.destroy();
    tar.destroy();
  }
  const seal = sealOf(whole.copy().digest());
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

/** Plain file, 0600, without an owner, so that equal parts give equal bytes. */
export function headerOf({ name, sizeBytes, mtimeS }: Omit<FileMember, 'path'>) {
  return {
    name,
    size: sizeBytes,
    mtime: new Date(mtimeS * 1_000),
    mode: 0o600,
    uid: 0,
    gid: 0,
    uname: '',
    gname: '',
    type: 'file',
  } as const;
}

/*
 * A bundle ends with a second gzip member (RFC 1952, 2.2) that unpacks to nothing. Its extra field
 * (2.3.1.1) holds the SHA-256 of all bytes before it. gzip checks what it unpacks and not what it
 * read: header fields, spare bits and some codes may change unseen. The seal sees every byte.
 */

const SEAL_HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 36, 0, 0x53, 0x57, 32, 0]);
/** An empty deflate block, CRC-32 and length of nothing. */
const SEAL_END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const DIGEST_BYTES = 32;

export const SEAL_BYTES = SEAL_HEADER.length + DIGEST_BYTES + SEAL_END.length;

/** The seal over what has the digest. */
export function sealOf(digest: Buffer): Buffer {
  return Buffer.concat([SEAL_HEADER, digest, SEAL_END]);
}

function sealProblem(seal: Buffer, digest: Buffer): string[] {
  const sealed = seal.subarray(SEAL_HEADER.length, SEAL_HEADER.length + DIGEST_BYTES);
  if (!sealOf(sealed).equals(seal))
    return ['the seal at its end is missing or damaged: the file was cut off or extended'];
  return sealed.equals(digest) ? [] : ['its bytes are not the sealed ones'];
}

/**
 * Checks a tar.gz of ours: its seal, that the evidence is what the manifest lists, and that packing the members
 * again gives the very same tar. Memory: a few chunks and the manifest.
 *
 * @throws what reading the file throws
 */
export async function verifyTar(file: FileHandle, sizeBytes: number, expected: Expected): Promise<Checked> {
  const sealAt = Math.max(0, sizeBytes - SEAL_BYTES);
  const whole = createHash('sha256');
  for await (const chunk of bytesIn(file, 0, sealAt)) whole.update(chunk);
  const digest = whole.copy().digest();
  const seal = await collect(bytesIn(file, sealAt, sizeBytes));
  const sha256 = whole.update(seal).digest('hex');
  const { found, problems } = await unpack(file, sealAt);
  const manifest = found.find(({ name }) => name === MANIFEST_NAME)?.text;
  const { problems: others, ...checked } =
    manifest == null || manifest.length === 0
      ? { ...NOTHING, problems: [`there is no ${MANIFEST_NAME}`] }
      : checkBundle(manifest, found, expected);
  return { sha256, ...checked, problems: [...sealProblem(seal, digest), ...problems, ...others] };
}

interface Unpacked {
  /** The members up to the first fault. */
  readonly found: readonly Found[];
  readonly problems: readonly string[];
}

/** Reads the members of what is compressed before the seal, and packs them again to compare. */
async function unpack(file: FileHandle, sealAt: number): Promise<Unpacked> {
  const found: Found[] = [];
  const problems: string[] = [];
  const read = createHash('sha256');
  const repacked = createHash('sha256');
  const again = pack();
  const entries = extract();
  const written = pipeline(hashed(inflated(file, sealAt, problems), read), entries);
  const made = drain(hashed(again, repacked));
  // Their failures end the iteration below too.
  written.catch((thrown: unknown) => again.destroy(thrown instanceof Error ? thrown : undefined));
  made.catch(() => undefined);
  try {
    for await (const entry of entries) {
      const wrong = memberProblem(entry.header, found);
      if (wrong !== null) return { found, problems: [...problems, `member ${found.length + 1}: ${wrong}`] };
      found.push(await readMember(entry, entry.header, again));
    }
    again.finalize();
    await Promise.all([written, made]);
    if (!read.digest().equals(repacked.digest())) problems.push('its bytes are not those of a bundle');
  } catch (thrown) {
    problems.push(`the compressed part cannot be unpacked (${messageOf(thrown)})`);
  } finally {
    again.destroy();
    entries.destroy();
  }
  return { found, problems };
}

async function* hashed(chunks: AsyncIterable<unknown>, hash: Hash): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    yield chunk;
  }
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const TRAILER_BYTES = 8;

/**
 * What a gzip member (RFC 1952) holds that takes the file up to `end`. Its first and last bytes are for the seal to vouch for;
 * adds a problem where there is more than the member.
 */
async function* inflated(file: FileHandle, end: number, problems: string[]): AsyncGenerator<Buffer, void> {
  const trailerAt = Math.max(GZIP_HEADER.length, end - TRAILER_BYTES);
  const inflate = createInflateRaw();
  const source = Readable.from(bytesIn(file, GZIP_HEADER.length, trailerAt));
  source.on('error', (thrown: Error) => inflate.destroy(thrown)).pipe(inflate);
  try {
    for await (const chunk of inflate) if (Buffer.isBuffer(chunk)) yield chunk;
  } finally {
    source.destroy();
    inflate.destroy();
  }
  if (inflate.bytesWritten !== trailerAt - GZIP_HEADER.length)
    problems.push('there is data after the compressed part');
}

/** Why a member is not read. */
function memberProblem({ name, type, size }: Header, before: readonly Found[]): string | null {
  const shown = JSON.stringify(name);
  if (type !== 'file') return `it is a ${type === 'symlink' ? 'symbolic link' : type}`;
  if (!/^[a-z][a-z0-9-]*(?:\.[a-z0-9]+){1,2}$/.test(name))
    return `${shown} is not a valid member name: it may lead out of the folder it is unpacked in`;
  if (before.some((other) => other.name === name)) return `${shown} appears twice`;
  const isAttached = ATTACHED.includes(name);
  const isAfter = before.some((other) => other.name === MANIFEST_NAME);
  if (isAfter && !isAttached) return `${shown} follows ${MANIFEST_NAME}, which comes last`;
  if (isAttached && !isAfter) return `${shown} comes before ${MANIFEST_NAME}`;
  return size > (WHOLE_MAX_BYTES.get(name) ?? Infinity) ? `${name} has ${size} bytes` : null;
}

async function readMember(
  data: AsyncIterable<unknown>,
  { name, size: sizeBytes, mtime }: Header,
  again: Pack,
): Promise<Found> {
  const mtimeS = mtime.getTime() / 1_000;
  const hash = createHash('sha256');
  const kept: Buffer[] | null = WHOLE_MAX_BYTES.has(name) ? [] : null;
  async function* passed(): AsyncGenerator<Buffer, void> {
    for await (const chunk of hashed(data, hash)) {
      kept?.push(chunk);
      yield chunk;
    }
  }
  await pipeline(passed, again.entry(headerOf({ name, sizeBytes, mtimeS })));
  return { name, sizeBytes, mtimeS, sha256: hash.digest('hex'), text: kept && Buffer.concat(kept) };
}

/** The first bytes of what is compressed: a gzip header without time, name, flags and system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** zlib names the operating system in the header: an archive does not depend on it. */
export async function* withFixedHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < GZIP_HEADER.length) continue;
    GZIP_HEADER.copy(head);
    yield head;
    head = null;
  }
}
