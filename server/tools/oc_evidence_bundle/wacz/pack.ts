import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LastMembers, ShortMember } from '../archive.ts';
import type { CleanManifest } from '../compose.ts';
import { spool } from '../spool.ts';
import {
  dataPackageText,
  DIGEST_PATH,
  digestText,
  EVIDENCE_FOLDER,
  INDEX_PATH,
  PACKAGE_PATH,
  PAGES_PATH,
  pagesText,
  sha256Of,
  WARC_NAME,
  WARC_PATH,
  type PackagedFile,
} from './layout.ts';
import { recordsOf } from './records.ts';
import { WarcFile } from './warc.ts';
import { packZip, type ZipMember } from './zip.ts';

export interface WaczOptions {
  readonly manifest: CleanManifest;
  readonly last: LastMembers;
  /** Holds the parts under their names; the WARC is written to it too. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with the SHA-256 of the whole archive, in lower-case hexadecimal, with its last bytes. */
  readonly onSha256: (sha256: string) => void;
}

/**
 * The bytes of a WACZ: the WARC with its index and page list, the parts as files, and the data package
 * over all. Equal parts give equal bytes from one version of zlib.
 */
export async function* packWacz(options: WaczOptions): AsyncGenerator<Uint8Array, void> {
  const whole = createHash('sha256');
  for await (const chunk of packZip(await membersOf(options), options.signal)) {
    whole.update(chunk);
    yield chunk;
  }
  options.onSha256(whole.digest('hex'));
}

type Packaged = PackagedFile & ZipMember;

async function membersOf({ manifest, last, folder, signal }: WaczOptions): Promise<ZipMember[]> {
  const warc = new WarcFile({
    records: recordsOf(manifest, folder),
    seed: manifest.parts_sha256,
    software: `Spillway ${manifest.versions.server}`,
    createdAt: manifest.created_at,
    signal,
  });
  const path = join(folder, WARC_NAME);
  const spooled = await spool(warc.bytes(), { path, maxBytes: Number.MAX_SAFE_INTEGER, signal });
  const files: Packaged[] = [
    fileMember(WARC_PATH, path, spooled),
    textMember(INDEX_PATH, warc.index()),
    textMember(PAGES_PATH, pagesText(manifest)),
    ...manifest.parts.map(({ name, size_bytes: sizeBytes, sha256 }) =>
      fileMember(EVIDENCE_FOLDER + name, join(folder, name), { sizeBytes, sha256 }),
    ),
  ];
  for await (const { name, bytes } of last(signal))
    files.push(shortMember({ name: EVIDENCE_FOLDER + name, bytes }));
  const dataPackage = dataPackageText(manifest, files);
  return [
    ...files,
    textMember(PACKAGE_PATH, dataPackage),
    textMember(DIGEST_PATH, digestText(Buffer.from(dataPackage))),
  ];
}

const fileMember = (
  name: string,
  path: string,
  content: { sizeBytes: number; sha256: string },
): Packaged => ({
  ...content,
  name,
  path: name,
  open: () => createReadStream(path),
});

const textMember = (name: string, text: string): Packaged =>
  shortMember({ name, bytes: Buffer.from(text, 'utf8') });

function shortMember({ name, bytes }: ShortMember): Packaged {
  return {
    name,
    path: name,
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
    open: () => Readable.from([bytes]),
  };
}
