import type { JsonValue } from '../../shared/json.ts';
import type { CleanPayload, RawPayload } from '../core/payload.ts';
import type { Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import { plainText } from './plain-json.ts';

/** Redacts what an upstream says: the door through which all of it passes. */
export interface Cleaner {
  /** Values; their shapes stay. */
  json<T extends JsonValue>(value: T): Clean<T>;
  /** What streams into the store. */
  payload(payload: RawPayload): CleanPayload;
  /** A text that is JSON, before it is redacted: without escapes that hide what the rules for text look for. */
  plain(this: void, text: string): string;
}

/** How one upstream's texts are cleaned. */
export interface UpstreamCleaners {
  /** Everything that is secret or invisible, and the credentials of its entry. */
  readonly redact: Cleaner;
  /** Values of `--secrets`, and the credentials of its entry. */
  readonly redactOwn: Cleaner;
}

/** @param redactors of everything, and of known secrets alone */
export function cleanersOf(redactors: {
  readonly all: Redactor;
  readonly known: Redactor;
}): UpstreamCleaners {
  return {
    redact: cleanerOf(redactors.all, plainText),
    redactOwn: cleanerOf(redactors.known, (text) => text),
  };
}

const cleanerOf = (redactor: Redactor, plain: Cleaner['plain']): Cleaner => ({
  plain,
  json<T extends JsonValue>(value: T): Clean<T> {
    return redactor.value(value);
  },
  payload(payload: RawPayload): CleanPayload {
    return redactor.payload(payload).payload;
  },
});
