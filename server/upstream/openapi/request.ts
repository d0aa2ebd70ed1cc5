import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { parseUrl } from '../../toolkit/urls.ts';
import type { Binding } from './bindings.ts';
import type { BodyPlan } from './body-plan.ts';
import { writeBody, type WrittenBody } from './body.ts';
import type { Credentials } from './security.ts';
import { encodeStrict, primitive, writeCookie, writeHeader, writePath, writeQuery } from './styles.ts';
import type { ApiTool } from './tool.ts';

/** A request to the service, complete. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  /** Of the caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: WrittenBody | null;
}

type Parameter = Extract<Binding, { readonly at: 'path' | 'query' | 'header' | 'cookie' }>;

/**
 * The request that a call asks for.
 *
 * @throws SpillwayError `invalid_argument` for an unknown argument, and for a value that would lead elsewhere
 */
export function buildRequest(
  { operation, bindings, body }: ApiTool,
  args: JsonObject,
  { server, credentials }: { readonly server: URL; readonly credentials: Credentials },
): ApiRequest {
  const parts = new Parts(credentials);
  for (const [key, value] of Object.entries(args)) {
    const binding = bindings.get(key);
    if (binding === undefined) throw unknown(key, bindings);
    if (value !== undefined) parts.add(key, binding, value);
  }
  const given = body === null ? undefined : parts.bodyOf(body);
  return {
    method: operation.method,
    url: addressOf(server, fillPath(operation.path, parts.paths), parts.query),
    headers: parts.headers,
    cookies: parts.cookies,
    body: body === null || given === undefined ? null : writeBody(body, given),
  };
}

/** What the arguments of a call become. */
class Parts {
  readonly paths = new Map<string, string>();
  readonly query: string[];
  readonly cookies: string[];
  readonly headers: Record<string, string> = {};
  readonly #fields: Record<string, JsonValue> = {};
  #body: JsonValue | undefined;

  constructor(credentials: Credentials) {
    const written = ([name, value]: readonly [string, string]): string =>
      `${encodeStrict(name)}=${encodeStrict(value)}`;
    this.query = credentials.query.map(written);
    this.cookies = credentials.cookies.map(written);
  }

  add(key: string, binding: Binding, value: JsonValue): void {
    if (binding.at === 'field') this.#fields[binding.name] = value;
    else if (binding.at === 'body') this.#body = value;
    else if (value !== null) this.#parameter(key, binding, binding.isJson ? JSON.stringify(value) : value);
  }

  bodyOf({ isFlat, isRequired }: BodyPlan): JsonValue | undefined {
    if (!isFlat) return this.#body;
    return isRequired || Object.keys(this.#fields).length > 0 ? this.#fields : undefined;
  }

  #parameter(key: string, binding: Parameter, value: JsonValue): void {
    const { at, name, style } = binding;
    if (at === 'path') this.paths.set(name, pathValue(key, binding, value));
    else if (at === 'query') this.query.push(...writeQuery(name, value, style));
    else if (at === 'header') this.headers[name.toLowerCase()] = headerValue(key, writeHeader(value, style));
    else this.cookies.push(writeCookie(name, value, style));
  }
}

const unknown = (key: string, bindings: ReadonlyMap<string, Binding>): SpillwayError =>
  new SpillwayError(
    'invalid_argument',
    `${cut(key, 60)}: there is no such argument. There are: ${cut([...bindings.keys()].join(', ') || 'none', 400)}.`,
  );

/** Encoding does not keep a dot segment from being one. */
function pathValue(key: string, { name, style }: Parameter, value: JsonValue): string {
  const written = writePath(name, value, style);
  if (/^(?:\.|%2e){0,2}$/i.test(written) || primitive(value) === '')
    throw new SpillwayError('invalid_argument', `${key}: a part of the path cannot be empty, "." or "..".`);
  return written;
}

function headerValue(key: string, value: string): string {
  // What is beyond Latin-1 no header can carry; line breaks would end it.
  if (/[^\t\x20-\x7e\xa0-\xff]/.test(value))
    throw new SpillwayError('invalid_argument', `${key}: a header takes no line breaks and only Latin-1.`);
  return value;
}

function fillPath(path: string, values: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined)
      throw new SpillwayError('invalid_argument', `${name}: it is required, as a part of the path.`);
    return value;
  });
}

function addressOf(server: URL, path: string, query: readonly string[]): URL {
  const [before = '', fixed] = path.split('#', 1)[0]?.split('?') ?? [];
  const search = [server.search.slice(1), fixed ?? '', ...query].filter((part) => part !== '').join('&');
  const folder = server.pathname.replace(/\/+$/, '');
  const url = parseUrl(`${server.origin}${folder}${before}${search === '' ? '' : `?${search}`}`);
  if (url === null || url.origin !== server.origin)
    throw new SpillwayError('invalid_argument', 'The arguments do not make an address.');
  return url;
}
