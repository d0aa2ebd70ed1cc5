import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { MimeType } from '../../shared/mime.ts';

/**
 * What a runtime produces: lazy, consumed exactly once, never one giant string. Text chunks are
 * well-formed UTF-16; a code point never spans two chunks.
 */
export type Payload =
  | { readonly kind: 'items'; readonly mimeType: MimeType; readonly items: AsyncIterable<JsonValue> }
  | {
      readonly kind: 'json';
      readonly mimeType: MimeType;
      readonly value: JsonValue;
      /** Content that was redacted before it was stored: a page of it is not redacted again. */
      readonly verbatim?: true;
    }
  | { readonly kind: 'text'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<string> }
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
}
