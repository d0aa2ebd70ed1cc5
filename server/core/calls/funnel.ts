import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ToolPresentation } from '../registry/definition.ts';
import { clip } from './notes.ts';
import { publicFields } from '../registry/public-fields.ts';
import type { ContentBlock, PendingInteraction, PendingResult, ToolResult } from './result.ts';
import type { PassedThrough } from '../registry/runtime.ts';
import type { Redactor } from '../services.ts';

/** Longest text of a failure: a page, or a library, may have written it. */
const SAID_LENGTH = 2_000;

/**
 * The only way out for a failure: content is never undefined, the error is coded, what is known
 * of the state survives. Messages are redacted, since they may quote a url or a page.
 */
export function failureResult(error: SpillwayError, redactor?: Redactor, state: JsonObject = {}): ToolResult {
  const wire = error.toWire();
  const say = (text: string): string =>
    clip(redactor === undefined ? text : redactor.text(text), SAID_LENGTH);
  const cleaned = { ...wire, message: say(wire.message), hint: say(wire.hint) };
  return {
    ok: false,
    content: [{ type: 'text', text: JSON.stringify({ error: cleaned }) }],
    state,
    error: cleaned,
  };
}

/**
 * An answer of another server as it came; one without content gets an empty text. Its widgets and
 * what it says to them stay behind, in modes with widgets too: those that hosts show are ours.
 */
export function passedResult({ passed }: PassedThrough): ToolResult {
  const { content, _meta: meta } = publicFields({ content: passed.content, _meta: passed.meta }, null);
  const [first = { type: 'text', text: '' }, ...rest] = content;
  const foreign = (block: JsonObject): ContentBlock => ({ type: 'foreign', block });
  return {
    ok: !passed.isError,
    content: [foreign(first), ...rest.map(foreign)],
    state: {},
    ...(passed.structuredContent === undefined ? {} : { structured: passed.structuredContent }),
    ...(meta === undefined ? {} : { meta }),
    ...(passed.isError
      ? { error: new SpillwayError('upstream_error', saidBy(passed.content)).toWire() }
      : {}),
  };
}

const CAUSE_LENGTH = 500;

/** The cause as the other server gives it: its first text. */
function saidBy(content: readonly JsonObject[]): string {
  const text = content.map(({ text: said }) => said).find((said) => typeof said === 'string');
  return text === undefined || text === '' ? 'The other server gave no reason.' : clip(text, CAUSE_LENGTH);
}

const CAUSES_MAX = 4;

/** What another server's tool threw: coded by us, or the other server's fault, with its cause. */
export function upstreamError(thrown: unknown, tool: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  return new SpillwayError('upstream_error', `${tool}: ${clip(causeOf(thrown), CAUSE_LENGTH)}`, {
    cause: thrown,
  });
}

/** An error with what caused it, as far as it says so: `fetch failed` alone says nothing. */
function causeOf(thrown: unknown): string {
  const said: string[] = [];
  try {
    for (let error = thrown; error instanceof Error && said.length < CAUSES_MAX; error = error.cause)
      said.push(error.message || error.name);
  } catch {
    // What is asked for its message may throw in turn.
  }
  return said.length > 0 ? said.join(': ') : toSpillwayError(thrown).message;
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
  pending: PendingInteraction,
  { outputSchema, resultMeta }: Pick<ToolPresentation, 'outputSchema' | 'resultMeta'>,
): PendingResult {
  const { callId, tool, args, interaction } = pending;
  const answer: JsonObject = { pending: { call_id: callId, tool, arguments: args, interaction } };
  return {
    ok: true,
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    state: {},
    ...(outputSchema === undefined ? {} : { structured: answer }),
    ...(resultMeta === undefined ? {} : { meta: resultMeta }),
    pending,
  };
}
