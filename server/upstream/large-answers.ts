import { SpillwayError } from '../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import type { CleanPayload, Produced, RawPayload } from '../core/result.ts';
import { clean, cleanJsonText, sliceClean, type CleanText } from '../redact/clean.ts';
import { plainBlock } from './answers.ts';
import type { Cleaner, UpstreamCleaners } from './cleaner.ts';
import { readList } from './openapi/items.ts';
import { plainChunks } from './plain-json.ts';
import type { LargePassed } from './source.ts';
import type { Spooled } from './spool.ts';

/** A model could not use more of a failure. */
const FAILURE_MAX_BYTES = 64 * 1_024;

type Values = ReadonlyMap<string, Spooled>;

/** How an answer is shaped. */
interface LargeOptions {
  /** Names the upstream. */
  readonly from: string;
  readonly output: 'policy' | 'passthrough';
  readonly redactors: UpstreamCleaners;
}

/**
 * An answer of another MCP server that is too large to be inline, as a payload that is read from the disk: one text, or the items of a
 * text that is a JSON list; several texts; anything else as JSON of `{ content, structuredContent }`.
 *
 * @throws SpillwayError `upstream_error` for a failure, and where the entry has `passthrough`
 */
export async function shapeLarge(answer: LargePassed, how: LargeOptions): Promise<Produced> {
  const { from, output, redactors } = how;
  if (answer.large.isError)
    throw new SpillwayError('upstream_error', `${from} failed: ${await reasonOf(answer)}`);
  if (output === 'passthrough')
    throw new SpillwayError('upstream_error', 'The other server answered more than 16 MiB.', {
      hint: 'Ask it for less, or remove "output": "passthrough" from its entry: then it is stored.',
    });
  const facts = {
    done: Promise.resolve({ state: {}, coverage: [] }),
    untrustedFrom: () => from,
    deliverAs: 'handle' as const,
  };
  const { values } = answer;
  const content = answer.large.content.map((block) => plainBlock(block, redactors.redact));
  const plain = { values, large: { ...answer.large, content } };
  const payload = (await objectOf(plain)) ?? (await textOf(plain));
  if (payload !== null) return { ...facts, payload: redactors.redactOwn.payload(payload) };
  const { structuredContent } = answer.large;
  const value: JsonObject = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  const chunks = jsonOf(value, values, redactors.redact);
  return { ...facts, clean: { kind: 'text', mimeType: MIME.json, chunks } };
}

/** The object of an answer that has nothing else; most servers say it once more as text. */
async function objectOf({ large, values }: LargePassed): Promise<RawPayload | null> {
  const { content, structuredContent } = large;
  const structured = typeof structuredContent === 'string' ? values.get(structuredContent) : undefined;
  const [only = null, ...others] = textsOf(content);
  const isAlone = content.length === 0 || (others.length === 0 && only !== null);
  if (structured === undefined || !isAlone) return null;
  if (only !== null && !(await isSame(structured, values.get(only)))) return null;
  return { kind: 'text', mimeType: MIME.json, chunks: structured.text() };
}

/** The text of an answer that has nothing else. */
async function textOf({ large, values }: LargePassed): Promise<RawPayload | null> {
  const texts = textsOf(large.content);
  if (large.structuredContent !== undefined || texts.some((text) => text === null)) return null;
  const [only = null, ...others] = texts;
  const spooled = only === null || others.length > 0 ? undefined : values.get(only);
  return spooled === undefined
    ? { kind: 'text', mimeType: MIME.text, chunks: joined(texts, values) }
    : payloadOf(spooled);
}

const textsOf = (content: readonly JsonObject[]): readonly (string | null)[] =>
  content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : null));

async function reasonOf({ large: { content }, values }: LargePassed): Promise<string> {
  const reason = content.map(({ text }) => text).find((text) => typeof text === 'string');
  if (reason === undefined) return 'it gave no reason';
  const spooled = values.get(reason);
  if (spooled === undefined) return reason.slice(0, FAILURE_MAX_BYTES);
  let start = '';
  for await (const part of spooled.text(FAILURE_MAX_BYTES)) start += part;
  return start;
}

