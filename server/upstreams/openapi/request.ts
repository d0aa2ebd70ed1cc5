import { randomUUID } from 'node:crypto';
import { cut } from '../../../shared/base/cut.ts';
import { type SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../shared/base/json.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';
import { membersOf, type Binding, type BodyPlan, type ParameterStyle } from './bindings.ts';
import type { ApiRequest, Credentials, WrittenBody } from './security.ts';
import type { ApiTool } from './tool.ts';

const FORM_STYLE = { style: 'form', isExploded: true };

/** @throws SpillwayError `invalid_argument` for a file without content */
function writeBody(plan: BodyPlan, value: JsonValue): WrittenBody {
  const { kind, mediaType: contentType } = plan;
  if (kind === 'json') return { bytes: bytesOf(JSON.stringify(value)), contentType };
  if (kind === 'form') return { bytes: bytesOf(writeForm(plan, givenIn(value))), contentType };
  if (kind === 'multipart') return writeParts(plan, givenIn(value));
  const { bytes, mediaType } = isObject(value)
    ? readFileValue('body', value)
    : { bytes: bytesOf(primitive(value)), mediaType: 'text/plain' };
  return { bytes, contentType: contentType.includes('*') ? mediaType : contentType };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text.toWellFormed(), 'utf8'));

const givenIn = (value: JsonValue): readonly (readonly [string, JsonValue])[] =>
  membersOf(value).filter(([, member]) => member !== null);

function writeForm({ styles }: BodyPlan, members: readonly (readonly [string, JsonValue])[]): string {
  return members
    .flatMap(([name, value]) => {
      const style = styles.get(name) ?? FORM_STYLE;
      return writeQuery(name, isObject(value) && !styles.has(name) ? JSON.stringify(value) : value, style);
    })
    .join('&');
}

function writeParts(plan: BodyPlan, members: readonly (readonly [string, JsonValue])[]): WrittenBody {
  const boundary = `spillway-${randomUUID()}`;
  const chunks = members.flatMap(([name, value]) =>
    (isJsonList(value) ? value : [value]).flatMap((entry) => encodePart(plan, name, entry, boundary)),
  );
  return {
    bytes: new Uint8Array(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])),
    contentType: `${plan.mediaType.split(';')[0] ?? ''}; boundary=${boundary}`,
  };
}

function encodePart(plan: BodyPlan, name: string, value: JsonValue, boundary: string): readonly Uint8Array[] {
  const types = plan.partTypes.get(name) ?? [];
  const open = `--${boundary}\r\nContent-Disposition: form-data; name="${quoteName(name)}"`;
  const head = (more: string): Buffer => Buffer.from(`${open}${more}\r\n\r\n`, 'utf8');
  const end = Buffer.from('\r\n');
  if (plan.files.has(name) && isObject(value)) {
    const { bytes, fileName, mediaType } = readFileValue(name, value);
    const type = types.includes(mediaType) ? mediaType : (types[0] ?? mediaType);
    return [head(`; filename="${quoteName(fileName)}"\r\nContent-Type: ${type}`), bytes, end];
  }
  // Objects and lists are JSON (OpenAPI 3.1.1, "Encoding Object").
  const type = types[0] ?? (typeof value === 'object' ? 'application/json' : undefined);
  const text = bytesOf(primitive(value));
  return [head(type === undefined ? '' : `\r\nContent-Type: ${type}`), text, end];
}

/** As browsers write names (HTML, multipart/form-data). */
const quoteName = (text: string): string =>
  text.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)?$/;

