import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BaseSerializerBuffer, getSurt, SerializerInMemBuffer, WARCRecord, WARCSerializer } from 'warcio';
import { withFixedHeader } from '../gzip-header.ts';
import { sha256Of, WARC_NAME } from './layout.ts';
import { statusLine, type WebRecord } from './records.ts';

const WARC_VERSION = 'WARC/1.1';

export interface WarcOptions {
  readonly records: AsyncIterable<WebRecord>;
  /** Names the content: equal content has equal record ids. */
  readonly seed: string;
  readonly software: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly signal: AbortSignal;
}

/** A record as the index lists it. */
interface IndexEntry {
  readonly record: WebRecord;
  readonly digest: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Writes a WARC, a gzip member for each record, and remembers where each of them is. */
export class WarcFile {
  readonly #options: WarcOptions;
  readonly #entries: IndexEntry[] = [];
  #records = 0;
  #at = 0;

  constructor(options: WarcOptions) {
    this.#options = options;
  }

  /** The bytes of the file. Memory: the body of a record that is not in a file of its own. */
  async *bytes(): AsyncGenerator<Uint8Array, void> {
    const { createdAt: date, software, records } = this.#options;
    const info = { software, format: WARC_VERSION, description: DESCRIPTION };
    const opts = {
      filename: WARC_NAME,
      date,
      warcVersion: WARC_VERSION,
      warcHeaders: this.#recordId(),
    } as const;
    yield* this.#write(WARCRecord.createWARCInfo(opts, info), new SerializerInMemBuffer());
    for await (const record of records) {
      const { body } = record;
      const source = 'path' in body ? new FileBody(body.path) : new Body([body]);
      const written = recordOf(record, this.#recordId(), source);
      const offset = this.#at;
      yield* this.#write(written, source);
      const digest = written.warcPayloadDigest ?? '';
      this.#entries.push({ record, digest, offset, sizeBytes: this.#at - offset });
    }
  }

  /** The index as CDXJ, sorted; complete once the bytes were read. */
  index(): string {
    return this.#entries
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
  }

  async *#write(record: WARCRecord, body: BaseSerializerBuffer): AsyncGenerator<Uint8Array, void> {
    const gzip = createGzip();
    const serializer = new WARCSerializer(record, {}, body);
    const piped = pipeline(serializer, gzip, { signal: this.#options.signal });
    // A failure ends the iteration below; the rejection must be handled until it is awaited.
    piped.catch(() => undefined);
    try {
      for await (const chunk of withFixedHeader(gzip)) {
        this.#at += chunk.length;
        yield chunk;
      }
      await piped;
    } finally {
      gzip.destroy();
    }
  }

  /** A UUID of version 8, whose bits are free to choose (RFC 9562, 5.8). */
  #recordId(): Record<string, string> {
    const hex = sha256Of(`${this.#options.seed} ${this.#records++}`);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
    return { 'WARC-Record-ID': `<urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}>` };
  }
}

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

/** Bytes that the serializer reads twice: for the digests in the header, and as the body. */
class Body extends BaseSerializerBuffer {
  readonly #chunks: readonly Uint8Array[];

  constructor(chunks: readonly Uint8Array[]) {
    super();
    this.#chunks = chunks;
  }

  write(): void {
    // What is read comes from here.
  }

  purge(): void {
    // Nothing is kept.
  }

  async *readAll(): AsyncIterable<Uint8Array> {
    for (const chunk of this.#chunks) yield chunk;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.readAll()[Symbol.asyncIterator]();
  }
}

/** A file that is read twice and never held. */
class FileBody extends Body {
  readonly #path: string;

  constructor(path: string) {
    super([]);
    this.#path = path;
  }

  override async *readAll(): AsyncIterable<Uint8Array> {
    for await (const chunk of createReadStream(this.#path)) if (Buffer.isBuffer(chunk)) yield chunk;
  }
}
