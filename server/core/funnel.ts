import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { ContentBlock, PendingInteraction, ToolResult } from './result.ts';
import type { PassedThrough } from './runtime.ts';
import type { Redactor } from './services.ts';

/**
 * The only way out for a failure: content is never undefined, the error is coded, what is known
 * of the state survives. Messages are redacted, since they may quote a url or a page.
 */
export function failureResult(error: SpillwayError, redactor?: Redactor, state: JsonObject = {}): ToolResult {
  const wire = error.toWire();
  const cleaned =
    redactor === undefined
      ? wire
      : { ...wire, message: redactor.text(wire.message), hint: redactor.text(wire.hint) };
  return {
    ok: false,
    content: [{ type: 'text', text: JSON.stringify({ error: cleaned }) }],
    state,
    error: cleaned,
  };
}

/** An answer of another server as it came; one without content gets an empty text. */
export function passedResult({ passed }: PassedThrough): ToolResult {
  const [first = { type: 'text', text: '' }, ...rest] = passed.content;
  const foreign = (block: JsonObject): ContentBlock => ({ type: 'foreign', block });
  return {
    ok: !passed.isError,
    content: [foreign(first), ...rest.map(foreign)],
    state: {},
    ...(passed.structuredContent === undefined ? {} : { structured: passed.structuredContent }),
    ...(passed.meta === undefined ? {} : { meta: passed.meta }),
    ...(passed.isError
      ? { error: new SpillwayError('upstream_error', 'The other server says so.').toWire() }
      : {}),
  };
}

/** A call that a person is asked about: nothing was executed. */
export function pendingResult(pending: PendingInteraction): ToolResult {
  const { callId, tool, interaction } = pending;
  const text = JSON.stringify({ pending: { call_id: callId, tool, interaction } });
  return { ok: true, content: [{ type: 'text', text }], state: {}, pending };
}