function readFileValue(name: string, value: JsonObject) {
  const { text, base64, file_name: fileName, media_type: mediaType } = value;
  if (typeof text !== 'string' && typeof base64 !== 'string')
    throw invalidArgument(`${name}: a file has text or base64.`);
  if (typeof base64 === 'string' && !/^[A-Za-z\d+/_-]*={0,2}$/.test(base64.replaceAll(/\s/g, '')))
    throw invalidArgument(`${name}.base64: it is not base64.`);
  const stated = typeof mediaType === 'string' && MEDIA_TYPE.test(mediaType) ? mediaType : null;
  return {
    bytes: typeof text === 'string' ? bytesOf(text) : new Uint8Array(Buffer.from(String(base64), 'base64')),
    fileName: typeof fileName === 'string' && fileName !== '' ? fileName : 'file',
    mediaType:
      stated ?? (typeof text === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream'),
  };
}

type Parameter = Extract<Binding, { readonly at: 'path' | 'query' | 'header' | 'cookie' }>;

/**
 * The request for a call.
 * @throws SpillwayError `invalid_argument` for an unknown argument, and for a value that would lead elsewhere
 */
export function buildRequest(
  { operation, bindings, body }: ApiTool,
  args: JsonObject,
  { server, credentials }: { readonly server: URL; readonly credentials: Credentials },
): ApiRequest {
  const written = ([name, value]: readonly [string, string]): string =>
    `${encodeStrict(name)}=${encodeStrict(value)}`;
  const paths = new Map<string, string>();
  const query = credentials.query.map(written);
  const cookies = credentials.cookies.map(written);
  const headers = new Map<string, string>();
  const fields = new Map<string, JsonValue>();
  let whole: JsonValue | undefined;
  for (const [key, value] of Object.entries(args)) {
    const binding = bindings.get(key);
    if (binding === undefined) throw buildUnknown(key, bindings);
    if (value === undefined) continue;
    if (binding.at === 'field') fields.set(binding.name, value);
    else if (binding.at === 'body') whole = value;
    else if (value !== null) {
      const { at, name, style } = binding;
      const sent = binding.isJson ? JSON.stringify(value) : value;
      if (at === 'path') paths.set(name, pathValue(key, binding, sent));
      else if (at === 'query') query.push(...writeQuery(name, sent, style));
      else if (at === 'header') headers.set(name.toLowerCase(), headerValue(key, writeHeader(sent, style)));
      else cookies.push(writeCookie(name, sent, style));
    }
  }
  expectNeeded(bindings, fields);
  const given = body === null ? undefined : bodyOf(body, Object.fromEntries(fields), whole);
  return {
    method: operation.method,
    url: addressOf(server, fillPath(operation.path, paths), query),
    headers: Object.fromEntries(headers),
    cookies,
    body: body === null || given === undefined ? null : writeBody(body, given),
    credentials,
  };
}

/** A body that may be left out is sent with all that it requires. */
function expectNeeded(bindings: ApiTool['bindings'], fields: ReadonlyMap<string, JsonValue>): void {
  if (fields.size === 0) return;
  const isMissing = (binding: Binding): boolean =>
    binding.at === 'field' && binding.isNeeded && !fields.has(binding.name);
  const [key] = [...bindings].find(([, binding]) => isMissing(binding)) ?? [];
  if (key !== undefined)
    throw invalidArgument(`${key}: a body with ${[...fields.keys()].join(', ')} must have it.`);
}

function bodyOf(
  { isFlat, isRequired }: BodyPlan,
  fields: JsonObject,
  whole: JsonValue | undefined,
): JsonValue | undefined {
  if (!isFlat) return whole;
  return isRequired || Object.keys(fields).length > 0 ? fields : undefined;
}

const buildUnknown = (key: string, bindings: ReadonlyMap<string, Binding>): SpillwayError =>
  invalidArgument(
    `${cut(key, 60)}: there is no such argument. There are: ${cut([...bindings.keys()].join(', ') || 'none', 400)}.`,
  );

/** Encoding does not prevent a dot segment. */
function pathValue(key: string, { name, style }: Parameter, value: JsonValue): string {
  const written = writePath(name, value, style);
  if (/^(?:\.|%2e){0,2}$/i.test(written) || primitive(value) === '')
    throw invalidArgument(`${key}: a part of the path cannot be empty, "." or "..".`);
  return written;
}

function headerValue(key: string, value: string): string {
  // Headers carry Latin-1 only; line breaks would end them.
  if (/[^\t\x20-\x7e\xa0-\xff]/.test(value))
    throw invalidArgument(`${key}: a header takes no line breaks and only Latin-1.`);
  return value;
}

function fillPath(path: string, values: ReadonlyMap<string, string>): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw invalidArgument(`${name}: it is required, as a part of the path.`);
    return value;
  });
}

