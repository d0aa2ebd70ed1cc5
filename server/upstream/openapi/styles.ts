import { isObject, type JsonValue } from '../../../shared/json.ts';

/** How the value of a parameter is written (OpenAPI 3.1.1, "Style Values"). */
export interface ParameterStyle {
  readonly style: string;
  readonly isExploded: boolean;
  /** Characters with a meaning in an address stay as they are. */
  readonly allowsReserved?: boolean;
}

type Encode = (text: string) => string;

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const encodeStrict: Encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, (char) => `%${hexOf(char)}`);

/** Leaves reserved characters and escapes as they are, but for what would end the query. */
const encodeReserved: Encode = (text) =>
  text
    .toWellFormed()
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?[\]%-]+/gu, (part) => encodeURIComponent(part));

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase();

/** A single value. What has parts is JSON: the specification has no other form for it. */
export const primitive = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

const given = (value: JsonValue): readonly JsonValue[] =>
  Array.isArray(value) ? value.filter((entry: JsonValue) => entry !== null) : [value];

const pairsOf = (value: JsonValue): readonly (readonly [string, string])[] | null =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, member]) =>
        member === undefined || member === null ? [] : [[key, primitive(member)] as const],
      )
    : null;

const encoderOf = ({ allowsReserved }: ParameterStyle): Encode =>
  allowsReserved === true ? encodeReserved : encodeStrict;

/** Names and values in a row, separated: `R,100,G,200`. */
const flat = (value: JsonValue, encode: Encode, separator: string): string =>
  (pairsOf(value)?.flat() ?? given(value).map(primitive)).map(encode).join(separator);

/** `R=100,G=200`, or the entries of a list, or one value. */
const exploded = (value: JsonValue, encode: Encode, separator: string): string =>
  pairsOf(value)
    ?.map(([key, member]) => `${encode(key)}=${encode(member)}`)
    .join(separator) ??
  given(value)
    .map((entry) => encode(primitive(entry)))
    .join(separator);

/** The value of a path parameter, its prefix included. */
export function writePath(name: string, value: JsonValue, style: ParameterStyle): string {
  const encode = encodeStrict;
  if (style.style === 'label')
    return `.${style.isExploded ? exploded(value, encode, '.') : flat(value, encode, ',')}`;
  if (style.style !== 'matrix') return writeSimple(value, style, encode);
  const key = encode(name);
  const one = (text: string): string => (text === '' ? `;${key}` : `;${key}=${text}`);
  if (!style.isExploded) return one(flat(value, encode, ','));
  if (isObject(value)) return `;${exploded(value, encode, ';')}`;
  return given(value)
    .map((entry) => one(encode(primitive(entry))))
    .join('');
}

/** `simple`: of paths and headers. */
const writeSimple = (value: JsonValue, { isExploded }: ParameterStyle, encode: Encode): string =>
  isExploded ? exploded(value, encode, ',') : flat(value, encode, ',');

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** The parts of a query or of a form that a value becomes: `color=blue`, encoded. */
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

/** `color[R]=100`; lists by their indices, as the parsers of such names take them. */
function deep(name: string, value: JsonValue, encode: Encode): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${encode(name)}=${encode(primitive(value))}`];
  return Object.entries(value).flatMap(([key, member]: [string, JsonValue | undefined]) =>
    member === undefined || member === null ? [] : deep(`${name}[${key}]`, member, encode),
  );
}

/** The value of a cookie, its name before it. A list with `explode` is written as several cookies. */
export const writeCookie = (name: string, value: JsonValue, style: ParameterStyle): string =>
  writeQuery(name, value, { ...style, style: 'form', allowsReserved: false }).join('; ');

const unencoded: Encode = (text) => text;

/** The value of a header: `simple`, not encoded. */
export const writeHeader = (value: JsonValue, style: ParameterStyle): string =>
  writeSimple(value, style, unencoded);
