import { SpillwayError, type WireError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ToolPresentation } from '../registry/definition.ts';
import { cut } from '../../../shared/cut.ts';
import {
  type Clean,
  type CleanRecord,
  type CleanText,
  cleanJsonText,
  clipClean,
} from '../../redact/clean.ts';
import { publicFields } from '../registry/public-fields.ts';
import type { ContentBlock, PendingResult, ToolResult } from '../result.ts';
import { untrustedNote } from './notes.ts';
import type { PassedThrough } from '../registry/runtime.ts';
import type { Redactor } from '../services.ts';

/** Longest text of a failure: a page, or a library, may have written it. */
const MESSAGE_LENGTH = 2_000;

/** A failure and what is known of the state, redacted: messages may quote an address or a page. */
function redactFailure(
  error: SpillwayError,
  redactor: Redactor,
  state: JsonObject = {},
): { readonly error: Clean<WireError>; readonly state: CleanRecord } {
  const { code, message, hint, retryable } = error.toWire();
  const parts = { failure: { message, hint }, known: { ...error.state, ...state }, body: error.body ?? {} };
  const { failure, known, body } = redactor.value(parts);
  const shown = {
    code,
    message: clipClean(failure.message, MESSAGE_LENGTH),
    hint: clipClean(failure.hint, MESSAGE_LENGTH),
    retryable,
  };
  return { error: error.body === undefined ? shown : { ...shown, body }, state: known };
}

/**
 * The only way out for a failure: content is never undefined, the error is coded, what is known
 * of the state survives.
 */
export function failureResult(thrown: SpillwayError, redactor: Redactor, known?: JsonObject): ToolResult {
  const { error, state } = redactFailure(thrown, redactor, known);
  const { body: _, ...shown } = error;
  return { ok: false, content: [{ type: 'text', text: cleanJsonText({ error: shown }) }], state, error };
}

/**
 * An answer of another server as it came; one that is blank gets its object as text, or says that there is nothing. Its widgets and
 * what it says to them stay behind, in modes with widgets too: those that hosts show are ours.
 *
 * @throws SpillwayError `upstream_error` for a failure that says nothing
 */
export function passedResult({ passed, untrustedFrom }: PassedThrough, redactor: Redactor): ToolResult {
  const upstreamError = new SpillwayError('upstream_error', reasonOf(passed.content));
  const { structuredContent } = passed;
  const hasObject = structuredContent !== undefined && Object.keys(structuredContent).length > 0;
  const isEmpty = !hasObject && isSilent(passed.content);
  if (passed.isError && isEmpty) throw upstreamError;
  const { content, _meta: meta } = publicFields({ content: passed.content, _meta: passed.meta }, null);
  // Clients that show text alone would see nothing: neither an answer, nor the reason of a failure.
  const text = hasObject ? JSON.stringify(structuredContent) : NO_CONTENT;
  const instead: JsonObject = { type: 'text', text };
  const [first = instead, ...rest] = isSilent(passed.content) ? [instead] : content;
  const source = untrustedFrom === undefined || isEmpty ? null : redactor.value({ untrustedFrom });
  const notes: readonly ContentBlock[] =
    source === null ? [] : [{ type: 'text', text: untrustedNote(source.untrustedFrom) }];
  const foreign = (block: JsonObject): ContentBlock => ({ type: 'foreign', block });
  return {
    ok: !passed.isError,
    content: [foreign(first), ...rest.map(foreign), ...notes],
    state: {},
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(meta === undefined ? {} : { meta }),
    ...(passed.isError ? { error: redactFailure(upstreamError, redactor).error } : {}),
  };
}

/** A result with one more note, which came when its notes had been written. */
export function withNote(result: ToolResult, note: CleanText): ToolResult {
  return { ...result, content: [...result.content, { type: 'text', text: note }] };
}

/** For a model, which may take an empty answer for a failure of its own. */
const NO_CONTENT = 'The other server answered without content.';

const CAUSE_LENGTH = 500;

/** Whether a failure has no content that a client could show. */
export const isSilent = (content: readonly object[]): boolean =>
  content.every((block) => 'type' in block && block.type === 'text' && isBlank(block));

const isBlank = (block: object): boolean =>
  !('text' in block) || typeof block.text !== 'string' || block.text.trim() === '';

/** The cause as the other server gives it: its first text. */
function reasonOf(content: readonly JsonObject[]): string {
  const text = content.map(({ text: said }) => said).find((said) => typeof said === 'string');
  return text === undefined || text.trim() === ''
    ? 'The other server gave no reason.'
    : cut(text, CAUSE_LENGTH);
}

/** Where something was thrown, if it says so. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error ? thrown.stack : undefined;
  } catch {
    return undefined;
  }
}

/** A call that a person is asked about: nothing was executed. */
export function pendingResult(
  asked: {
    readonly callId: string;
    readonly tool: string;
    readonly args: JsonObject;
    readonly interaction: JsonObject;
  },
  { outputSchema, resultMeta }: Pick<ToolPresentation, 'outputSchema' | 'resultMeta'>,
  redactor: Redactor,
): PendingResult {
  const { callId, tool } = asked;
  const answer = redactor.value({
    pending: { call_id: callId, tool, arguments: asked.args, interaction: asked.interaction },
  });
  const { arguments: args, interaction } = answer.pending;
  return {
    ok: true,
    content: [{ type: 'text', text: cleanJsonText(answer) }],
    state: {},
    ...(outputSchema === undefined ? {} : { structured: answer }),
    ...(resultMeta === undefined ? {} : { meta: resultMeta }),
    pending: { callId, tool, args, interaction },
  };
}
