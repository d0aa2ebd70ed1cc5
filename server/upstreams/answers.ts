import { isDeepStrictEqual } from 'node:util';
import { each, type Listeners } from '../../shared/base/queue.ts';
import { SpillwayError, UNKNOWN_OUTCOME as UNKNOWN } from '../../shared/base/errors.ts';
import { defined, isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { jsonIn } from '../../shared/base/json-schema.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { MIME } from '../../shared/base/mime.ts';
import {
  maxInlineBytes,
  type OutputRequest,
  type Produced,
  type RawPayload,
  type CleanPayload,
} from '../core/result.ts';
import type { PassedThrough } from '../core/registry/definition.ts';
import type { CleanRecord, Clean } from '../libraries/redaction/clean.ts';
import { withoutEscapes } from '../../shared/base/json-escapes.ts';
import type { KnownSecret, Redactor } from '../core/services.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import { errnoOf } from '../core/machine/errno.ts';
import type { UpstreamEntry } from './config.ts';
import type { CallContext } from '../core/context.ts';
import { ANSWER_VALUES_MAX, hasMoreValues, pause, piecesOf } from '../core/slices.ts';
import type { UpstreamState, UpstreamTool } from '../core/upstreams.ts';

/** JSON text without unneeded escapes: they could hide a secret from the rules for text. */
export function plainText(text: string): string {
  const isJson = /\\[u/]/.test(text) && /^\s*[[{"]/.test(text) && jsonIn(text) !== undefined;
  return isJson ? withoutEscapes(text) : text;
}

/** Of the failure of a call that may have been carried out. */
export const UNKNOWN_OUTCOME = {
  ...UNKNOWN,
  hint: 'Look at what it has done before you call again.',
} as const;

/** @param refusal if only a person can change that it is away */
export function notConnected(
  id: string,
  problem: string | null,
  refusal: SpillwayError | null = null,
): SpillwayError {
  const why = `The upstream ${id} is not connected: ${problem ?? 'it is still starting'}.`;
  if (refusal !== null) return new SpillwayError(refusal.code, why, { hint: refusal.hint });
  const hint =
    'It is started again by itself; call again in a while. If it stays away, run `spillway doctor`.';
  return new SpillwayError('upstream_error', why, { hint });
}

/** Of failures to connect: nothing was sent. */
const UNCONNECTED: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** Whether a failed request may have reached the upstream. @param cause of what `fetch` has thrown */
export const mayHaveArrived = (cause: unknown): boolean => !UNCONNECTED.includes(errnoOf(cause) ?? '');

/** Redacts every text from an upstream. */
export interface Cleaner {
  /** Values; their shapes stay. */
  json<T extends JsonValue>(value: T): Clean<T>;
  /** A value of any size, in slices. */
  large<T extends JsonValue>(value: T): Promise<Clean<T>>;
  payload(payload: RawPayload): Promise<CleanPayload>;
  /** JSON text before redaction: without escapes that hide matches from the rules for text. */
  plain(this: void, text: string): string;
}

export interface UpstreamCleaners {
  /** Everything secret or invisible, and the credentials of its entry. */
  readonly redact: Cleaner;
  /** Values of `--secrets`, and the credentials of its entry. */
  readonly redactOwn: Cleaner;
}

/** Makes redactors that know these secrets too: of everything, and of known secrets alone. */
export type RedactorsWith = (secrets: readonly KnownSecret[]) => Readonly<Record<'all' | 'known', Redactor>>;

/** Cleaners whose redactors are made again when the secrets that they know have changed. */
export function createChangingCleaners(
  secretsNow: () => readonly KnownSecret[],
  redactorsWith: RedactorsWith,
): UpstreamCleaners {
  let known = secretsNow();
  let made = redactorsWith(known);
  const redactor = (of: keyof typeof made): Redactor => {
    const secrets = secretsNow();
    const isSame =
      secrets.length === known.length && secrets.every(({ value }, at) => known[at]?.value === value);
    if (!isSame) [known, made] = [secrets, redactorsWith(secrets)];
    return made[of];
  };
  const cleaner = (of: keyof typeof made, plain: Cleaner['plain']): Cleaner => ({
    plain,
    json: (value) => redactor(of).value(value),
    large: (value) => redactor(of).large(value),
    payload: async (payload) => (await redactor(of).payload(payload)).payload,
  });
  return { redact: cleaner('all', plainText), redactOwn: cleaner('known', (text) => text) };
}

const COMMON = (
  'PATH HOME USER LOGNAME SHELL TERM TMPDIR TEMP TMP LANG LANGUAGE TZ SystemRoot ' +
  'SystemDrive ComSpec PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ' +
  'ProgramFiles USERNAME'
).split(' ');

const DEPTH = 'SPILLWAY_UPSTREAM_DEPTH';
const DEPTH_MAX = 3;

const depthOf = (environment: NodeJS.ProcessEnv): number => Number(environment[DEPTH] ?? 0) || 0;

/**
 * Whether this process may have upstreams. If another Spillway started it, they must be on its command line:
 * the file of its home may name itself.
 */
export function mayStart(environment: NodeJS.ProcessEnv, isNamed: boolean): boolean {
  const depth = depthOf(environment);
  return depth === 0 || (isNamed && depth < DEPTH_MAX);
}

/**
 * The whole environment of an upstream: a few common variables of ours, and those of its entry, but nothing
 * else.
 */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const common = Object.entries(ours).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (COMMON.includes(name) || name.startsWith('LC_')) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(common), ...env, [DEPTH]: String(depthOf(ours) + 1) };
}

/** Names of headers and variables whose values are credentials. */
export const NAMED = /auth|cookie|key|token|secret|passw|credential/i;
const VARIABLE = /\$\{(?<variable>[A-Za-z_]\w*)\}/g;
const SCHEME = /^(?:bearer|basic|token|apikey)\s+/i;
export const SHORTEST_UNITS = 8;

/**
 * The credentials that an entry gives its upstream: the values of its variables, and of headers, variables
 * and address parts that are named like credentials. An upstream may repeat them.
 */
export function credentialsOf(entry: UpstreamEntry, environment: NodeJS.ProcessEnv): readonly KnownSecret[] {
  const given =
    'command' in entry ? Object.entries(entry.env) : [...queryOf(entry), ...Object.entries(entry.headers)];
  const { clientSecret } = ('oauth' in entry ? entry.oauth : undefined) ?? {};
  const all = [...given, ...(clientSecret === undefined ? [] : [['clientSecret', clientSecret] as const])];
  const values = all.flatMap(([name, written]) => {
    const variables = [...written.matchAll(VARIABLE)].map(({ groups }) => groups?.['variable'] ?? '');
    const filled = variables.map((variable) => environment[variable] ?? '');
    const whole = written.replaceAll(VARIABLE, (_all, variable: string) => environment[variable] ?? '');
    return [...filled, ...(NAMED.test(name) ? [whole.replace(SCHEME, ''), ...passwordOf(whole)] : [])];
  });
  // White space at the end of a value is not sent.
  return [...new Set(values.map((value) => value.trim()))]
    .filter((value) => value.length >= SHORTEST_UNITS)
    .map((value) => ({ name: 'credential', value }));
}

function queryOf(entry: Exclude<UpstreamEntry, { command: string }>): readonly (readonly [string, string])[] {
  const { url, baseUrl } = { baseUrl: undefined, ...entry };
  const queries = [url, baseUrl].map((address) => (address === undefined ? null : parseUrl(address)));
  return queries.flatMap((address) => [...(address?.searchParams ?? [])]);
}

/** For `user:password`: the password, and both in the form that is sent. */
function passwordOf(value: string): readonly string[] {
  const at = value.indexOf(':');
  if (at < 1 || /\s/.test(value)) return [];
  return [value.slice(at + 1), Buffer.from(value).toString('base64')];
}

/** Members of blocks that carry bytes as text: a picture cannot be redacted. */
const BYTES = ['data', 'blob'];
/** A model could not use more of a failure. */
const FAILURE_MAX_BYTES = 64 * 1_024;

const upstreamText = ({ type, text }: JsonObject): string | null =>
  type === 'text' && typeof text === 'string' ? text : null;
const measureAnswer = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A block with its text, and that of its resource, as {@link Cleaner.plain} says. */
function plainBlock(block: JsonObject, { plain }: Pick<Cleaner, 'plain'>): JsonObject {
  const { text, resource } = block;
  return {
    ...block,
    ...(typeof text === 'string' ? { text: plain(text) } : {}),
    ...(isObject(resource) ? { resource: plainBlock(resource, { plain }) } : {}),
  };
}

/** A block as it may leave, with its bytes unchanged. */
export async function redactBlock(came: JsonObject, redact: Cleaner): Promise<JsonObject> {
  const block = plainBlock(came, redact);
  const { resource } = block;
  const bytes = Object.entries(block).filter(([key]) => BYTES.includes(key) && block['type'] !== 'text');
  const rest = Object.fromEntries(
    Object.entries(block).filter(([key]) => key !== 'resource' && !bytes.some(([name]) => name === key)),
  );
  const shown: CleanRecord = await redact.large(rest);
  return {
    ...shown,
    ...(isObject(resource) ? { resource: await redactBlock(resource, redact) } : {}),
    ...Object.fromEntries(bytes),
  };
}

/**
 * Another MCP server's answer, passed block by block.
 * @throws SpillwayError `upstream_error` for an answer that no client could read
 */
export async function passAnswer(answer: PassedThrough, redact: Cleaner): Promise<PassedThrough> {
  const { content, structuredContent } = answer.passed;
  if (measureAnswer({ content, structuredContent }) > LIMITS.outputInlineMaxBytes)
    throw new SpillwayError('upstream_error', 'The other server answered more than 16 MiB.', {
      hint: 'Ask it for less, or remove "output": "passthrough" from its entry: then it is stored.',
      retryable: false,
    });
  return passSmall(answer, redact);
}

async function passSmall({ passed }: PassedThrough, redact: Cleaner): Promise<PassedThrough> {
  const { content, structuredContent, ...rest } = passed;
  await pause();
  const structured: CleanRecord | undefined = structuredContent && (await redact.large(structuredContent));
  const shown = await Promise.all(content.map((block) => redactBlock(block, redact)));
  return { passed: { ...rest, content: shown, ...defined({ structuredContent: structured }) } };
}

interface ShapeOptions {
  readonly redact: Cleaner;
  readonly output: OutputRequest;
  /** If it declares an output schema, clients want the object. */
  readonly tool: Pick<UpstreamTool, 'outputSchema' | 'isReadOnly'>;
  /** Names the upstream in the note that its text is untrusted. */
  readonly from: string;
}

/**
 * Another MCP server's answer under our output policy: one text, or one object, as a payload; anything else
 * block by block if it fits inline, and otherwise stored as JSON of `{ content, structuredContent }`.
 */
export async function shapeAnswer(
  came: PassedThrough['passed'],
  how: ShapeOptions,
): Promise<Produced | PassedThrough> {
  const content = came.content.map((block) => plainBlock(block, how.redact));
  const answer: PassedThrough = { passed: { ...came, content } };
  const { structuredContent } = came;
  if (came.isError) return shapeFailure(answer, how);
  const [first, ...others] = content;
  const text = others.length === 0 && first !== undefined ? upstreamText(first) : null;
  if (structuredContent === undefined && text !== null && text.trim() !== '')
    return produce(payloadOf(text), how.from);
  if (
    how.tool.outputSchema !== undefined &&
    structuredContent !== undefined &&
    saysTheSame(content, text, structuredContent)
  )
    return produce({ kind: 'json', mimeType: MIME.json, value: structuredContent }, how.from);
  if (measureAnswer({ content, structuredContent }) <= maxInlineBytes(how.output))
    return passSmall(answer, how.redact);
  const texts = content.map(upstreamText);
  if (structuredContent === undefined && texts.every((each) => each !== null))
    return produce(textPayload(texts.join('\n\n')), how.from, 'handle');
  const value: JsonObject = { content, ...defined({ structuredContent }) };
  return produce({ kind: 'json', mimeType: MIME.json, value }, how.from, 'handle');
}

async function shapeFailure(
  answer: PassedThrough,
  { redact, tool, from }: ShapeOptions,
): Promise<PassedThrough> {
  if (measureAnswer(answer.passed) <= FAILURE_MAX_BYTES) return passSmall(answer, redact);
  const [first] = answer.passed.content.map(({ text }) => text).filter((text) => typeof text === 'string');
  const start = (first ?? '').slice(0, FAILURE_MAX_BYTES);
  throw new SpillwayError('upstream_error', `${from} failed: ${start || 'it gave no reason'}`, {
    retryable: tool.isReadOnly,
    quotes: from,
  });
}

/** Whether the text only repeats the object, or is missing. */
function saysTheSame(content: readonly JsonObject[], text: string | null, structured: JsonObject): boolean {
  if (content.length === 0) return true;
  const parsed = text === null ? null : parseObject(text);
  return parsed !== null && isDeepStrictEqual(parsed, structured);
}

function parseObject(text: string): JsonObject | readonly JsonValue[] | null {
  const value = /^\s*[[{]/.test(text) && !hasMoreValues(text, ANSWER_VALUES_MAX) ? jsonIn(text) : undefined;
  return isObject(value) || isJsonList(value) ? value : null;
}

/** JSON text in the form that programs write can be queried; a text that parsing would change stays text. */
function payloadOf(text: string): RawPayload {
  const value = parseObject(text);
  const isExact = [0, 2, 4].some(
    (indent) => value !== null && JSON.stringify(value, null, indent) === text.trim(),
  );
  if (value === null || !isExact) return textPayload(text);
  if (!isJsonList(value)) return { kind: 'json', mimeType: MIME.json, value };
  return { kind: 'items', mimeType: MIME.json, items: each(value) };
}

function textPayload(text: string): RawPayload {
  return { kind: 'text', mimeType: MIME.text, chunks: each(piecesOf(text.toWellFormed())) };
}

const produce = (payload: RawPayload, from: string, deliverAs?: 'handle'): Produced => ({
  payload,
  outcome: () => ({ state: {}, coverage: [] }),
  untrustedFrom: () => from,
  ...(deliverAs === undefined ? {} : { deliverAs }),
});

/** Keywords of a schema that may forbid an added property. */
const CLOSING = (
  '$ref allOf anyOf oneOf not if propertyNames maxProperties unevaluatedProperties ' +
  '$dynamicRef patternProperties const enum'
).split(' ');
const FIELDS = ['output_mode', 'output_inline_limit_bytes'];

/**
 * Whether the two output fields can be added to a schema: it has none of that name, and nothing that could
 * forbid them.
 */
export function takesFields(schema: JsonObject): boolean {
  const { properties } = schema;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return !CLOSING.some((key) => key in schema) && !FIELDS.some((field) => own.includes(field));
}

export type { UpstreamTool, UpstreamState as UpstreamStatus } from '../core/upstreams.ts';

/** Data, never an instruction. */
export interface OfferLists {
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

export interface UpstreamSource {
  readonly status: UpstreamState;
  readonly isCut?: boolean;
  readonly tools: readonly UpstreamTool[];
  /** Notified when its tools or its status change. */
  readonly changes: Pick<Listeners<void>, 'add'>;
  /**
   * Calls one of its tools. `Produced` goes through redaction and the output policy.
   * @throws SpillwayError `upstream_error` and the codes of a call that was cancelled or timed out
   */
  call(rawName: string, args: JsonObject, context: CallContext): Promise<Produced | PassedThrough>;
  /** It is connected, and has resources or prompts. */
  readonly hasOffers?: boolean;
  /** The failure of a call while it is not connected. */
  away?(): SpillwayError;
  /** The same lists until they change. */
  readonly offers?: OfferLists;
  /**
   * Sends a request other than a tool call, by a method of MCP.
   * @throws SpillwayError `resource_not_found`, `upstream_error`, `timeout`
   */
  ask?(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Calls back with the uri of the resource, or of one below it, when it changes. Returns an unsubscribe
   * function.
   * @throws SpillwayError `resource_not_found` if it does not report changes, `upstream_error`, `timeout`
   */
  follow?(uri: string, listener: (uri: string) => void, signal: AbortSignal): Promise<() => void>;
  /** Ends connections and processes that it started. Idempotent. */
  close(): Promise<void>;
}
