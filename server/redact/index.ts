import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isJsonText, JsonEscapes } from '../../shared/json-escapes.ts';
import type { CleanPayload, RawPayload, RedactionReport } from '../core/result.ts';
import type { KnownSecret, Redactor } from '../core/services.ts';
import { redactKnown } from './exact/redactor.ts';
import { cleanExchange } from './exchange.ts';
import { cleanJson } from './json-value.ts';
import { mapPayload, Tally } from './tally.ts';
import { TextStream, cleanText } from './text-stream.ts';
import { vouch, vouchAs } from './mark.ts';

function cleanPayload(payload: RawPayload, tally: Tally): CleanPayload {
  const cleaned = mapPayload(payload, {
    value: (value) => cleanJson(value, tally),
    text: (mimeType) => {
      // A JSON parser reads a secret whatever its escapes are.
      const escapes = isJsonText(mimeType) ? new JsonEscapes() : null;
      const stream = new TextStream(tally);
      return {
        push: (chunk) => stream.push(escapes?.push(chunk) ?? chunk),
        flush: () => stream.push(escapes?.flush() ?? '') + stream.flush(),
      };
    },
  });
  return vouchAs<RawPayload, CleanPayload>(cleaned);
}

const NOTHING: RedactionReport = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };

/** Passes everything through: the same objects, nothing counted. */
const passThrough: Redactor = {
  enabled: false,
  hasKnownSecrets: false,
  payload: (payload) => ({ payload: vouchAs<RawPayload, CleanPayload>(payload), report: () => NOTHING }),
  value: vouch,
  exchange: (entry) => ({ entry: vouch(entry), report: NOTHING }),
  text: vouch,
};

const active: Redactor = {
  enabled: true,
  hasKnownSecrets: false,
  payload(payload) {
    const tally = new Tally();
    return { payload: cleanPayload(payload, tally), report: () => tally.report() };
  },
  value<T extends JsonValue>(value: T) {
    // Only leaves change, and a secret number becomes text; callers read the result as JSON.
    return vouch(cleanJson(value, new Tally()) as T);
  },
  exchange<T extends JsonObject>(entry: T) {
    const tally = new Tally();
    // As above: leaves change, the shape does not.
    return { entry: vouch(cleanExchange(entry, tally) as T), report: tally.report() };
  },
  text: (text) => vouch(cleanText(text, new Tally())),
};

export interface RedactorOptions {
  /** False for `--no-sanitize-content`: texts pass unchanged, except values of `secrets`. */
  readonly enabled: boolean;
  /** Values that are replaced wherever they occur, even if `enabled` is false: those of `--secrets`. */
  readonly secrets?: readonly KnownSecret[];
}

/**
 * Makes the redactor. Secrets become `«redacted:kind»`, the same for the same content; characters that a
 * person cannot see are removed; phrases that read like an instruction to a model are counted and stay. Bytes
 * pass untouched: a picture cannot be redacted.
 */
export function createRedactor({ enabled, secrets = [] }: RedactorOptions): Redactor {
  const redactor = enabled ? active : passThrough;
  return secrets.length === 0 ? redactor : redactKnown(redactor, secrets);
}
