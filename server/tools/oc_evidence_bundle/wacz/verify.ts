import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../../../../shared/message-of.ts';
import {
  ATTACHED,
  ATTACHED_MAX_BYTES,
  checkBundle,
  NOTHING,
  type Checked,
  type Content,
  type Expected,
} from '../check-manifest.ts';
import { MANIFEST_MAX_BYTES, MANIFEST_NAME } from '../manifest.ts';
import {
  DIGEST_PATH,
  digestText,
  EVIDENCE_FOLDER,
  INDEX_PATH,
  MANIFEST_PATH,
  PACKAGE_PATH,
  PAGES_PATH,
  WARC_PATH,
} from './layout.ts';
import { packZip, type ZipMember } from './zip.ts';

/** No bundle has more members. */
const MOST_MEMBERS = 64;
const STORED = 0;
/** Members that are read as a whole, and how large each may be. */
const WHOLE_MAX_BYTES: ReadonlyMap<string, number> = new Map([
  ...[MANIFEST_PATH, PACKAGE_PATH, DIGEST_PATH].map((path) => [path, MANIFEST_MAX_BYTES] as const),
  ...ATTACHED.map((name) => [EVIDENCE_FOLDER + name, ATTACHED_MAX_BYTES] as const),
]);
const REQUIRED = [WARC_PATH, INDEX_PATH, PAGES_PATH, MANIFEST_PATH, PACKAGE_PATH, DIGEST_PATH];

/** A member as it was read; `text` of the few that are read as a whole. */
type Found = Content & { readonly text: Buffer | null };

/**
 * Checks a WACZ of ours: that each file is the one that the data package lists, that its digest is that
 * of the data package, that the evidence is what the manifest lists, and that packing the files again gives
 * the very same zip, which leaves no byte unchecked. Memory: a few chunks, data package and manifest.
 *
 * @throws what reading the file throws
 */
export async function verifyWacz(file: FileHandle, sizeBytes: number, expected: Expected): Promise<Checked> {
  const sha256 = await hashOf(bytesIn(file, 0, sizeBytes));
  try {
    const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
    return { sha256, ...(await checkZip({ zip, file, sizeBytes, expected })) };
  } catch (thrown) {
    return {
      sha256,
      ...NOTHING,
      problems: [`the zip cannot be read (${messageOf(thrown)})`],
    };
  }
}

interface ZipCheck {
  readonly zip: ZipFile;
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
      ...((await isSameZip({ zip, entries, file, sizeBytes }))
        ? []
        : ['its bytes are not those of a bundle']),
    ],
  };
}

function oddities(entry: Entry, at: number, all: readonly Entry[]): string[] {
  const shown = JSON.stringify(entry.fileName);
  return [
    ...(entry.compressionMethod === STORED ? [] : [`${shown} is compressed`]),
    ...(all.findIndex(({ fileName }) => fileName === entry.fileName) === at
      ? []
      : [`${shown} appears twice`]),
    ...(entry.uncompressedSize > (WHOLE_MAX_BYTES.get(entry.fileName) ?? Infinity)
      ? [`${shown} has ${entry.uncompressedSize} bytes`]
      : []),
  ];
}

async function readMember(zip: ZipFile, entry: Entry): Promise<Found> {
  const hash = createHash('sha256');
  const kept: Buffer[] | null = WHOLE_MAX_BYTES.has(entry.fileName) ? [] : null;
  let sizeBytes = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    sizeBytes += chunk.length;
    kept?.push(chunk);
  }
  const text = kept === null ? null : Buffer.concat(kept);
  return { name: entry.fileName, sizeBytes, mtimeS: null, sha256: hash.digest('hex'), text };
}

const DataPackage = z.object({
  resources: z.array(z.object({ path: z.string(), hash: z.string(), bytes: z.int().min(0) })),
});

function checkPackage(found: readonly Found[]): string[] {
  const missing = REQUIRED.filter((path) => !found.some(({ name }) => name === path));
  if (missing.length > 0) return missing.map((path) => `there is no ${path}`);
  const bytes = textOf(found, PACKAGE_PATH);
  const listed = DataPackage.safeParse(parse(bytes)).data?.resources;
  if (listed === undefined) return [`${PACKAGE_PATH}: it is not a data package`];
  const files = found.filter(({ name }) => name !== PACKAGE_PATH && name !== DIGEST_PATH);
  return [
    ...(digestText(bytes) === textOf(found, DIGEST_PATH).toString('utf8')
      ? []
      : [`${DIGEST_PATH}: it is not the digest of ${PACKAGE_PATH}`]),
    ...listed.flatMap(({ path, hash, bytes: size }) => {
      const file = files.find(({ name }) => name === path);
      if (file === undefined) return [`${path} is listed but missing`];
      return [
        ...(file.sizeBytes === size ? [] : [`${path}: it has ${file.sizeBytes} bytes, listed: ${size}`]),
        ...(`sha256:${file.sha256}` === hash
          ? []
          : [`${path}: its SHA-256 is ${file.sha256}, listed: ${hash}`]),
      ];
    }),
    ...files
      .filter(({ name }) => !listed.some(({ path }) => path === name))
      .map(({ name }) => `${name} is present but not listed`),
  ];
}

/** The files in `evidence/` by the manifest, as the members of a tar are checked. */
function checkEvidence(found: readonly Found[], expected: Expected): Omit<Checked, 'sha256'> {
  if (!found.some(({ name }) => name === MANIFEST_PATH)) return { ...NOTHING, problems: [] };
  const contents = found
    .filter(({ name }) => name.startsWith(EVIDENCE_FOLDER))
    .map((file) => ({ ...file, name: file.name.slice(EVIDENCE_FOLDER.length) }));
  const attached = new Map(
    contents.flatMap(({ name, text }) => (text === null || name === MANIFEST_NAME ? [] : [[name, text]])),
  );
  const manifest = textOf(found, MANIFEST_PATH);
  const checked = checkBundle({ manifest, contents, attached, expected });
  const last = contents.findLast(({ name }) => !ATTACHED.includes(name))?.name;
  if (last === MANIFEST_NAME) return checked;
  return { ...checked, problems: [...checked.problems, `${MANIFEST_PATH} does not come last`] };
}

interface Packed {
  readonly zip: ZipFile;
  readonly entries: readonly Entry[];
  readonly file: FileHandle;
  readonly sizeBytes: number;
}

/** Whether packing the members again gives the file. */
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

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

const textOf = (found: readonly Found[], path: string): Buffer =>
  found.find(({ name }) => name === path)?.text ?? Buffer.alloc(0);

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
