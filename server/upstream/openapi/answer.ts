import { abortable } from '../../../shared/async/wait.ts';
import { decodeBody, MIME } from '../../../shared/mime.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { cut } from '../../../shared/cut.ts';
import { isJsonList, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Outcome, Produced, RawPayload } from '../../core/result.ts';
import { decodeText, fileTypeOf } from '../../toolkit/file-stream.ts';
import { plainText } from '../cleaner.ts';
import { parseExact, readList, readStart } from './items.ts';
import { withoutCredentials, type Credentials } from './security.ts';
import { connectionError, isRepeatable } from './send.ts';

/** JSON that is shorter is parsed whole; what is longer goes through as it comes. */
const WHOLE_JSON_BYTES = 1024 * 1024;
const FAILURE_BYTES = 16 * 1024;
const FAILURE_UNITS = 1_400;
const HEADER_UNITS = 400;
/** Headers that say what to do next. */
const TELLING = [
  'location',
  'link',
  'retry-after',
  'etag',
  'last-modified',
  'x-request-id',
  'x-total-count',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'www-authenticate',
  'deprecation',
  'sunset',
];
const NOTED = ['location', 'link', 'retry-after', 'deprecation', 'sunset'];

/** What an answer belongs to. */
export interface Asked {
  /** `GET /pets/{petId}`: messages name no argument. */
  readonly what: string;
  readonly method: string;
  readonly url: URL;
  readonly credentials: Credentials;
  /** Ends the reading of the body. */
  readonly signal: AbortSignal;
  /** Longest pause within a body. */
  readonly idleMs: number;
  /** A stream of events that is longer ends there: many have no end. */
  readonly streamMs: number;
}

/**
 * The answer of a service as a payload, read as it is consumed.
 *
 * @throws SpillwayError `upstream_http_error` with the status and the beginning of the body
 */
