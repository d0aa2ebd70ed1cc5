import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromFdPromise, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { parseAs } from '../../../shared/json-schema.ts';
import { errnoOf, isMissing } from '../../machine/errno.ts';
import { textsOf } from '../../../shared/cut.ts';
import {
  ATTACHED,
  checkBundle,
  NOTHING,
  WHOLE_MAX_BYTES,
  type Checked,
  type Expected,
  type Found,
} from './check.ts';
import { MANIFEST_NAME } from './manifest.ts';
import {
  DIGEST_PATH,
  digestText,
  EVIDENCE_FOLDER,
  INDEX_PATH,
  PACKAGE_PATH,
  packZip,
  PAGES_PATH,
  WARC_PATH,
  type ZipMember,
} from './wacz.ts';

/** `problems` is empty exactly if every check passes; otherwise in the order of finding. */
export interface Verification extends Checked {
  readonly ok: boolean;
  readonly file: string;
  readonly size_bytes: number;
}

/** Most problems listed: with more, the file is not a bundle. */
const MOST_PROBLEMS = 20;

/**
 * Checks a bundle: that its files are those in the data package, with the same digests, that the evidence matches the
 * manifest, and that packing the files again gives the identical zip, which leaves no byte unchecked. Memory: a few
 * chunks, data package and manifest.
 * @throws SpillwayError `invalid_argument` if the file is missing, is not a file, or cannot be read
 */
export async function verifyBundle(path: string, expected: Partial<Expected> = {}): Promise<Verification> {
  const wanted: Expected = { key: null, timestampAnchors: null, ...expected };
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const { manifest, signature, timestamp, problems, sha256 } = await verifyOpen(file, size, wanted);
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

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    // A pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    throw invalidArgument(`FILE: ${path} is not a regular file.`);
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

/** No bundle has more members. */
const MOST_MEMBERS = 64;
const STORED = 0;
const MANIFEST_PATH = `${EVIDENCE_FOLDER}${MANIFEST_NAME}`;
/** How large a member that is read as a whole may be; undefined for the others. */
const wholeMaxBytes = (path: string): number | undefined =>
  path === PACKAGE_PATH || path === DIGEST_PATH
    ? WHOLE_MAX_BYTES.get(MANIFEST_NAME)
    : path.startsWith(EVIDENCE_FOLDER)
      ? WHOLE_MAX_BYTES.get(path.slice(EVIDENCE_FOLDER.length))
      : undefined;
const REQUIRED = [WARC_PATH, INDEX_PATH, PAGES_PATH, MANIFEST_PATH, PACKAGE_PATH, DIGEST_PATH];

async function verifyOpen(file: FileHandle, sizeBytes: number, expected: Expected): Promise<Checked> {
  const sha256 = await hashOf(bytesIn(file, 0, sizeBytes));
  try {
    const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
    return { sha256, ...(await checkZip({ zip, file, sizeBytes, expected })) };
  } catch (thrown) {
    return { sha256, ...NOTHING, problems: [`the zip cannot be read (${messageOf(thrown)})`] };
  }
}

interface ZipCheck {
  readonly zip: OpenZip;
  readonly file: FileHandle;
  readonly sizeBytes: number;
  readonly expected: Expected;
}

async function checkZip({ zip, file, sizeBytes, expected }: ZipCheck): Promise<Omit<Checked, 'sha256'>> {
  if (zip.entryCount > MOST_MEMBERS) return { ...NOTHING, problems: [`it has ${zip.entryCount} members`] };
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const odd = entries.flatMap(oddities);
  if (odd.length > 0) return { ...NOTHING, problems: odd };
  const found: Found[] = [];
  for (const entry of entries) found.push(await readMember(zip, entry));
  const { problems, ...checked } = checkEvidence(found, expected);
  return {
    ...checked,
    problems: [
      ...checkPackage(found),
      ...problems,
      ...textsOf(
        !(await isSameZip({ zip, entries, file, sizeBytes })) && 'its bytes are not those of a bundle',
      ),
    ],
  };
}

function oddities(entry: Entry, at: number, all: readonly Entry[]): string[] {
  const shown = JSON.stringify(entry.fileName);
  return textsOf(
    entry.compressionMethod !== STORED && `${shown} is compressed`,
    all.findIndex(({ fileName }) => fileName === entry.fileName) !== at && `${shown} appears twice`,
    entry.uncompressedSize > (wholeMaxBytes(entry.fileName) ?? Infinity) &&
      `${shown} has ${entry.uncompressedSize} bytes`,
  );
}

async function readMember(zip: OpenZip, entry: Entry): Promise<Found> {
  const hash = createHash('sha256');
  const kept: Buffer[] | null = wholeMaxBytes(entry.fileName) !== undefined ? [] : null;
  let sizeBytes = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    sizeBytes += chunk.length;
    kept?.push(chunk);
  }
  const text = kept === null ? null : Buffer.concat(kept);
  return { name: entry.fileName, sizeBytes, sha256: hash.digest('hex'), text };
}

