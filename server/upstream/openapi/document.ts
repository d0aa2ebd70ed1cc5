import { realpath, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deadlineSignal } from '../../../shared/async.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { JsonRecord, parseJson } from '../../../shared/json-schema.ts';
import { parseUrl } from '../../../shared/private-address.ts';
import { isWithin } from '../../machine/files.ts';
import { readStart } from '../../toolkit/file-stream.ts';
import { connectionError, plainGet, send } from './security.ts';

/** Where a service's document is: the text or object itself, an address, or a path. */
export interface DocumentPlace {
  readonly docData?: string | JsonObject | undefined;
  readonly url?: string | undefined;
  readonly file?: string | undefined;
}

/** An OpenAPI 3.0 or 3.1 document without references to others. */
export interface ApiDocument {
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
export async function loadDocument(place: DocumentPlace, signal: AbortSignal): Promise<ApiDocument> {
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
