import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { Produced } from '../payload.ts';

/** A small JSON answer that is known at once: receipts, lists of tabs, health. */
export function produceJson(value: JsonValue, state: JsonObject = {}): Produced {
  return {
    payload: { kind: 'json', mimeType: MIME.json, value },
    done: Promise.resolve({ state, coverage: [] }),
  };
}

/** An answer about a call, not its output: inline in every output mode. */
export function produceReceipt(value: JsonValue): Produced {
  return { ...produceJson(value), deliverAs: 'inline' };
}
