import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { isTextType } from '../../../../shared/mime.ts';
import type { CleanManifest } from '../compose.ts';
import { targetUri } from './layout.ts';

/** A record of the WARC. */
export interface WebRecord {
  readonly type: 'response' | 'resource';
  readonly url: string;
  /** ISO 8601. */
  readonly date: string;
  readonly contentType: string;
  /** Of a response. */
  readonly http: { readonly status: number; readonly headers: readonly (readonly [string, string])[] } | null;
  /** A file, or the bytes. */
  readonly body: { readonly path: string } | Uint8Array;
}

/** What a part becomes in addition to its file: `urn:` names are those of Browsertrix. */
const VIEWS: Readonly<Record<string, { readonly urn: string; readonly type: string }>> = {
  screenshot: { urn: 'urn:view:', type: 'image/png' },
  full_page: { urn: 'urn:fullPage:', type: 'image/png' },
  markdown: { urn: 'urn:text:', type: 'text/markdown; charset=utf-8' },
};

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * The records of a bundle whose parts lie in a folder, redacted: the page's HTML under its address, its
 * text and pictures, and the answers in its HAR. Where the HTML is there, the page's own answer is left to the
 * HAR: a replay shows one of them, and has to show what was captured. Memory: one answer.
 */
export async function* recordsOf(
  { url, parts }: CleanManifest,
  folder: string,
): AsyncGenerator<WebRecord, void> {
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

/** These have no body. */
const isBodyless = (status: number): boolean => status === 204 || (status >= 300 && status < 400);
/** They say how a body was sent; here it is as it was read. */
const OF_TRANSFER = new Set(['content-encoding', 'content-length', 'content-type', 'transfer-encoding']);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/;

/** The answers to GET in a HAR document, of which each line holds one entry. Those without a body are left out. */
async function* answersIn(path: string): AsyncGenerator<WebRecord, void> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const { data: entry } = Answer.safeParse(parse(line.replace(/,$/, '')));
    if (entry === undefined) continue;
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

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The first and the last line of the document.
    return undefined;
  }
}

/** Text was decoded when it was captured, and is UTF-8 since. */
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
export const statusLine = (status: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
