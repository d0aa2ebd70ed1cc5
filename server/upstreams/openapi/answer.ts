import { each } from '../../../shared/base/queue.ts';
import { waitAtMost } from '../../../shared/base/async.ts';
import { charsetOf, MIME } from '../../../shared/base/mime.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { cut } from '../../../shared/base/cut.ts';
import type { Outcome, Produced, RawPayload } from '../../core/result.ts';
import { decodeAs } from '../../core/charsets.ts';
import { decodeText, fileTypeOf, readStart } from '../../core/file-stream.ts';
import { plainText } from '../answers.ts';
import { type ApiRequest, connectionError, isRepeatable, lateAnswer } from './security.ts';
import { isJsonList, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';

/** Shorter JSON is parsed; longer JSON is streamed as text. */
const WHOLE_JSON_BYTES = 64 * 1024 * 1024;
const FAILURE_BYTES = 16 * 1024;
const FAILURE_UNITS = 1_400;
const HEADER_UNITS = 400;
/** Headers that help with the next step. */
const TELLING = (
  'location link retry-after etag last-modified x-request-id x-total-count ' +
  'ratelimit-remaining ratelimit-reset x-ratelimit-remaining x-ratelimit-reset ' +
  'www-authenticate deprecation sunset'
).split(' ');
const NOTED = ['location', 'link', 'retry-after', 'deprecation', 'sunset'];

interface SentRequest extends ApiRequest {
  /** `GET /pets/{petId}`: messages name no argument. */
  readonly what: string;
  /** Ends the reading of the body. */
  readonly signal: AbortSignal;
  /** Longest pause within a body. */
  readonly idleMs: number;
  /** A longer stream of events is cut there: many never end. */
  readonly streamMs: number;
}

/**
 * A service's answer as a payload, read as it is consumed.
 * @throws SpillwayError `upstream_http_error` with the status and the beginning of the body
 */
export async function produceAnswer(response: Response, asked: SentRequest): Promise<Produced> {
  if (response.status >= 400) throw await failureOf(response, asked);
  const contentType = response.headers.get('content-type') ?? '';
  const body = bodyOf(response, asked, STREAM.test(contentType) ? asked.streamMs : Infinity);
  const isJson = /^\s*[^;]*[/+]json\b/i.test(contentType);
  const head = await readHead(body.chunks, isJson ? WHOLE_JSON_BYTES : 1);
  const state = factsOf(response, asked);
  const produced = (payload: RawPayload, notes: readonly string[] = []): Produced => {
    const known = [...notesOf(response, asked), ...notes];
    const outcome = (): Outcome => ({ state, coverage: body.isCut() ? [...known, CUT] : known });
    return { payload, outcome, untrustedFrom: () => asked.url.origin };
  };
  if (head.bytes.length === 0 && head.isWhole)
    return produced({ kind: 'json', mimeType: MIME.json, value: { ...state, body: null } });
  if (isJson && head.isWhole) {
    const text = asked.credentials.without(decodeAs(head.bytes, charsetOf(head.bytes, contentType)));
    const value = jsonOf(text);
    if (value === undefined)
      return produced({ kind: 'text', mimeType: MIME.text, chunks: each([text]) }, [NOT_JSON]);
    if (isJsonList(value)) return produced({ kind: 'items', mimeType: MIME.json, items: each(value) });
    return produced({ kind: 'json', mimeType: MIME.json, value });
  }
  const type = fileTypeOf(contentType, head.bytes);
  const all = prependHead(head.bytes, body.chunks);
  if (!isJson && type.kind !== 'text')
    return produced({ kind: 'bytes', mimeType: type.mimeType, chunks: all }, ['Its bytes are not redacted.']);
  const chunks = decodeText(all, type.charset);
  return produced({ kind: 'text', mimeType: isJson ? MIME.json : type.mimeType, chunks });
}

async function* prependHead(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* rest;
  } finally {
    // A reader may have had enough.
    await rest.return();
  }
}

const STREAM = /^\s*text\/event-stream\b/i;
const CUT = 'The stream of events had not ended when the time of the call was over: this is its beginning.';
const NOT_JSON = 'The service calls the body JSON, and it is not. It is given as text.';

/** Reads until there are more than a number of bytes, or no more. The rest stays to be read. */
async function readHead(
  chunks: AsyncIterator<Uint8Array, unknown>,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const head: Uint8Array[] = [];
  for (let sizeBytes = 0; sizeBytes <= maxBytes;) {
    const { value: chunk } = await chunks.next();
    if (!(chunk instanceof Uint8Array)) return { bytes: Buffer.concat(head), isWhole: true };
    head.push(chunk);
    sizeBytes += chunk.byteLength;
  }
  return { bytes: Buffer.concat(head), isWhole: false };
}