function addressOf(server: URL, path: string, query: readonly string[]): URL {
  const [before = '', fixed] = path.split('#', 1)[0]?.split('?') ?? [];
  const search = [server.search.slice(1), fixed ?? '', ...query].filter((part) => part !== '').join('&');
  const folder = server.pathname.replace(/\/+$/, '');
  const url = parseUrl(`${server.origin}${folder}${before}${search === '' ? '' : `?${search}`}`);
  if (url === null || url.origin !== server.origin)
    throw invalidArgument('The arguments do not make an address.');
  return url;
}

type Encode = (text: string) => string;

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const encodeStrict: Encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, (char) => `%${hexOf(char)}`);

/** Leaves reserved characters and escapes, except for characters that would end the query. */
const encodeReserved: Encode = (text) =>
  text
    .toWellFormed()
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?[\]%-]+/gu, (part) => encodeURIComponent(part));

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase();

/** A single value. Compound values become JSON: the specification has no other form for them. */
const primitive = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

const given = (value: JsonValue): readonly JsonValue[] =>
  Array.isArray(value) ? value.filter((entry: JsonValue) => entry !== null) : [value];

const pairsOf = (value: JsonValue): readonly (readonly [string, string])[] | null =>
  isObject(value) ? givenIn(value).map(([key, member]) => [key, primitive(member)]) : null;

const encoderOf = ({ allowsReserved }: ParameterStyle): Encode =>
  allowsReserved === true ? encodeReserved : encodeStrict;

/** Alternating names and values, separated: `R,100,G,200`. */
const flat = (value: JsonValue, encode: Encode, separator: string): string =>
  (pairsOf(value)?.flat() ?? given(value).map(primitive)).map(encode).join(separator);

/** `R=100,G=200`, or the entries of a list, or one value. */
const explodeValue = (value: JsonValue, encode: Encode, separator: string): string =>
  (
    pairsOf(value)?.map(([key, member]) => `${encode(key)}=${encode(member)}`) ??
    given(value).map((entry) => encode(primitive(entry)))
  ).join(separator);

/** The value of a path parameter, its prefix included. */
export function writePath(name: string, value: JsonValue, style: ParameterStyle): string {
  const encode = encodeStrict;
  if (style.style === 'label')
    return `.${style.isExploded ? explodeValue(value, encode, '.') : flat(value, encode, ',')}`;
  if (style.style !== 'matrix') return writeSimple(value, style, encode);
  const key = encode(name);
  const one = (text: string): string => (text === '' ? `;${key}` : `;${key}=${text}`);
  if (!style.isExploded) return one(flat(value, encode, ','));
  if (isObject(value)) return `;${explodeValue(value, encode, ';')}`;
  return given(value)
    .map((entry) => one(encode(primitive(entry))))
    .join('');
}

/** `simple`: of paths and headers. */
const writeSimple = (value: JsonValue, { isExploded }: ParameterStyle, encode: Encode): string =>
  (isExploded ? explodeValue : flat)(value, encode, ',');

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** The parts of a query or of a form for a value: `color=blue`, encoded. */
export function writeQuery(name: string, value: JsonValue, style: ParameterStyle): readonly string[] {
  const encode = encoderOf(style);
  const key = encode(name);
  if (style.style === 'deepObject') return deep(name, value, encode);
  if (!style.isExploded) {
    const text = flat(value, encode, SEPARATORS[style.style] ?? ',');
    return Array.isArray(value) && text === '' ? [] : [`${key}=${text}`];
  }
  const pairs = pairsOf(value);
  if (pairs !== null) return pairs.map(([part, member]) => `${encode(part)}=${encode(member)}`);
  return given(value).map((entry) => `${key}=${encode(primitive(entry))}`);
}

/** `color[R]=100`; lists by index, as parsers of such names read them. */
function deep(name: string, value: JsonValue, encode: Encode): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${encode(name)}=${encode(primitive(value))}`];
  return Object.entries(value).flatMap(([key, member]: [string, JsonValue | undefined]) =>
    member === undefined || member === null ? [] : deep(`${name}[${key}]`, member, encode),
  );
}

/** The value of a cookie, preceded by its name. A list with `explode` becomes several cookies. */
const writeCookie = (name: string, value: JsonValue, style: ParameterStyle): string =>
  writeQuery(name, value, { ...style, style: 'form', allowsReserved: false }).join('; ');

const unencoded: Encode = (text) => text;

/** The value of a header: `simple`, not encoded. */
const writeHeader = (value: JsonValue, style: ParameterStyle): string => writeSimple(value, style, unencoded);
