import { createHash } from 'node:crypto';
import { parseAs } from '../../../shared/json-schema.ts';
import { textsOf } from '../../toolkit/texts.ts';
import { parseUrl } from '../../toolkit/urls.ts';
import { MANIFEST_NAME, type Manifest } from './manifest.ts';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { onAbort } from '../../../shared/async/abort.ts';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { fromFdPromise, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { messageOf } from '../../../shared/message-of.ts';
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

/** The version of WACZ that is written: https://specs.webrecorder.net/wacz/1.1.1/ */
const WACZ_VERSION = '1.1.1';

export const WARC_NAME = 'data.warc.gz';
export const WARC_PATH = `archive/${WARC_NAME}`;
export const INDEX_PATH = 'indexes/index.cdx';
export const PAGES_PATH = 'pages/pages.jsonl';
export const PACKAGE_PATH = 'datapackage.json';
export const DIGEST_PATH = 'datapackage-digest.json';
/** The parts of the bundle as files, and its manifest. */
export const EVIDENCE_FOLDER = 'evidence/';
const MANIFEST_PATH = `${EVIDENCE_FOLDER}${MANIFEST_NAME}`;

/** A file of a WACZ that its data package lists. */
export interface PackagedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** Fields of a clean manifest. */
type Described = Pick<Manifest, 'title' | 'url' | 'created_at' | 'versions' | 'parts'>;

/** `datapackage.json`: every file with its size and hash. */
export function dataPackageText(manifest: Described, files: readonly PackagedFile[]): string {
  return lines({
    profile: 'data-package',
    wacz_version: WACZ_VERSION,
    title: manifest.title,
    created: manifest.created_at,
    software: `Spillway ${manifest.versions.server}`,
    mainPageUrl: targetUri(manifest.url),
    mainPageDate: pageTime(manifest),
    resources: files.map(({ path, sizeBytes, sha256 }) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      hash: `sha256:${sha256}`,
      bytes: sizeBytes,
    })),
  });
}

/** `datapackage-digest.json`: the hash over the data package, and with it over all files. */
export const digestText = (dataPackage: Uint8Array): string =>
  lines({ path: PACKAGE_PATH, hash: `sha256:${sha256Of(dataPackage)}` });

/** `pages.jsonl`: a heading, and the one page. */
export function pagesText(manifest: Described): string {
  const url = targetUri(manifest.url);
  const page = { id: sha256Of(url).slice(0, 10), url, ts: pageTime(manifest), title: manifest.title };
  const heading = { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' };
  return `${JSON.stringify(heading)}\n${JSON.stringify(page)}\n`;
}

/** When the HTML that a replay shows was captured. */
const pageTime = ({ parts, created_at: createdAt }: Described): string =>
  parts.find(({ part }) => part === 'html')?.captured_at ?? createdAt;

/** An address as records and indexes have it: as a URL writes it, without its fragment. */
export function targetUri(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === null) return url;
  parsed.hash = '';
  return parsed.href;
}

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

const lines = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

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

/** No bundle has more members. */
const MOST_MEMBERS = 64;
const STORED = 0;
/** How large a member that is read as a whole may be; undefined for the others. */
const wholeMaxBytes = (path: string): number | undefined =>
  path === PACKAGE_PATH || path === DIGEST_PATH
    ? WHOLE_MAX_BYTES.get(MANIFEST_NAME)
    : path.startsWith(EVIDENCE_FOLDER)
      ? WHOLE_MAX_BYTES.get(path.slice(EVIDENCE_FOLDER.length))
      : undefined;
const REQUIRED = [WARC_PATH, INDEX_PATH, PAGES_PATH, MANIFEST_PATH, PACKAGE_PATH, DIGEST_PATH];

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
  return { name: entry.fileName, sizeBytes, mtimeS: null, sha256: hash.digest('hex'), text };
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

/** The files in `evidence/` by the manifest, as the members of a tar are checked. */
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