/** The body of an answer, as it arrives. @param maxMs later parts are left out */
function bodyOf({ body }: Response, asked: SentRequest, maxMs = Infinity) {
  const { url, signal } = asked;
  const until = performance.now() + maxMs;
  let isCut = false;
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    const source = body?.[Symbol.asyncIterator]();
    try {
      for (;;) {
        const leftMs = until - performance.now();
        const idleMs = Math.min(asked.idleMs, leftMs);
        const next: IteratorResult<unknown> | undefined =
          idleMs > 0 ? await waitAtMost(source?.next() ?? OVER, idleMs, signal) : undefined;
        if (next === undefined && leftMs > asked.idleMs)
          throw lateAnswer(asked.method, `${url.host} sent nothing more of its answer for ${idleMs} ms.`);
        isCut = next === undefined;
        if (next === undefined || next.done === true) return;
        if (next.value instanceof Uint8Array) yield next.value;
      }
    } catch (thrown) {
      throw codeError(signal.aborted ? signal.reason : thrown, asked);
    } finally {
      // A pending read would be waited for.
      source?.return?.().catch(() => undefined);
    }
  }
  return { chunks: chunks(), isCut: () => isCut };
}

const codeError = (reason: unknown, asked: SentRequest): SpillwayError =>
  reason instanceof SpillwayError ? reason : connectionError(reason, asked, true);

const OVER = Promise.resolve({ done: true, value: undefined } as const);

/** The named headers of an answer, each cut: links repeat a credential of the query. */
const headersOf = ({ headers }: Response, names: readonly string[], { credentials }: SentRequest) =>
  names.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, cut(credentials.clean(value), HEADER_UNITS)] as const];
  });

function factsOf(response: Response, asked: SentRequest): JsonObject {
  const known = headersOf(response, TELLING, asked);
  return { status: response.status, ...(known.length === 0 ? {} : { headers: Object.fromEntries(known) }) };
}

const notesOf = (response: Response, asked: SentRequest): readonly string[] => [
  ...(response.status === 200 ? [] : [`HTTP ${response.status}.`]),
  ...headersOf(response, NOTED, asked).map(([name, value]) => `${name}: ${value}`),
];

async function failureOf(response: Response, asked: SentRequest): Promise<SpillwayError> {
  const { status, statusText } = response;
  const body = asked.credentials.clean(plainText(await startOf(response, asked)));
  const facts = factsOf(response, asked);
  const reason = body.trim() === '' ? 'It gave no reason.' : `It says: ${cut(body.trim(), FAILURE_UNITS)}`;
  const waits = response.headers.get('retry-after');
  const message = `${asked.what} was answered with HTTP ${[status, cut(asked.credentials.clean(statusText), 60)].join(' ').trim()}. ${waits === null ? '' : `retry-after: ${cut(waits, 60)}. `}${reason}`;
  const details = { ...facts, body: body.trim() === '' ? null : (jsonOf(body) ?? body) };
  return new SpillwayError('upstream_http_error', message, {
    hint: hintOf(status, waits),
    retryable: status === 429 || status === 503 || (status >= 500 && isRepeatable(asked.method)),
    body: details,
    state: details,
  });
}

/** The beginning of a failure's body, as far as it can be read. */
async function startOf(response: Response, asked: SentRequest): Promise<string> {
  try {
    const { bytes } = await readStart(bodyOf(response, asked).chunks, FAILURE_BYTES);
    return decodeAs(bytes, charsetOf(bytes, response.headers.get('content-type')));
  } catch {
    asked.signal.throwIfAborted();
    return '';
  }
}

function hintOf(status: number, waits: string | null): string | undefined {
  if (status === 401 || status === 403)
    return 'The person who configured this upstream checks its credentials and what they allow.';
  if (status === 429 || waits !== null) return 'Wait as long as retry-after says, then call again.';
  return undefined;
}

const LARGE = /\d{16}/;
const INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Undefined for a text that is not JSON. An integer beyond 2^53 becomes text: as a number it would lose digits, and
 * an id would refer to something else.
 */
function jsonOf(written: string): JsonValue | undefined {
  const text = written.replace(/^\uFEFF/, '');
  return jsonIn(LARGE.test(text) ? withLargeQuoted(text) : text);
}

function withLargeQuoted(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replaceAll(INTEGER, quoteInteger));
    at = endOfText(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join('');
}

const quoteInteger = (integer: string): string =>
  Number.isSafeInteger(Number(integer)) ? integer : `"${integer}"`;

function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}
