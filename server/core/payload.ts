import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { MimeType } from '../../shared/mime.ts';
import type { CleanJson, CleanText } from '../redact/clean.ts';

/** What redaction did to one payload, complete once the payload was consumed. */
export interface RedactionReport {
  /** Counts by rule name. */
  readonly secrets: Readonly<Record<string, number>>;
  readonly invisibleCharacters: number;
  /** Names of phrases that read like an instruction to a model; they stay in the text. */
  readonly instructionLike: number;
}

/** Set on a payload whose content was redacted before it was stored: it is not redacted again. */
interface Verbatim {
  readonly verbatim?: true;
}

/**
 * What a runtime produces: lazy, consumed exactly once, never one giant string. Text chunks are
 * well-formed UTF-16; a code point never spans two chunks.
 */
export type Payload = Verbatim &
  (
    | { readonly kind: 'items'; readonly mimeType: MimeType; readonly items: AsyncIterable<JsonValue> }
    | { readonly kind: 'json'; readonly mimeType: MimeType; readonly value: JsonValue }
    | { readonly kind: 'text'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<string> }
    | { readonly kind: 'bytes'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<Uint8Array> }
  );

/** A payload that a redactor wraps: whatever is read of it is clean. Bytes pass untouched. */
export type CleanPayload =
  | { readonly kind: 'items'; readonly mimeType: MimeType; readonly items: AsyncIterable<CleanJson> }
  | { readonly kind: 'json'; readonly mimeType: MimeType; readonly value: CleanJson }
  | { readonly kind: 'text'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<CleanText> }
  | { readonly kind: 'bytes'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<Uint8Array> };

/** What is known once a payload has been consumed. */
export interface Outcome {
  /** The envelope of a collection, facts of a page: kept beside the payload, survives failure. */
  readonly state: JsonObject;
  /** Short sentences on what could not be read. */
  readonly coverage: readonly string[];
}

/**
 * What a runtime returns. `done` settles after the payload was consumed; it rejects when the
 * source failed, in which case consuming the payload throws the same error.
 */
export interface Produced {
  readonly payload: Payload;
  readonly done: Promise<Outcome>;
  /** Where page text comes from; set, the notes say that it is untrusted. */
  readonly untrustedFrom?: () => string | undefined;
  /**
   * The answer is about the call and not its output (a run id, a receipt: `inline`), or its bytes
   * are asked for as a handle whatever the mode (`handle`).
   */
  readonly deliverAs?: 'inline' | 'handle';
  /** The payload is in the store already: a handle answers this one, and nothing is copied. */
  readonly sealed?: string;
  /** What redaction did to a verbatim payload when it was stored. */
  readonly redacted?: RedactionReport;
  /** Asks the caller to stop its work after this answer. */
  readonly stop?: boolean;
}
