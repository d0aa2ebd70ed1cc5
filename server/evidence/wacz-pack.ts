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
import { isTextType } from '../../shared/base/mime.ts';
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
  softwareOf,
  WARC_NAME,
  WARC_PATH,
  type PackagedFile,
  targetUri,
  packZip,
  type ZipMember,
} from '../libraries/evidence-format/wacz.ts';
import { parseAs } from '../../shared/base/json-schema.ts';

/** A member that is held in memory. */
export interface ShortMember {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A record of the WARC. */
interface WebRecord {
  readonly type: 'response' | 'resource';
  readonly url: string;
  /** ISO 8601. */
  readonly date: string;
  readonly contentType: string;
  readonly http: { readonly status: number; readonly headers: [string, string][] } | null;
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
      yield {
        type: 'response',
        url: target,
        date,
        contentType: HTML_TYPE,
        http: { status: 200, headers: [['Content-Type', HTML_TYPE]] },
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
      .map(({ name, value }): [string, string] => [name, value]);
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

const WARC_VERSION = 'WARC/1.1';
const DESCRIPTION =
  'Evidence of one page. The page is as it was captured from the browser: redacted, without scripts.';

/**
 * The bytes of a WARC, with a gzip member for each record. Adds a line to the index for each. Memory: the body of a
 * record that is not in its own file.
 */
async function* warcBytes(
  { manifest, folder, signal }: WaczOptions,
  index: string[],
): AsyncGenerator<Buffer> {
  const info = { software: softwareOf(manifest), format: WARC_VERSION, description: DESCRIPTION };
  const opening = WARCRecord.createWARCInfo(
    {
      filename: WARC_NAME,
      date: manifest.created_at,
      warcVersion: WARC_VERSION,
      warcHeaders: recordId(manifest, 0),
    },
    info,
  );
  let offset = 0;
  let count = 0;
  for await (const chunk of compressRecord(opening, new SerializerInMemBuffer(), signal)) {
    offset += chunk.length;
    yield chunk;
  }
  for await (const record of recordsOf(manifest, folder)) {
    count += 1;
    const body = new Body(record.body);
    const written = recordOf(record, recordId(manifest, count), body);
    let sizeBytes = 0;
    for await (const chunk of compressRecord(written, body, signal)) {
      sizeBytes += chunk.length;
      yield chunk;
    }
    index.push(indexLine(record, { digest: written.warcPayloadDigest ?? '', offset, sizeBytes }));
    offset += sizeBytes;
  }
}

/** A record, compressed by itself. */
async function* compressRecord(
  record: WARCRecord,
  body: BaseSerializerBuffer,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const gzip = createGzip();
  const piped = pipeline(new WARCSerializer(record, {}, body), gzip, { signal });
  // A failure ends the loop below, but the rejection must be handled until it is awaited.
  piped.catch(() => undefined);
  try {
    for await (const chunk of gzip) if (Buffer.isBuffer(chunk)) yield chunk;
    await piped;
  } finally {
    gzip.destroy();
  }
}

/** A UUID of version 8, whose bits are free to choose (RFC 9562, 5.8). Equal content has equal ids. */
function recordId({ parts_sha256: seed }: CleanManifest, count: number): Record<string, string> {
  const hex = sha256Of(`${seed} ${count}`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return { 'WARC-Record-ID': `<urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}>` };
}

/** A record as the index lists it, in CDXJ. */
function indexLine(
  { url, date, contentType, http }: WebRecord,
  { digest, offset, sizeBytes }: { digest: string; offset: number; sizeBytes: number },
): string {
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
}

function recordOf(
  { type, url, date, contentType, http }: WebRecord,
  recordId: Record<string, string>,
  source: AsyncIterable<Uint8Array>,
): WARCRecord {
  const opts = { url, date, type, warcVersion: WARC_VERSION } as const;
  if (http === null)
    return WARCRecord.create({ ...opts, warcHeaders: { ...recordId, 'Content-Type': contentType } }, source);
  const statusline = `HTTP/1.1 ${http.status} ${STATUS_CODES[http.status] ?? 'Unknown'}`;
  return WARCRecord.create({ ...opts, warcHeaders: recordId, httpHeaders: http.headers, statusline }, source);
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

  async *readAll(): AsyncGenerator<Uint8Array> {
    if (!('path' in this.source)) yield this.source;
    else
      for await (const chunk of createReadStream(this.source.path)) if (Buffer.isBuffer(chunk)) yield chunk;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.readAll();
  }
}

interface WaczOptions {
  readonly manifest: CleanManifest;
  /** The manifest and its attachments, made when all else is packed. */
  readonly last: () => AsyncIterable<ShortMember> | Iterable<ShortMember>;
  /** Has the parts under their names; the WARC is written to it too. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * The bytes of a WACZ: the WARC with its index and page list, the parts as files, and the data package over
 * all. Equal parts give equal bytes on the same platform.
 */
export async function* packWacz(options: WaczOptions): AsyncGenerator<Uint8Array, void> {
  yield* packZip(await membersOf(options), options.signal);
}

async function membersOf(options: WaczOptions): Promise<ZipMember[]> {
  const { manifest, last, folder, signal } = options;
  const index: string[] = [];
  const path = join(folder, WARC_NAME);
  const warc = await spool(warcBytes(options, index), { path, maxBytes: Infinity, signal });
  const files = [
    fileMember(WARC_PATH, path, warc),
    shortMember(INDEX_PATH, Buffer.from(index.toSorted().join(''))),
    shortMember(PAGES_PATH, Buffer.from(pagesText(manifest))),
    ...manifest.parts.map(({ name, size_bytes: sizeBytes, sha256 }) =>
      fileMember(EVIDENCE_FOLDER + name, join(folder, name), { sizeBytes, sha256 }),
    ),
  ];
  for await (const { name, bytes } of last()) files.push(shortMember(EVIDENCE_FOLDER + name, bytes));
  const dataPackage = Buffer.from(dataPackageText(manifest, files));
  return [
    ...files,
    shortMember(PACKAGE_PATH, dataPackage),
    shortMember(DIGEST_PATH, Buffer.from(digestText(dataPackage))),
  ];
}

type Packaged = PackagedFile & ZipMember;

const fileMember = (
  name: string,
  path: string,
  content: { sizeBytes: number; sha256: string },
): Packaged => ({ ...content, name, open: () => createReadStream(path) });

const shortMember = (name: string, bytes: Buffer): Packaged => ({
  name,
  sizeBytes: bytes.length,
  sha256: sha256Of(bytes),
  open: () => Readable.from([bytes]),
});
