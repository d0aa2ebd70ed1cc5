import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  ATTACHED,
  ATTACHED_MAX_BYTES,
  checkBundle,
  NOTHING,
  type Checked,
  type Content,
  type Expected,
} from './check-manifest.ts';
import { MANIFEST_MAX_BYTES, MANIFEST_NAME, type Manifest } from './manifest.ts';
import { GZIP_HEADER } from './gzip-header.ts';
import { digestOf, SEAL_BYTES } from './seal.ts';
import type { Signer } from './signature.ts';
import type { Member } from './tar-header.ts';
import type { TimeStamp } from './timestamp/token.ts';
import { TarReader } from './tar-reader.ts';
import { verifyWacz } from './wacz/verify.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { errnoOf, isMissing } from '../../machine/errno.ts';

/** What a check found. `problems` is empty exactly when everything holds. */
export interface Verification {
  readonly ok: boolean;
  readonly file: string;
  readonly size_bytes: number;
  /** Of the whole file. */
  readonly sha256: string;
  /** Null when there is none that can be read. */
  readonly manifest: Manifest | null;
  /** The key that signed the manifest; null when it is not signed. */
  readonly signature: Signer | null;
  /** When the manifest existed, by whom; null when it has no time stamp. */
  readonly timestamp: TimeStamp | null;
  /** What each names, in the order in which it was found. */
  readonly problems: readonly string[];
}

/** So many problems say that the file is not a bundle. */
const MOST_PROBLEMS = 20;

/**
 * Checks a bundle. A tar.gz streams past once: seal, compression, tar, and each member against the
 * manifest; for a WACZ see {@link verifyWacz}. Memory: a few chunks and the manifest.
 *
 * @throws SpillwayError `invalid_argument` when the file is not there, is not a file, or cannot be read
 */
export async function verifyBundle(path: string, expected: Partial<Expected> = {}): Promise<Verification> {
  const wanted: Expected = { key: null, timestampAnchors: null, ...expected };
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const { manifest, signature, timestamp, problems, sha256 } = (await isZip(file))
      ? await verifyWacz(file, size, wanted)
      : await verifyTar(file, size, wanted);
    return {
      ok: problems.length === 0,
      file: path,
      size_bytes: size,
      sha256,
      manifest,
      signature,
      timestamp,
      problems: problems.slice(0, MOST_PROBLEMS),
    };
  } catch (thrown) {
    throw unreadable(path, thrown);
  } finally {
    await file.close();
  }
}

async function isZip(file: FileHandle): Promise<boolean> {
  const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
  return buffer.toString('latin1') === 'PK';
}

async function verifyTar(file: FileHandle, sizeBytes: number, expected: Expected): Promise<Checked> {
  const found = new Findings(expected);
  const sha256 = await readThrough({ file, sizeBytes, found });
  return { sha256, ...found.checked, problems: found.problems };
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    // A pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    throw new SpillwayError('invalid_argument', `FILE: ${path} is not a regular file.`);
  } catch (thrown) {
    await file?.close();
    throw unreadable(path, thrown);
  }
}

function unreadable(path: string, thrown: unknown): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const reason = isMissing(thrown)
    ? 'does not exist'
    : `cannot be read (${errnoOf(thrown) ?? String(thrown)})`;
  return new SpillwayError('invalid_argument', `FILE: ${path} ${reason}.`, { cause: thrown });
}

interface Reading {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  readonly found: Findings;
}

