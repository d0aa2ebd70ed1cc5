import type { JsonValue } from '../../shared/json.ts';
import { withoutEscapes } from '../../shared/json-escapes.ts';
import { parseJson } from '../../shared/json-schema.ts';
import type { CleanPayload, RawPayload } from '../core/result.ts';
import type { KnownSecret, Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';

/** A text without the escapes that it does not need, if it is JSON: they could hide a secret from the rules for text. */
export function plainText(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[[{"]/.test(text)) return text;
  try {
    parseJson(text);
  } catch {
    return text;
  }
  return withoutEscapes(text);
}

/** Redacts what an upstream says: the door through which all of it passes. */
export interface Cleaner {
  /** Values; their shapes stay. */
  json<T extends JsonValue>(value: T): Clean<T>;
  payload(payload: RawPayload): CleanPayload;
  /** A text that is JSON, before it is redacted: without escapes that hide what the rules for text look for. */
  plain(this: void, text: string): string;
}

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

/** Cleaners that are made again when the secrets that they know have changed. */
export function changingCleaners(
  secretsNow: () => readonly KnownSecret[],
  make: (secrets: readonly KnownSecret[]) => UpstreamCleaners,
): UpstreamCleaners {
  let known: readonly KnownSecret[] = secretsNow();
  let made = make(known);
  const now = (): UpstreamCleaners => {
    const secrets = secretsNow();
    const isSame =
      secrets.length === known.length && secrets.every(({ value }, at) => known[at]?.value === value);
    if (!isSame) [known, made] = [secrets, make(secrets)];
    return made;
  };
  const cleaner = (of: keyof UpstreamCleaners): Cleaner => ({
    json: (value) => now()[of].json(value),
    payload: (payload) => now()[of].payload(payload),
    plain: (text) => now()[of].plain(text),
  });
  return { redact: cleaner('redact'), redactOwn: cleaner('redactOwn') };
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
