import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { abortable, anySignal, deadlineSignal, withTimeout } from '../../../shared/base/async.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { JsonRecord, parseJson } from '../../../shared/base/json-schema.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';
import { Listeners } from '../../../shared/base/queue.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/result.ts';
import { isWithin } from '../../core/machine/files.ts';
import { readStart } from '../../core/file-stream.ts';
import type { UpstreamSource, UpstreamStatus, UpstreamTool } from '../answers.ts';
import { produceAnswer } from './answer.ts';
import { listOperations } from './bindings.ts';
import { buildRequest } from './request.ts';
import {
  checkPlace,
  connectionError,
  lateAnswer,
  plainGet,
  securityOf,
  send,
  serverOf,
  readServer,
} from './security.ts';
import { buildTool, type ApiTool } from './tool.ts';

/** A service and its document. */
export interface OpenApiOptions extends DocumentPlace {
  readonly id: string;
  /** Where requests go; default: the first server of the document. */
  readonly baseUrl?: string | undefined;
  /**
   * Final values, by the name of a header, of a security scheme's query parameter or cookie, or of the scheme
   * itself. No message and no log line contains them.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Removes the secrets of the entry from a text of the service that a failure or a note quotes. */
  readonly redactOwn?: (text: string) => string;
}

export interface OpenApiParts {
  /** Limit until the headers of an answer. */
  readonly answerMs?: number;
  /** Limit between two parts of a body, if it is longer than the other. */
  readonly idleMs?: number;
  /** Delay before an unreadable document is requested again; doubled each time, up to five minutes. */
  readonly retryMs?: number;
}

const ANSWER_MS = 120_000;
const IDLE_MS = 60_000;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 300_000;
/** Tools that are made before other work gets its turn. */
const TURN = 25;

