import { createHash } from 'node:crypto';
import { parseUrl } from '../../../toolkit/urls.ts';
import { MANIFEST_NAME, type Manifest } from '../manifest.ts';

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
export const MANIFEST_PATH = `${EVIDENCE_FOLDER}${MANIFEST_NAME}`;

/** A file of a WACZ that its data package lists. */
export interface PackagedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** What identifies the page: fields of a clean manifest. */
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