const DataPackage = z.object({
  resources: z.array(z.object({ path: z.string(), hash: z.string(), bytes: z.int().min(0) })),
});

function checkPackage(found: readonly Found[]): string[] {
  const missing = REQUIRED.filter((path) => !found.some(({ name }) => name === path));
  if (missing.length > 0) return missing.map((path) => `there is no ${path}`);
  const bytes = textOf(found, PACKAGE_PATH);
  const listed = parseAs(DataPackage, bytes.toString('utf8'))?.resources;
  if (listed === undefined) return [`${PACKAGE_PATH}: it is not a data package`];
  const files = found.filter(({ name }) => name !== PACKAGE_PATH && name !== DIGEST_PATH);
  return [
    ...textsOf(
      digestText(bytes) !== textOf(found, DIGEST_PATH).toString('utf8') &&
        `${DIGEST_PATH}: it is not the digest of ${PACKAGE_PATH}`,
    ),
    ...listed.flatMap(({ path, hash, bytes: size }) => {
      const file = files.find(({ name }) => name === path);
      if (file === undefined) return [`${path} is listed but missing`];
      return textsOf(
        file.sizeBytes !== size && `${path}: it has ${file.sizeBytes} bytes, listed: ${size}`,
        `sha256:${file.sha256}` !== hash && `${path}: its SHA-256 is ${file.sha256}, listed: ${hash}`,
      );
    }),
    ...files
      .filter(({ name }) => !listed.some(({ path }) => path === name))
      .map(({ name }) => `${name} is present but not listed`),
  ];
}

/** The files in `evidence/` by the manifest. */
function checkEvidence(found: readonly Found[], expected: Expected): Omit<Checked, 'sha256'> {
  if (!found.some(({ name }) => name === MANIFEST_PATH)) return { ...NOTHING, problems: [] };
  const contents = found
    .filter(({ name }) => name.startsWith(EVIDENCE_FOLDER))
    .map((file) => ({ ...file, name: file.name.slice(EVIDENCE_FOLDER.length) }));
  const checked = checkBundle(textOf(found, MANIFEST_PATH), contents, expected);
  const last = contents.findLast(({ name }) => !ATTACHED.includes(name))?.name;
  if (last === MANIFEST_NAME) return checked;
  return { ...checked, problems: [...checked.problems, `${MANIFEST_PATH} does not come last`] };
}

interface Packed {
  readonly zip: OpenZip;
  readonly entries: readonly Entry[];
  readonly file: FileHandle;
  readonly sizeBytes: number;
}

async function isSameZip({ zip, entries, file, sizeBytes }: Packed): Promise<boolean> {
  const members: ZipMember[] = [];
  for (const entry of entries) {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const size = entry.uncompressedSize;
    const open = (): Readable => Readable.from(bytesIn(file, start, start + size));
    members.push({ name: entry.fileName, sizeBytes: size, open });
  }
  let at = 0;
  for await (const chunk of packZip(members, new AbortController().signal)) {
    const start = at;
    for await (const own of bytesIn(file, start, start + chunk.length)) {
      if (!chunk.subarray(at - start, at - start + own.length).equals(own)) return false;
      at += own.length;
    }
    if (at < start + chunk.length) return false;
  }
  return at === sizeBytes;
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

const textOf = (found: readonly Found[], path: string): Buffer =>
  found.find(({ name }) => name === path)?.text ?? Buffer.alloc(0);

const CHUNK_BYTES = 256 * 1_024;

/** The bytes of a file from one offset to another, or to its end. */
async function* bytesIn(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void> {
  for (let at = from; at < to;) {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, to - at));
    const { bytesRead } = await file.read({ buffer, position: at });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