export async function produceAnswer(response: Response, asked: Asked): Promise<Produced> {
  if (response.status >= 400) throw await failureOf(response, asked);
  const contentType = response.headers.get('content-type') ?? '';
  const body = new AnswerBody(response, asked, STREAM.test(contentType) ? asked.streamMs : Infinity);
  const isJson = /^\s*[^;]*[/+]json\b/i.test(contentType);
  const head = await body.readHead(isJson ? WHOLE_JSON_BYTES : 1);
  const facts = factsOf(response);
  const produced = (payload: RawPayload, notes: readonly string[] = []): Produced => {
    const done = body.outcome({ state: facts, coverage: [...notesOf(response), ...notes] });
    // Who consumes the payload meets the same error there.
    done.catch(() => undefined);
    return { payload, done, untrustedFrom: () => asked.url.origin };
  };
  if (head.bytes.length === 0 && head.isWhole)
    return produced({ kind: 'json', mimeType: MIME.json, value: { ...facts, body: null } });
  if (isJson && head.isWhole) {
    const text = withoutCredentials(decodeBody(head.bytes, contentType), asked.credentials);
    const value = jsonOf(text);
    return value === undefined
      ? produced({ kind: 'text', mimeType: MIME.text, chunks: one(text) }, [NOT_JSON])
      : produced(jsonPayload(value));
  }
  const type = fileTypeOf(contentType, head.bytes);
  if (isJson || type.kind === 'text') {
    const chunks = decodeText(body.all(), type.charset);
    if (isJson && /^\s*\[/.test(decodeBody(head.bytes.subarray(0, 64), contentType)))
      return produced({ kind: 'items', mimeType: MIME.json, items: readList(chunks) });
    return produced({ kind: 'text', mimeType: isJson ? MIME.json : type.mimeType, chunks });
  }
  return produced({ kind: 'bytes', mimeType: type.mimeType, chunks: body.all() }, [
    'Its bytes are not redacted.',
  ]);
}

const jsonPayload = (value: JsonValue): RawPayload =>
  isJsonList(value)
    ? { kind: 'items', mimeType: MIME.json, items: one(...value) }
    : { kind: 'json', mimeType: MIME.json, value };

const STREAM = /^\s*text\/event-stream\b/i;
const CUT = 'The stream of events had not ended when the time of the call was over: this is its beginning.';
const NOT_JSON = 'The service calls the body JSON, and it is not. It is given as text.';

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseExact(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

async function* one<T>(...values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** The body of an answer: its beginning read at once, the rest when it is consumed, once. */
class AnswerBody {
  readonly #asked: Asked;
  readonly #chunks: AsyncIterator<unknown> | null;
  readonly #head: Uint8Array[] = [];
  readonly #until: number;
  #isEnded = false;
  #isCut = false;
  #isFailed: SpillwayError | undefined;
  #settle: (() => void) | undefined;

  /** @param mostMs what comes later is left out */
  constructor({ body }: Response, asked: Asked, mostMs = Infinity) {
    this.#asked = asked;
    this.#until = performance.now() + mostMs;
    this.#chunks = body === null ? null : body[Symbol.asyncIterator]();
  }

  /** Reads until there are more bytes than so many, or no more. */
  async readHead(mostBytes: number): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
    for (let sizeBytes = 0; sizeBytes <= mostBytes;) {
      const chunk = await this.#next();
      if (chunk === null) break;
      this.#head.push(chunk);
      sizeBytes += chunk.byteLength;
    }
    return { bytes: Buffer.concat(this.#head), isWhole: this.#isEnded };
  }

  async *all(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk = this.#head.shift(); chunk !== undefined; chunk = this.#head.shift()) yield chunk;
      for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) yield chunk;
    } finally {
      this.#settle?.();
      if (!this.#isEnded) await this.#chunks?.return?.().catch(() => undefined);
    }
  }

  /** What is known once the body was consumed; at once for one that is read already. */
  async outcome(known: Outcome): Promise<Outcome> {
    if (!this.#isEnded)
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
      });
    if (this.#isFailed !== undefined) throw this.#isFailed;
    if (!this.#isCut) return known;
    return { ...known, coverage: [...known.coverage, CUT] };
  }

  async #next(): Promise<Uint8Array | null> {
    this.#isCut ||= !this.#isEnded && performance.now() >= this.#until;
    if (this.#isEnded || this.#isCut || this.#chunks === null) {
      this.#isEnded = true;
      return null;
    }
    try {
      const next: IteratorResult<unknown> = await this.#withinIdle(this.#chunks.next());
      if (next.done !== true && next.value instanceof Uint8Array) return next.value;
      this.#isEnded = true;
      return null;
    } catch (thrown) {
      this.#isEnded = true;
      if (this.#isCut && !this.#asked.signal.aborted) return null;
      this.#isFailed = this.#coded(thrown);
      throw this.#isFailed;
    }
  }

  async #withinIdle<T>(work: Promise<T>): Promise<T> {
    const { url, signal } = this.#asked;
    const leftMs = this.#until - performance.now();
    const idleMs = Math.min(this.#asked.idleMs, leftMs);
    const late = new AbortController();
    const timer = setTimeout(() => {
      this.#isCut = idleMs === leftMs;
      late.abort(
        new SpillwayError('timeout', `${url.host} sent nothing more of its answer for ${idleMs} ms.`),
      );
    }, idleMs);
    try {
      return await abortable(abortable(work, late.signal), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #coded(thrown: unknown): SpillwayError {
    const { signal, method, url, credentials } = this.#asked;
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (reason instanceof SpillwayError) return reason;
    return connectionError(reason, { method, host: url.host, credentials });
  }
}

const factsOf = ({ status, headers }: Response): JsonObject => {
  const known = TELLING.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, cut(value, HEADER_UNITS)] as const];
  });
  return { status, ...(known.length === 0 ? {} : { headers: Object.fromEntries(known) }) };
};

function notesOf({ status, headers }: Response): readonly string[] {
  const known = NOTED.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${cut(value, HEADER_UNITS)}`];
  });
  return [...(status === 200 ? [] : [`HTTP ${status}.`]), ...known];
}

async function failureOf(response: Response, asked: Asked): Promise<SpillwayError> {
  const { status, statusText } = response;
  const body = withoutCredentials(plainText(await startOf(response, asked)), asked.credentials);
  const facts = factsOf(response);
  const reason = body.trim() === '' ? 'It gave no reason.' : `It says: ${cut(body.trim(), FAILURE_UNITS)}`;
  const waits = response.headers.get('retry-after');
  const message = `${asked.what} was answered with HTTP ${[status, cut(statusText, 60)].join(' ').trim()}. ${waits === null ? '' : `retry-after: ${cut(waits, 60)}. `}${reason}`;
  const details = { ...facts, body: body.trim() === '' ? null : (jsonOf(body) ?? body) };
  return new SpillwayError('upstream_http_error', message, {
    hint: hintOf(status, waits),
    retryable: status === 429 || status === 503 || (status >= 500 && isRepeatable(asked.method)),
    body: details,
    state: details,
  });
}

/** The beginning of the body of a failure; what cannot be read of it is left out. */
async function startOf(response: Response, asked: Asked): Promise<string> {
  const body = new AnswerBody(response, asked);
  try {
    const { bytes } = await readStart(body.all(), FAILURE_BYTES);
    return decodeBody(bytes, response.headers.get('content-type'));
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
