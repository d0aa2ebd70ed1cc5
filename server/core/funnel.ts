import type { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { ToolResult } from './result.ts';
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
