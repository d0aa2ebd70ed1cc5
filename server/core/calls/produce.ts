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

/** An answer that quotes a page, its title or its dialog: fenced as page text is. It is too short to need a note. */
export const quotingPage = (produced: Produced): Produced => ({
  ...produced,
  untrustedFrom: () => undefined,
});
