import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createInterface } from 'node:readline';
import { STATUS_CODES } from 'node:http';
import { BaseSerializerBuffer, getSurt, SerializerInMemBuffer, WARCRecord, WARCSerializer } from 'warcio';
import { z } from 'zod';
import type { CleanManifest } from './manifest.ts';
import { spool } from './capture.ts';
import { isTextType } from '../../../shared/mime.ts';
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
  targetUri,
  packZip,
  type ZipMember,
} from './wacz.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** A member that is held in memory. */
export interface ShortMember {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The manifest and its attachments, made when all else is packed. */
export type LastMembers = (signal: AbortSignal) => AsyncIterable<ShortMember> | Iterable<ShortMember>;

/** A record of the WARC. */
interface WebRecord {
  readonly type: 'response' | 'resource';
  readonly url: string;
  /** ISO 8601. */
  readonly date: string;
  readonly contentType: string;
  readonly http: { readonly status: number; readonly headers: readonly (readonly [string, string])[] } | null;
  /** A file, or the bytes. */
  readonly body: { readonly path: string } | Uint8Array;
}

/** `urn:` names are those of Browsertrix. */
const VIEWS: Readonly<Record<string, { readonly urn: string; readonly type: string }>> = {
  screenshot: { urn: 'urn:view:', type: 'image/png' },
  full_page: { urn: 'urn:fullPage:', type: 'image/png' },
  markdown: { urn: 'urn:text:', type: 'text/markdown; charset=utf-8' },
};

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * The records of a bundle whose redacted parts are in a folder: the page's HTML under its address, its text
 * and pictures, and the answers in its HAR. If the HTML exists, the HAR's answer for the page is left out: a
 * replay shows only one of them, and it must be the captured one. Memory: one answer.
 */
async function* recordsOf({ url, parts }: CleanManifest, folder: string): AsyncGenerator<WebRecord, void> {
  const target = targetUri(url);
  const hasPage = parts.some(({ part }) => part === 'html');
  for (const { part, name, captured_at: date } of parts) {
    const body = { path: join(folder, name) };
    const view = VIEWS[part];
    if (part === 'html') {
      const headers = [['Content-Type', HTML_TYPE]] as const;
      yield {
        type: 'response',
        url: target,
        date,
        contentType: HTML_TYPE,
        http: { status: 200, headers },
        body,
      };
    } else if (view !== undefined)
      yield { type: 'resource', url: view.urn + target, date, contentType: view.type, http: null, body };
    else if (part === 'network')
      for await (const answer of answersIn(body.path)) if (!hasPage || answer.url !== target) yield answer;
  }
}

const Answer = z.object({
  startedDateTime: z.iso.datetime({ offset: true }),
  request: z.object({ method: z.literal('GET'), url: z.url({ protocol: /^https?$/ }) }),
  response: z.object({
    status: z.int().min(200).max(599),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    content: z.object({
      mimeType: z.string().optional(),
      text: z.string().optional(),
      encoding: z.string().optional(),
    }),
  }),
});

const isBodyless = (status: number): boolean => status === 204 || (status >= 300 && status < 400);
/** They describe how a body was sent; here it is decoded. */
const OF_TRANSFER = new Set(['content-encoding', 'content-length', 'content-type', 'transfer-encoding']);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/;

/** The answers to GET in a HAR document with one entry per line. Those without a body are left out. */
async function* answersIn(path: string): AsyncGenerator<WebRecord, void> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // The first and the last line of the document fit no entry.
    const entry = parseAs(Answer, line.replace(/,$/, ''));
    if (entry === null) continue;
    const { request, response, startedDateTime: date } = entry;
    const { text, encoding, mimeType = '' } = response.content;
    if (text === undefined && !isBodyless(response.status)) continue;
    const contentType = typeOf(response.headers, mimeType, encoding === 'base64');
    const headers = response.headers
      .filter(({ name, value }) => HEADER_NAME.test(name) && !/[\r\n\0]/.test(value))
      .filter(({ name }) => !OF_TRANSFER.has(name.toLowerCase()))
      .map(({ name, value }) => [name, value] as const);
    yield {
      type: 'response',
      url: targetUri(request.url),
      date: new Date(date).toISOString(),
      contentType,
      http: { status: response.status, headers: [...headers, ['Content-Type', contentType]] },
      body: Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8'),
    };
  }
}

/** Text was decoded when it was captured, and has been UTF-8 since. */
function typeOf(
  headers: readonly { name: string; value: string }[],
  mimeType: string,
  isBinary: boolean,
): string {
  const sent = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? mimeType;
  const type = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.exec(sent)?.[0] ?? 'application/octet-stream';
  return !isBinary && isTextType(type) ? `${type}; charset=utf-8` : type;
}