async function isSame(one: Spooled, other: Spooled | undefined): Promise<boolean> {
  if (other?.sizeBytes !== one.sizeBytes) return false;
  const chunks = other.bytes();
  for await (const chunk of one.bytes()) {
    const next = await chunks.next();
    if (next.done === true || Buffer.compare(chunk, next.value) !== 0) return false;
  }
  return true;
}

/** A text that is a JSON list as programs write it can be asked questions; what a parse would change stays text. */
async function payloadOf(spooled: Spooled): Promise<RawPayload> {
  if (await isExactList(spooled))
    return { kind: 'items', mimeType: MIME.json, items: readList(spooled.text()) };
  return { kind: 'text', mimeType: MIME.text, chunks: plainChunks(spooled) };
}

/** Whether a text is what `JSON.stringify` makes of its list. */
async function isExactList(spooled: Spooled): Promise<boolean> {
  const seen = new Seen();
  let lead = '[';
  try {
    for await (const item of readList(seen.of(spooled.text()))) {
      if (!seen.next(lead + JSON.stringify(item))) return false;
      lead = ',';
    }
  } catch (thrown) {
    if (thrown instanceof SpillwayError && thrown.code === 'upstream_error') return false;
    throw thrown;
  }
  return seen.next(lead === '[' ? '[]' : ']') && seen.isOver;
}

/** The text that has passed and is not compared yet. */
class Seen {
  #text = '';
  #at = 0;

  async *of(chunks: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      this.#text = this.#text.slice(this.#at) + chunk;
      this.#at = 0;
      yield chunk;
    }
  }

  next(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  get isOver(): boolean {
    return this.#at === this.#text.length;
  }
}

async function* joined(texts: readonly (string | null)[], values: Values): AsyncGenerator<string, void> {
  let lead = '';
  for (const text of texts) {
    if (lead !== '') yield lead;
    lead = '\n\n';
    const spooled = values.get(text ?? '');
    if (spooled !== undefined) yield* plainChunks(spooled);
    else if (text !== null && text !== '') yield text.toWellFormed();
  }
}

/** A value as JSON, each part redacted before it is written: of an escaped secret nobody knows what it is. */
async function* jsonOf(value: JsonValue, values: Values, redact: Cleaner): AsyncGenerator<CleanText, void> {
  const spooled = typeof value === 'string' ? values.get(value) : undefined;
  if (spooled !== undefined) yield* spooledJson(spooled, redact);
  else if (isJsonList(value) && holds(value, values)) {
    let lead = clean`[`;
    for (const each of value) {
      yield lead;
      yield* jsonOf(each, values, redact);
      lead = clean`,`;
    }
    yield clean`]`;
  } else if (isObject(value) && holds(value, values)) {
    let lead = clean`{`;
    for (const [key, member = null] of Object.entries(value)) {
      // The name of a member says what it holds.
      const alone: JsonObject = { [key]: holds(member, values) ? null : member };
      const text = cleanJsonText(redact.json(alone));
      const end = text.length - (holds(member, values) ? '}null'.length : 1);
      yield clean`${lead}${sliceClean(text, 1, end)}`;
      if (holds(member, values)) yield* jsonOf(member, values, redact);
      lead = clean`,`;
    }
    yield clean`}`;
  } else yield cleanJsonText(redact.json(value));
}

const holds = (value: JsonValue | undefined, values: Values): boolean => {
  if (typeof value === 'string') return values.has(value);
  if (isJsonList(value)) return value.some((each) => holds(each, values));
  return isObject(value) && Object.values(value).some((each) => holds(each, values));
};

async function* spooledJson(spooled: Spooled, redact: Cleaner): AsyncGenerator<CleanText, void> {
  const payload: CleanPayload = redact.payload({
    kind: 'text',
    mimeType: spooled.isJson ? MIME.json : MIME.text,
    chunks: spooled.isJson ? spooled.text() : plainChunks(spooled),
  });
  if (payload.kind !== 'text') return;
  if (!spooled.isJson) yield clean`"`;
  for await (const chunk of payload.chunks) {
    const quoted = cleanJsonText(chunk);
    yield spooled.isJson ? chunk : sliceClean(quoted, 1, quoted.length - 1);
  }
  if (!spooled.isJson) yield clean`"`;
}
