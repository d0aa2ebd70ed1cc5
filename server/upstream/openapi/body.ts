import { randomUUID } from 'node:crypto';
import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { BodyPlan } from './body-plan.ts';
import { primitive, writeQuery } from './styles.ts';

/** A body and its content type. */
export interface WrittenBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

const FORM_STYLE = { style: 'form', isExploded: true };

/** @throws SpillwayError `invalid_argument` for a file without content */
export function writeBody(plan: BodyPlan, value: JsonValue): WrittenBody {
  const { kind, mediaType: contentType } = plan;
  if (kind === 'json') return { bytes: bytesOf(JSON.stringify(value)), contentType };
  if (kind === 'form') return { bytes: bytesOf(writeForm(plan, membersOf(value))), contentType };
  if (kind === 'multipart') return writeParts(plan, membersOf(value));
  if (isObject(value)) {
    const file = readFileValue('body', value);
    return { bytes: file.bytes, contentType: wildcard(contentType) ? file.mediaType : contentType };
  }
  return {
    bytes: bytesOf(primitive(value)),
    contentType: wildcard(contentType) ? 'text/plain' : contentType,
  };
}

const wildcard = (type: string): boolean => type.includes('*');
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text.toWellFormed(), 'utf8'));

const membersOf = (value: JsonValue): readonly (readonly [string, JsonValue])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        member === undefined || member === null ? [] : [[name, member] as const],
      )
    : [];

/** What has parts is JSON, unless the document names a style (OpenAPI 3.1.1, "Encoding Object"). */
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
    (isJsonList(value) ? value : [value]).flatMap((entry) => partOf(plan, name, entry, boundary)),
  );
  return {
    bytes: new Uint8Array(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])),
    contentType: `${plan.mediaType.split(';')[0] ?? ''}; boundary=${boundary}`,
  };
}

function partOf(plan: BodyPlan, name: string, value: JsonValue, boundary: string): readonly Uint8Array[] {
  const types = plan.partTypes.get(name) ?? [];
  const open = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
  const head = (more: string): Buffer => Buffer.from(`${open}${more}\r\n\r\n`, 'utf8');
  const end = Buffer.from('\r\n');
  if (plan.files.has(name) && isObject(value)) {
    const { bytes, fileName, mediaType } = readFileValue(name, value);
    const type = types.includes(mediaType) ? mediaType : (types[0] ?? mediaType);
    return [head(`; filename="${quoted(fileName)}"\r\nContent-Type: ${type}`), bytes, end];
  }
  // What has parts is JSON (OpenAPI 3.1.1, "Encoding Object").
  const type = types[0] ?? (typeof value === 'object' ? 'application/json' : undefined);
  const text = bytesOf(primitive(value));
  return [head(type === undefined ? '' : `\r\nContent-Type: ${type}`), text, end];
}

/** As browsers write names (HTML, multipart/form-data). */
const quoted = (text: string): string =>
  text.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

interface FileValue {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  readonly mediaType: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)?$/;

function readFileValue(name: string, value: JsonObject): FileValue {
  const { text, base64, file_name: fileName, media_type: mediaType } = value;
  if (typeof text !== 'string' && typeof base64 !== 'string')
    throw new SpillwayError('invalid_argument', `${name}: a file has text or base64.`);
  if (typeof base64 === 'string' && !/^[A-Za-z\d+/_-]*={0,2}$/.test(base64.replaceAll(/\s/g, '')))
    throw new SpillwayError('invalid_argument', `${name}.base64: it is not base64.`);
  const stated = typeof mediaType === 'string' && MEDIA_TYPE.test(mediaType) ? mediaType : null;
  return {
    bytes: typeof text === 'string' ? bytesOf(text) : new Uint8Array(Buffer.from(String(base64), 'base64')),
    fileName: typeof fileName === 'string' && fileName !== '' ? fileName : 'file',
    mediaType:
      stated ?? (typeof text === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream'),
  };
}