/** `HTTP/1.1 200 OK` */
const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`;

const WARC_VERSION = 'WARC/1.1';

interface WarcOptions {
  readonly records: AsyncIterable<WebRecord>;
  /** Identifies the content: equal content has equal record ids. */
  readonly seed: string;
  readonly software: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly signal: AbortSignal;
  /** Called with each record once it was written. */
  readonly onRecord: (entry: IndexEntry) => void;
}

/** A record as the index lists it. */
interface IndexEntry {
  readonly record: WebRecord;
  readonly digest: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/**
 * The bytes of a WARC, with a gzip member for each record. Memory: the body of a record that is not in its
 * own file.
 */
async function* warcBytes(options: WarcOptions): AsyncGenerator<Uint8Array, void> {
  const { createdAt: date, software, records, seed, signal, onRecord } = options;
  const info = { software, format: WARC_VERSION, description: DESCRIPTION };
  const warcHeaders = recordId(seed, 0);
  const opts = { filename: WARC_NAME, date, warcVersion: WARC_VERSION, warcHeaders } as const;
  const opening = WARCRecord.createWARCInfo(opts, info);
  let [offset, count] = [0, 0];
  for await (const chunk of gzipped(opening, new SerializerInMemBuffer(), signal)) {
    offset += chunk.length;
    yield chunk;
  }
  for await (const record of records) {
    count += 1;
    const body = new Body(record.body);
    const written = recordOf(record, recordId(seed, count), body);
    let sizeBytes = 0;
    for await (const chunk of gzipped(written, body, signal)) {
      sizeBytes += chunk.length;
      yield chunk;
    }
    onRecord({ record, digest: written.warcPayloadDigest ?? '', offset, sizeBytes });
    offset += sizeBytes;
  }
}

/** A record, compressed by itself. */
async function* gzipped(
  record: WARCRecord,
  body: BaseSerializerBuffer,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const gzip = createGzip();
  const piped = pipeline(new WARCSerializer(record, {}, body), gzip, { signal });
  // A failure ends the loop below, but the rejection must be handled until it is awaited.
  piped.catch(() => undefined);
  try {
    yield* withFixedHeader(gzip);
    await piped;
  } finally {
    gzip.destroy();
  }
}

/** A gzip header without time, name, flags and system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** zlib names the operating system in the header: an archive does not depend on it. */
async function* withFixedHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
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

/** A UUID of version 8, whose bits are free to choose (RFC 9562, 5.8). */
function recordId(seed: string, count: number): Record<string, string> {
  const hex = sha256Of(`${seed} ${count}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return { 'WARC-Record-ID': `<urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}>` };
}

/** The index as CDXJ, sorted. */
const indexText = (entries: readonly IndexEntry[]): string =>
  entries
    .map(({ record: { url, date, contentType, http }, digest, offset, sizeBytes }) => {
      const entry = {
        url,
        mime: contentType.replace(/;.*/s, ''),
        status: String(http?.status ?? 200),
        digest,
        length: String(sizeBytes),
        offset: String(offset),
        filename: WARC_NAME,
      };
      return `${getSurt(url)} ${date.replaceAll(/\D/g, '').slice(0, 14)} ${JSON.stringify(entry)}\n`;
    })
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .join('');

const DESCRIPTION =
  'Evidence of one page. The page is as it was captured from the browser: redacted, without scripts.';

function recordOf(
  { type, url, date, contentType, http }: WebRecord,
  recordId: Record<string, string>,
  source: AsyncIterable<Uint8Array>,
): WARCRecord {
  const warcHeaders = http === null ? { ...recordId, 'Content-Type': contentType } : recordId;
  const headers = http?.headers.map(([name, value]): [string, string] => [name, value]) ?? [];
  const opts = { url, date, type, warcVersion: WARC_VERSION, warcHeaders } as const;
  if (http === null) return WARCRecord.create(opts, source);
  return WARCRecord.create({ ...opts, httpHeaders: headers, statusline: statusLine(http.status) }, source);
}

/** Bytes, or a file that is never loaded whole. */
class Body extends BaseSerializerBuffer {
  constructor(private readonly source: WebRecord['body']) {
    super();
  }

  write(): void {
    // The records are the source.
  }

  purge(): void {
    // Nothing is kept.
  }

  async *readAll(): AsyncIterable<Uint8Array> {
    if (!('path' in this.source)) yield this.source;
    else
      for await (const chunk of createReadStream(this.source.path)) if (Buffer.isBuffer(chunk)) yield chunk;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.readAll()[Symbol.asyncIterator]();
  }
}

export interface WaczOptions {
  readonly manifest: CleanManifest;
  readonly last: LastMembers;
  /** Has the parts under their names; the WARC is written to it too. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with the SHA-256 of the whole archive, in lower-case hexadecimal, with its last bytes. */
  readonly onSha256: (sha256: string) => void;
}

/**
 * The bytes of a WACZ: the WARC with its index and page list, the parts as files, and the data package over
 * all. Equal parts give equal bytes with the same version of zlib.
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
  const entries: IndexEntry[] = [];
  const warc = warcBytes({
    records: recordsOf(manifest, folder),
    seed: manifest.parts_sha256,
    software: `Spillway ${manifest.versions.server}`,
    createdAt: manifest.created_at,
    signal,
    onRecord: (entry) => entries.push(entry),
  });
  const path = join(folder, WARC_NAME);
  const spooled = await spool(warc, { path, maxBytes: Number.MAX_SAFE_INTEGER, signal });
  const files: Packaged[] = [
    fileMember(WARC_PATH, path, spooled),
    textMember(INDEX_PATH, indexText(entries)),
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
): Packaged => ({ ...content, name, path: name, open: () => createReadStream(path) });

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