/** The tools of the service that an OpenAPI document describes: one for each operation. */
export class OpenApiSource implements UpstreamSource {
  readonly #closed = new AbortController();
  readonly changes = new Listeners<void>();
  status: UpstreamStatus = { state: 'starting', problem: null };
  #ready: Awaited<ReturnType<typeof makeReady>> | null = null;
  #loading: Promise<void>;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: OpenApiOptions,
    private readonly parts: OpenApiParts = {},
  ) {
    this.#loading = this.#load(parts.retryMs ?? RETRY_MS);
  }

  get tools(): readonly UpstreamTool[] {
    return this.#ready?.tools ?? [];
  }

  async call(rawName: string, args: JsonObject, context: CallContext): Promise<Produced> {
    await abortable(this.#loading, context.signal);
    const { id, baseUrl } = this.options;
    if (this.#ready === null)
      throw new SpillwayError('upstream_error', `${id}: ${this.status.problem ?? 'it is not ready'}.`);
    const { document, security, byName } = this.#ready;
    const tool = byName.get(rawName);
    if (tool === undefined)
      throw new SpillwayError('unknown_tool', `${id}: its document has no ${cut(rawName, 80)}.`);
    const { operation } = tool;
    const place = serverOf(operation.servers, { baseUrl, documentUrl: document.url });
    const credentials = security.credentialsFor(operation.security);
    const request = buildRequest(tool, args, { server: place.url, credentials });
    await checkPlace(place);
    const { answerMs = ANSWER_MS, idleMs = IDLE_MS } = this.parts;
    const what = `${operation.method} ${operation.path}`;
    // fetch aborts a body with its signal, which has to outlive the headers.
    const ended = new AbortController();
    const { signal, release } = anySignal([context.signal, this.#closed.signal, ended.signal]);
    context.registerAfterCompletion(() => {
      ended.abort();
      release();
    });
    const late = (): SpillwayError =>
      lateAnswer(request.method, `${what} was not answered within ${answerMs} ms.`);
    const response = await withTimeout(send(request, signal), answerMs, late);
    const limits = { idleMs: Math.max(answerMs, idleMs), streamMs: answerMs };
    return produceAnswer(response, { ...request, what, signal, ...limits });
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#closed.abort(new SpillwayError('cancelled', `${this.options.id} was closed.`));
    await this.#loading;
  }

  async #load(retryMs: number): Promise<void> {
    try {
      const document = await loadDocument(this.options, this.#closed.signal);
      this.#ready = await makeReady(document, this.options);
      this.#become({ state: 'ready', problem: null });
    } catch (thrown) {
      if (this.#closed.signal.aborted) return;
      const { message, hint, code } = toSpillwayError(thrown);
      this.#become({ state: 'failed', problem: `${message} ${hint}`.replace(/\.$/, '') });
      // An invalid document stays so until somebody changes it.
      if (code !== 'upstream_error' && code !== 'timeout') return;
      this.#retry = setTimeout(() => {
        this.#loading = this.#load(Math.min(retryMs * 2, RETRY_MAX_MS));
      }, retryMs);
      this.#retry.unref();
    }
  }

  #become(status: UpstreamStatus): void {
    this.status = status;
    this.changes.notify();
  }
}

async function makeReady(document: ApiDocument, options: OpenApiOptions) {
  const { root } = document;
  const { headers = {}, baseUrl, redactOwn } = options;
  const security = securityOf(root, headers, redactOwn);
  const byName = new Map<string, ApiTool>();
  const operations = listOperations(root);
  if (operations.length === 0)
    throw new SpillwayError('openapi_invalid', 'The document describes no operation.');
  for (const [at, operation] of operations.entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    // A person also accepts where requests go: a document's statement of it is part of its tools.
    const server = baseUrl === undefined ? readServer(operation.servers, document.url) : '';
    byName.set(operation.name, buildTool(root, operation, security.headerNames, server));
  }
  return { document, security, byName, tools: [...byName.values()].map(({ tool }) => tool) };
}

/** Where a service's document is: the text or object itself, an address, or a path. */
interface DocumentPlace {
  readonly docData?: string | JsonObject | undefined;
  readonly url?: string | undefined;
  readonly file?: string | undefined;
}

/** An OpenAPI 3.0 or 3.1 document without references to others. */
interface ApiDocument {
  readonly root: JsonObject;
  /** The address that it came from, or null. */
  readonly url: string | null;
}

const TOTAL_MAX_BYTES = 64 * 1024 * 1024;
const FILES_MAX = 10_000;
const FETCH_MS = 30_000;
const CAUSE_UNITS = 300;

const invalid = (message: string, hint?: string, cause?: unknown): SpillwayError =>
  new SpillwayError('openapi_invalid', message, { hint, cause });

/**
 * Reads a document: JSON or YAML, with what it refers to in files next to it or at its own origin. One of
 * Swagger 2.0 is converted.
 *
 * @throws SpillwayError `openapi_invalid`, `timeout`, `upstream_error`, or the signal's reason
 */
async function loadDocument(place: DocumentPlace, signal: AbortSignal): Promise<ApiDocument> {
  const { docData } = place;
  const start = await startOf(place);
  const reader = new Reader(start, signal);
  if (docData === undefined && start === null)
    throw invalid('No document is given.', 'Give docData, url or file.');
  const document =
    docData === undefined || typeof docData === 'string'
      ? await parse(docData ?? (await reader.read(start?.href ?? '')))
      : plainCopy(docData);
  if (!isObject(document)) throw invalid('The document is not an object.');
  checkVersion(document);
  const whole = hasOutsideReferences(document) ? await bundle(document, reader) : document;
  return { root: await convert(whole), url: reader.landed };
}

/** Circular objects are not JSON. */
function plainCopy(value: unknown): JsonValue {
  try {
    return parseJson(JSON.stringify(value));
  } catch (cause) {
    throw invalid('The document cannot be written as JSON.', undefined, cause);
  }
}

async function parse(text: string): Promise<JsonValue> {
  let problem = '';
  try {
    return parseJson(text);
  } catch (cause) {
    problem = messageOf(cause);
  }
  const { parse: read } = await import('yaml');
  try {
    // Aliases may refer to each other, and grow without bound.
    return plainCopy(read(text, { maxAliasCount: 100, logLevel: 'silent', uniqueKeys: false }));
  } catch (cause) {
    // YAML is a superset of JSON; of the two messages, JSON's names the place.
    const [kind, why] = /^\s*[{[]/.test(text) ? ['JSON', problem] : ['YAML', messageOf(cause)];
    throw invalid(`The document is not ${kind}: ${cut(why, CAUSE_UNITS)}`, undefined, cause);
  }
}

const CONVERT_HINT = 'Convert it to OpenAPI 3 first, for instance with "npx swagger2openapi".';

function checkVersion({ openapi, swagger }: JsonObject): void {
  if (/^2\.0/.test(String(swagger)) || /^3\.[0-2](?:\.|$)/.test(String(openapi))) return;
  if (swagger !== undefined)
    throw invalid(`The document is of Swagger ${JSON.stringify(swagger)}.`, CONVERT_HINT);
  throw invalid(
    'The document does not say which version of OpenAPI it is of.',
    'Its member openapi has to begin with 3.0 or 3.1, or swagger has to be "2.0".',
  );
}

async function convert(document: JsonObject): Promise<JsonObject> {
  if (document['swagger'] === undefined) return document;
  const { upgradeFromTwoToThree } = await import('@scalar/openapi-upgrader/2.0-to-3.0');
  try {
    return JsonRecord.parse(upgradeFromTwoToThree(document));
  } catch (cause) {
    const why = cut(messageOf(cause), CAUSE_UNITS);
    throw invalid(`The document of Swagger 2.0 cannot be converted: ${why}`, CONVERT_HINT, cause);
  }
}

function hasOutsideReferences(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const reference = isObject(value) ? value['$ref'] : undefined;
  if (typeof reference === 'string' && !reference.startsWith('#')) return true;
  return Object.values(value).some((member: JsonValue | undefined) => hasOutsideReferences(member));
}

/** Inlines the references of a document. Only the reader decides which files are read. */
async function bundle(document: JsonObject, reader: Reader): Promise<JsonObject> {
  if (reader.start === null)
    throw invalid(
      'The document refers to other files, and docData says nothing of where they are.',
      'Give url or file, or a document that is bundled into one file.',
    );
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  try {
    const bundled: unknown = await new $RefParser().bundle(reader.start.href, document, {
      resolve: {
        file: false,
        http: false,
        spillway: {
          order: 1,
          canRead: true,
          read: async ({ url }: { readonly url: string }) => reader.read(url),
        },
      },
      parse: {
        json: false,
        binary: false,
        text: false,
        yaml: {
          order: 1,
          canParse: true,
          parse: async ({ data }: { readonly data: unknown }) => parse(String(data)),
        },
      },
    });
    return JsonRecord.parse(bundled);
  } catch (cause) {
    if (reader.failure !== undefined) throw reader.failure;
    const why = cut(messageOf(cause), CAUSE_UNITS);
    throw invalid(`A reference of the document fails: ${why}`, undefined, cause);
  }
}

async function realPath(file: string): Promise<string> {
  try {
    return await realpath(resolve(file));
  } catch (cause) {
    throw invalid(`The file ${file} cannot be read.`, 'Correct its path.', cause);
  }
}

/** The document's place, as the bundler resolves references against it; null for its text alone. */
async function startOf({ url, file }: DocumentPlace): Promise<URL | null> {
  if (url === undefined) return file === undefined ? null : pathToFileURL(await realPath(file));
  const parsed = parseUrl(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed;
  throw invalid('url is not an http(s) address.');
}

/** Reads a document and its parts: files in its own folder, or addresses at its own origin, within bounds. */
class Reader {
  /** The address that answered, after redirects. */
  landed: string | null = null;
  #left = TOTAL_MAX_BYTES;
  #files = 0;

  constructor(
    readonly start: URL | null,
    private readonly signal: AbortSignal,
  ) {}

  /** Why a part was not read: the bundler only says that it was not. */
  failure: Error | undefined;

  async read(place: string): Promise<string> {
    try {
      return await this.#read(place);
    } catch (thrown) {
      this.failure ??= thrown instanceof Error ? thrown : undefined;
      throw thrown;
    }
  }

  async #read(place: string): Promise<string> {
    this.signal.throwIfAborted();
    if (++this.#files > FILES_MAX) throw invalid(`The document refers to more than ${FILES_MAX} files.`);
    const url = parseUrl(place.startsWith('/') ? pathToFileURL(place).href : place);
    const { start } = this;
    const isFile = start?.protocol === 'file:';
    if (isFile && url?.protocol === 'file:') return this.#readFile(url, dirname(fileURLToPath(start)));
    if (!isFile && url !== null && url.origin === start?.origin) return this.#fetch(url);
    throw invalid(
      `The document refers to ${cutUrl(place, 200)}, which is not where it came from.`,
      'Only files of its own folder, or of its own origin, are read: bundle the document into one file.',
    );
  }

  async #readFile(url: URL, folder: string): Promise<string> {
    const path = await realPath(fileURLToPath(url));
    if (!isWithin(folder, path))
      throw invalid(`The document refers to ${path}, which is outside of its folder.`);
    if (!(await stat(path)).isFile()) throw invalid(`${path} is not a file.`);
    return this.#take(createReadStream(path));
  }

  async #fetch(start: URL): Promise<string> {
    const late = (): SpillwayError =>
      new SpillwayError('timeout', `${start.host} did not send the document in time.`);
    const { signal, release } = deadlineSignal(FETCH_MS, late, this.signal);
    const request = plainGet(start);
    try {
      const response = await send(request, signal);
      if (!response.ok) {
        await response.body?.cancel();
        throw new SpillwayError(
          'upstream_error',
          `${start.host} answered the request for the document with HTTP ${response.status}.`,
        );
      }
      this.landed ??= response.url || start.href;
      return await this.#take(response.body);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof SpillwayError) throw thrown;
      throw connectionError(thrown, request, false);
    } finally {
      release();
    }
  }

  async #take(body: AsyncIterable<Uint8Array> | null): Promise<string> {
    const { bytes, isWhole } = await readStart(body, this.#left);
    if (!isWhole) throw invalid(`The document is larger than ${TOTAL_MAX_BYTES} bytes.`);
    this.#left -= bytes.byteLength;
    return new TextDecoder().decode(bytes);
  }
}
