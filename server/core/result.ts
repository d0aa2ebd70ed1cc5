import type { JsonObject } from '../../shared/json.ts';
import type { Clean, CleanRecord, CleanText } from '../redact/clean.ts';
import type { WireError } from '../../shared/errors.ts';
import type { RawPayload } from './payload.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';

/** One block of a result, in no wire's format. Adapters map it. */
export type ContentBlock =
  | {
      readonly type: 'text';
      /** The payload, the descriptor as JSON, the error as JSON, or notes. */
      readonly text: CleanText;
    }
  | {
      readonly type: 'image';
      /** Base64. */
      readonly data: CleanText;
      /** Of the picture. */
      readonly mimeType: string;
    }
  | {
      readonly type: 'blob';
      /** Base64. */
      readonly data: CleanText;
      /** Of the bytes. */
      readonly mimeType: string;
      /** Names the bytes in this answer only. */
      readonly uri: string;
    }
  /** A block of another server, in MCP's form, as it came. */
  | { readonly type: 'foreign'; readonly block: JsonObject };

/** A question to a person that a call waits for. */
export interface PendingInteraction {
  /** By which it is decided and its end is met (`Executor.decide`, `Executor.settled`). */
  readonly callId: string;
  readonly tool: string;
  /** Redacted: the call itself keeps what it was given. */
  readonly args: CleanRecord;
  readonly interaction: CleanRecord;
}

/**
 * The end of every call. `content` is never empty: its first block is the payload,
 * the descriptor or the error, and nothing else; a second one, when there is one, holds notes.
 */
export interface ToolResult {
  readonly ok: boolean;
  readonly content: readonly [ContentBlock, ...ContentBlock[]];
  /** Survives failure. */
  readonly state: CleanRecord;
  readonly error?: Clean<WireError>;
  /** What the payload is, if it is in `content`. */
  readonly kind?: RawPayload['kind'];
  /** Set when the payload was stored. */
  readonly descriptor?: OutputDescriptor;
  /** The payload or the descriptor as an object, in a mode that sends it; bounded like `content`. */
  readonly structured?: JsonObject;
  /** What a text of the mode says, as an object: for people at the browsers. */
  readonly shown?: CleanRecord;
  /** `_meta` of the mode's widgets, or what an upstream's has of the protocol. Adapters let it out. */
  readonly meta?: JsonObject;
  /** Set when a person is asked: nothing was executed yet. */
  readonly pending?: PendingInteraction;
  /** Set when the caller should stop its work. */
  readonly stop?: boolean;
  /** What a tool of the caller's own answered, redacted, in the form that the tool gave it. */
  readonly own?: unknown;
}

/** The answer to a call that waits for a person. */
export type PendingResult = ToolResult & { readonly pending: PendingInteraction };