/** Returns the SHA-256 of the whole file. */
async function readThrough({ file, sizeBytes, found }: Reading): Promise<string> {
  const whole = createHash('sha256');
  const sealed = createHash('sha256');
  const sealAt = Math.max(0, sizeBytes - SEAL_BYTES);
  const seal: Buffer[] = [];
  const packed = new Packed(found, sealAt);
  let at = 0;
  for await (const chunk of bytesOf(file)) {
    whole.update(chunk);
    const body = chunk.subarray(0, Math.max(0, sealAt - at));
    sealed.update(body);
    seal.push(chunk.subarray(body.length));
    at += chunk.length;
    await packed.push(body);
  }
  checkSeal(Buffer.concat(seal), sealed, found);
  await packed.end();
  found.finish();
  return whole.digest('hex');
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Buffer, void> {
  for await (const chunk of createReadStream('', { fd: file, autoClose: false, start: 0 })) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

function checkSeal(seal: Buffer, sealed: Hash, found: Findings): void {
  const digest = digestOf(seal);
  if (digest === null)
    found.problem('the seal at its end is missing or damaged: the file was cut off or extended');
  else if (!digest.equals(sealed.digest())) found.problem('its bytes are not the sealed ones');
}

const TRAILER_BYTES = 8;

/** The compressed part: a gzip member (RFC 1952), unpacked as it comes and read as a tar. */
class Packed {
  readonly #found: Findings;
  readonly #inflate = createInflateRaw();
  readonly #read: Promise<void>;
  readonly #trailerAt: number;
  #head: Buffer = Buffer.alloc(0);
  #trailer: Buffer = Buffer.alloc(0);
  #at = 0;
  #crc = 0;
  #unpackedBytes = 0;
  #isBroken = false;

  constructor(found: Findings, sizeBytes: number) {
    this.#found = found;
    this.#trailerAt = Math.max(GZIP_HEADER.length, sizeBytes - TRAILER_BYTES);
    this.#read = this.#unpack();
  }

  /** Resolves when more may come. What follows a fault is hashed and not unpacked. */
  async push(bytes: Buffer): Promise<void> {
    const upTo = (position: number): number => Math.max(0, position - this.#at);
    const [from, to] = [upTo(GZIP_HEADER.length), upTo(this.#trailerAt)];
    this.#head = Buffer.concat([this.#head, bytes.subarray(0, from)]);
    this.#trailer = Buffer.concat([this.#trailer, bytes.subarray(to)]);
    this.#at += bytes.length;
    const inflate = this.#inflate;
    if (inflate.destroyed || inflate.write(bytes.subarray(from, to)) || inflate.destroyed) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        inflate.off('drain', go).off('close', go);
        resolve();
      };
      inflate.on('drain', go).on('close', go);
    });
  }

  async end(): Promise<void> {
    if (!this.#inflate.destroyed) this.#inflate.end();
    await this.#read;
    if (!this.#head.equals(GZIP_HEADER)) this.#found.problem('its first bytes are not those of a bundle');
    if (this.#isBroken) return;
    if (this.#inflate.bytesWritten !== this.#trailerAt - GZIP_HEADER.length)
      this.#found.problem('there is data after the compressed part');
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#unpackedBytes % 2 ** 32, 4);
    if (!this.#trailer.equals(trailer))
      this.#found.problem('the check value of the compressed part is wrong');
  }

  async #unpack(): Promise<void> {
    try {
      for await (const chunk of this.#inflate) {
        if (!Buffer.isBuffer(chunk)) continue;
        this.#crc = crc32(chunk, this.#crc);
        this.#unpackedBytes += chunk.length;
        if (this.#found.take(chunk)) continue;
        this.#isBroken = true;
        return;
      }
    } catch (thrown) {
      this.#isBroken = true;
      const reason = messageOf(thrown);
      this.#found.problem(`the compressed part cannot be unpacked (${reason})`);
    }
  }
}

/** Collects what the archive holds and what is wrong with it. */
class Findings {
  readonly problems: string[] = [];
  checked: Pick<Checked, 'manifest' | 'signature' | 'timestamp'> = NOTHING;
  readonly #expected: Expected;
  readonly #contents: Content[] = [];
  readonly #tar: TarReader;
  #current: { readonly member: Member; readonly hash: Hash } | null = null;
  /** Members that are kept as a whole, by name. */
  readonly #kept = new Map<string, Buffer>();
  #isBroken = false;

  constructor(expected: Expected) {
    this.#expected = expected;
    this.#tar = new TarReader({
      member: (member) => this.#begin(member),
      data: (bytes) => this.#data(bytes),
      memberEnd: () => this.#endMember(),
    });
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  /** Takes a piece of the tar; false when nothing further is worth reading. */
  take(chunk: Buffer): boolean {
    const wrong = this.#tar.push(chunk);
    if (wrong === null) return true;
    this.#isBroken = true;
    this.problem(wrong);
    return false;
  }

  /** Weighs what was found against the manifest. */
  finish(): void {
    const missing = this.#isBroken ? null : this.#tar.finish();
    if (missing !== null) this.problem(missing);
    const bytes = this.#kept.get(MANIFEST_NAME);
    if (bytes === undefined || bytes.length === 0) {
      this.problem(`there is no ${MANIFEST_NAME}`);
      return;
    }
    const { problems, ...checked } = checkBundle({
      manifest: bytes,
      contents: this.#contents,
      attached: this.#kept,
      expected: this.#expected,
    });
    this.checked = checked;
    this.problems.push(...problems);
  }

  #begin(member: Member): string | null {
    const shown = JSON.stringify(member.name);
    if (!/^[a-z][a-z0-9-]*(?:\.[a-z0-9]+){1,2}$/.test(member.name))
      return `${shown} is not a valid member name: it may lead out of the folder it is unpacked in`;
    if (this.#contents.some(({ name }) => name === member.name)) return `${shown} appears twice`;
    const isAttached = ATTACHED.includes(member.name);
    const isAfter = this.#contents.some(({ name }) => name === MANIFEST_NAME);
    if (isAfter && !isAttached) return `${shown} follows ${MANIFEST_NAME}, which comes last`;
    if (isAttached && !isAfter) return `${shown} comes before ${MANIFEST_NAME}`;
    const isWhole = isAttached || member.name === MANIFEST_NAME;
    if (isWhole && member.sizeBytes > (isAttached ? ATTACHED_MAX_BYTES : MANIFEST_MAX_BYTES))
      return `${member.name} has ${member.sizeBytes} bytes`;
    if (isWhole) this.#kept.set(member.name, Buffer.alloc(0));
    this.#current = { member, hash: createHash('sha256') };
    return null;
  }

  #data(bytes: Buffer): void {
    this.#current?.hash.update(bytes);
    const name = this.#current?.member.name ?? '';
    const before = this.#kept.get(name);
    if (before !== undefined) this.#kept.set(name, Buffer.concat([before, bytes]));
  }

  #endMember(): void {
    if (this.#current === null) return;
    const { member, hash } = this.#current;
    this.#contents.push({ ...member, sha256: hash.digest('hex') });
    this.#current = null;
  }
}
