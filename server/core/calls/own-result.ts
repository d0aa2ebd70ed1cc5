import { SpillwayError } from '../../../shared/errors.ts';
import { cut } from '../../../shared/cut.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { cleanJsonText } from '../../redact/clean.ts';
import type { OwnAnswer } from '../own-tool.ts';
import type { ToolResult } from '../result.ts';
import type { Redactor } from '../services.ts';
import { failureResult } from './call-results.ts';

/** Members that hold bytes as text, by the types of the blocks whose members they are. */
const BYTES = new Set(['data', 'blob']);
const WITH_BYTES = new Set(['image', 'audio', 'media', 'file', 'image-data', 'file-data', 'base64']);
const REASON_LENGTH = 500;

/**
 * The end of a call of a caller's own tool: redacted text in the form that the tool gave it. Bytes pass, as they do
 * everywhere, and what is not JSON, such as a date.
 * @throws SpillwayError `upstream_error` for a value that contains itself
 */
export function ownResult(
  tool: string,
  { value, isError = false }: OwnAnswer,
  redactor: Redactor,
): ToolResult {
  const json = toJson(value, tool, []);
  const clean = redactor.value(json);
  const own = restore(clean, value);
  const text = cleanJsonText(clean);
  if (!isError) return { ok: true, content: [{ type: 'text', text }], state: {}, kind: 'json', own };
  const failure = failureResult(
    new SpillwayError('upstream_error', `${tool}: ${cut(text, REASON_LENGTH)}`),
    redactor,
  );
  return { ...failure, own };
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Whether a member is left as it is. */
const isBytes = (owner: object, name: string): boolean =>
  BYTES.has(name) && ('blob' in owner || ('type' in owner && WITH_BYTES.has(String(owner.type))));

/** What the redactor reads: other values are null in it. */
function toJson(value: unknown, tool: string, inside: readonly unknown[]): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (inside.includes(value))
    throw new SpillwayError('upstream_error', `${tool} returned a value that contains itself.`);
  const within = [...inside, value];
  if (Array.isArray(value)) return value.map((part) => toJson(part, tool, within));
  if (!isPlain(value)) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isBytes(value, name) ? null : toJson(part, tool, within),
    ]),
  );
}

/** The redacted value with what the redactor did not read. */
function restore(clean: JsonValue | undefined, value: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(clean))
    return value.map((part: unknown, at) => restore((clean as readonly JsonValue[])[at], part));
  if (typeof value === 'object' && value !== null && isPlain(value) && isObject(clean))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        isBytes(value, name) ? part : restore(clean[name], part),
      ]),
    );
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? clean : value;
}
