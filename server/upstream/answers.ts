import { SpillwayError } from '../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue, canonicalJson } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';
import { LIMITS } from '../../shared/limits.ts';
import { MIME } from '../../shared/mime.ts';
import { maxInlineBytes, type OutputRequest, type Produced, type RawPayload } from '../core/result.ts';
import type { PassedThrough } from '../core/registry/definition.ts';
import type { CleanRecord } from '../redact/clean.ts';
import type { Cleaner } from './cleaner.ts';

/** Members of blocks that hold bytes as text: a picture cannot be redacted. */
const BYTES = ['data', 'blob'];
/** A model could not use more of a failure. */
const FAILURE_MAX_BYTES = 64 * 1_024;

const textOf = ({ type, text }: JsonObject): string | null =>
  type === 'text' && typeof text === 'string' ? text : null;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A block with its text, and that of its resource, as {@link Cleaner.plain} says. */
function plainBlock(block: JsonObject, { plain }: Pick<Cleaner, 'plain'>): JsonObject {
  const { text, resource } = block;
  return {
    ...block,
    ...(typeof text === 'string' ? { text: plain(text) } : {}),
    ...(isObject(resource) ? { resource: plainBlock(resource, { plain }) } : {}),
  };
}

/** A block as it may leave, its bytes as they came. */
export function redactBlock(came: JsonObject, redact: Cleaner): JsonObject {
  const block = plainBlock(came, redact);
  const { resource } = block;
  const bytes = Object.entries(block).filter(([key]) => BYTES.includes(key) && block['type'] !== 'text');
  const rest = Object.fromEntries(
    Object.entries(block).filter(([key]) => key !== 'resource' && !bytes.some(([name]) => name === key)),
  );
  const shown: CleanRecord = redact.json(rest);
  return {
    ...shown,
    ...(isObject(resource) ? { resource: redactBlock(resource, redact) } : {}),
    ...Object.fromEntries(bytes),
  };
}

/**
 * An answer of another MCP server that passes block by block.
 *
 * @throws SpillwayError `upstream_error` for one that no client could take
 */
export function passAnswer({ passed }: PassedThrough, redact: Cleaner): PassedThrough {
  const { content, structuredContent, ...rest } = passed;
  if (sizeOf({ content, structuredContent }) > LIMITS.outputInlineMaxBytes)
    throw new SpillwayError('upstream_error', 'The other server answered more than 16 MiB.', {
      hint: 'Ask it for less, or remove "output": "passthrough" from its entry: then it is stored.',
    });
  const clean = content.map((block) => redactBlock(block, redact));
  if (structuredContent === undefined) return { passed: { ...rest, content: clean } };
  const structured: CleanRecord = redact.json(structuredContent);
  return { passed: { ...rest, content: clean, structuredContent: structured } };
}

interface ShapeOptions {
  readonly redact: Cleaner;
  readonly output: OutputRequest;
  /** Its tool declares an output schema: clients want the object. */
  readonly isStructured: boolean;
  /** Names the upstream in the note that its text is untrusted. */
  readonly from: string;
}

/**
 * An answer of another MCP server under our output policy: one text, or one object, as a payload; anything else block
 * by block where it fits inline, and stored as JSON of `{ content, structuredContent }` where it does not.
 */
export function shapeAnswer({ passed: came }: PassedThrough, how: ShapeOptions): Produced | PassedThrough {
  const passed = { ...came, content: came.content.map((block) => plainBlock(block, how.redact)) };
  const answer: PassedThrough = { passed };
  const { content, structuredContent } = passed;
  if (passed.isError) return shapeFailure(answer, how);
  const [first, ...others] = content;
  const text = others.length === 0 && first !== undefined ? textOf(first) : null;
  if (structuredContent === undefined && text !== null && text.trim() !== '')
    return produce(payloadOf(text), how.from);
  if (how.isStructured && structuredContent !== undefined && saysTheSame(content, text, structuredContent))
    return produce({ kind: 'json', mimeType: MIME.json, value: structuredContent }, how.from);
  if (sizeOf({ content, structuredContent }) <= maxInlineBytes(how.output))
    return passAnswer(answer, how.redact);
  const texts = content.map(textOf);
  if (structuredContent === undefined && texts.every((each) => each !== null))
    return produce(textPayload(texts.join('\n\n')), how.from, 'handle');
  const value: JsonObject = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  return produce({ kind: 'json', mimeType: MIME.json, value }, how.from, 'handle');
}

function shapeFailure(answer: PassedThrough, { redact, from }: ShapeOptions): PassedThrough {
  if (sizeOf(answer.passed) <= FAILURE_MAX_BYTES) return passAnswer(answer, redact);
  const [first] = answer.passed.content.map(({ text }) => text).filter((text) => typeof text === 'string');
  const start = (first ?? '').slice(0, FAILURE_MAX_BYTES);
  throw new SpillwayError('upstream_error', `${from} failed: ${start || 'it gave no reason'}`);
}

/** Whether the text only repeats the object, or is missing. */
function saysTheSame(content: readonly JsonObject[], text: string | null, structured: JsonObject): boolean {
  if (content.length === 0) return true;
  const parsed = text === null ? null : parseObject(text);
  return parsed !== null && canonicalJson(parsed) === canonicalJson(structured);
}

function parseObject(text: string): JsonObject | readonly JsonValue[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value = parseJson(text);
    return isObject(value) || isJsonList(value) ? value : null;
  } catch {
    return null;
  }
}

/** A text that is JSON as programs write it can be asked questions; what a parse would change stays text. */
function payloadOf(text: string): RawPayload {
  const value = parseObject(text);
  const isExact = [0, 2, 4].some(
    (indent) => value !== null && JSON.stringify(value, null, indent) === text.trim(),
  );
  if (value === null || !isExact) return textPayload(text);
  if (!isJsonList(value)) return { kind: 'json', mimeType: MIME.json, value };
  return { kind: 'items', mimeType: MIME.json, items: itemsOf(value) };
}

async function* itemsOf(items: readonly JsonValue[]): AsyncGenerator<JsonValue, void> {
  yield* items;
}

const CHUNK_UNITS = 64 * 1_024;

function textPayload(text: string): RawPayload {
  return { kind: 'text', mimeType: MIME.text, chunks: chunksOf(text.toWellFormed()) };
}

async function* chunksOf(text: string): AsyncGenerator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + CHUNK_UNITS);
    // A code point never spans two chunks.
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

const produce = (payload: RawPayload, from: string, deliverAs?: 'handle'): Produced => ({
  payload,
  done: Promise.resolve({ state: {}, coverage: [] }),
  untrustedFrom: () => from,
  ...(deliverAs === undefined ? {} : { deliverAs }),
});

/** Words of a schema that may forbid a field that is added to its properties. */
const CLOSING = (
  '$ref allOf anyOf oneOf not if propertyNames maxProperties unevaluatedProperties ' +
  '$dynamicRef patternProperties const enum'
).split(' ');
const FIELDS = ['output_mode', 'output_inline_limit_bytes'];

/** Whether the two output fields can be added to a schema: it has none of that name, and nothing that could forbid them. */
export function takesFields(schema: JsonObject): boolean {
  const { properties } = schema;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return !CLOSING.some((key) => key in schema) && !FIELDS.some((field) => own.includes(field));
}
