import { createHash } from 'node:crypto';
import { parseUrl } from '../../../shared/base/private-address.ts';
import type { Manifest } from '../../evidence/manifest.ts';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { onAbort } from '../../../shared/base/async.ts';

/** The WACZ version: https://specs.webrecorder.net/wacz/1.1.1/ */
const WACZ_VERSION = '1.1.1';

export const WARC_NAME = 'data.warc.gz';
export const WARC_PATH = `archive/${WARC_NAME}`;
export const INDEX_PATH = 'indexes/index.cdx';
export const PAGES_PATH = 'pages/pages.jsonl';
export const PACKAGE_PATH = 'datapackage.json';
export const DIGEST_PATH = 'datapackage-digest.json';
/** The parts of the bundle as files, and its manifest. */
export const EVIDENCE_FOLDER = 'evidence/';

/** A file of a WACZ that its data package or the manifest lists. */
export interface PackagedFile {
  readonly name: string;
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
    software: softwareOf(manifest),
    mainPageUrl: targetUri(manifest.url),
    mainPageDate: pageTime(manifest),
    resources: files.map(({ name, sizeBytes, sha256 }) => ({
      name: name.slice(name.lastIndexOf('/') + 1),
      path: name,
      hash: `sha256:${sha256}`,
      bytes: sizeBytes,
    })),
  });
}

export const softwareOf = ({ versions }: Described): string => `Spillway ${versions.server}`;

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

/** When the HTML in the replay was captured. */
const pageTime = ({ parts, created_at: createdAt }: Described): string =>
  parts.find(({ part }) => part === 'html')?.captured_at ?? createdAt;

/** An address in the form for records and indexes: as URL writes it, without its fragment. */
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

/** The earliest time that a zip can represent, since it has local times. The manifest has the real ones. */
const MTIME = new Date(1980, 0, 1);
const PLAIN_FILE_MODE = 0o100600;

/**
 * A zip whose members are stored without compression, so that a reader can start at any byte. Equal members
 * give equal bytes. Memory: a few chunks.
 * @throws a member's open or read error, or the signal's reason
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
