import { lookUp, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import type { Clean, CleanRecord, CleanText, CleanBytes, CleanJson } from '../libraries/redaction/clean.ts';
import type { SpillwayError, WireError } from '../../shared/base/errors.ts';
import type { OutputDescriptor, OutputMode } from '../../shared/core/descriptor.ts';
import type { MimeType } from '../../shared/base/mime.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { ToolManifest } from '../../shared/core/tools/manifest.ts';

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
      readonly mimeType: string;
    }
  | {
      readonly type: 'blob';
      /** Base64. */
      readonly data: CleanText;
      readonly mimeType: string;
      /** Names the bytes within this answer only. */
      readonly uri: string;
    }
  /** Another server's block, in MCP's form, unchanged. */
  | { readonly type: 'foreign'; readonly block: JsonObject };

/** A question to a person that a call waits for. */
export interface PendingInteraction {
  /** The id for deciding it and awaiting its end (`Questions.decide`, `Questions.settled`). */
  readonly callId: string;
  readonly tool: string;
  /** Redacted; the call itself keeps the original. */
  readonly args: CleanRecord;
  readonly interaction: CleanRecord;
}

/**
 * The end of every call. `content` is never empty: its first block is the payload, the descriptor or the
 * error, and nothing else; a second one, if any, has notes.
 */
export interface ToolResult {
  readonly ok: boolean;
  readonly content: readonly [ContentBlock, ...ContentBlock[]];
  /** Survives failure. */
  readonly state: CleanRecord;
  readonly error?: Clean<WireError>;
  readonly kind?: RawPayload['kind'];
  /** Set when the payload was stored. */
  readonly descriptor?: OutputDescriptor;
  /** The payload or the descriptor as an object, in a mode that sends it; bounded like `content`. */
  readonly structured?: JsonObject;
  /** The mode's text as an object, for people at the browsers. */
  readonly shown?: CleanRecord;
  /** `_meta` of the mode's widgets, or the protocol's part of an upstream's. Adapters send it. */
  readonly meta?: JsonObject;
  /** Set when a person is asked: nothing was executed yet. */
  readonly pending?: PendingInteraction;
  /** Set when the caller should stop its work. */
  readonly stop?: boolean;
  readonly own?: unknown;
  /** Where its text is from: an address, `the upstream github`, `the open tabs`. */
  readonly from?: CleanText | undefined;
}

/** The answer to a call that waits for a person. */
export type PendingResult = ToolResult & { readonly pending: PendingInteraction };

export interface RedactionReport {
  /** Counts by rule name. */
  readonly secrets: Readonly<Record<string, number>>;
  readonly invisibleCharacters: number;
  /** Names of phrases that read like an instruction to a model; they stay in the text. */
  readonly instructionLike: number;
}

/** Adds up reports; it grows with each. */
export class ReportSum implements RedactionReport {
  secrets: Readonly<Record<string, number>> = {};
  invisibleCharacters = 0;
  instructionLike = 0;

  constructor(...reports: readonly RedactionReport[]) {
    for (const report of reports) this.add(report);
  }

  add({ secrets, invisibleCharacters, instructionLike }: RedactionReport): void {
    for (const [rule, count] of Object.entries(secrets))
      this.secrets = { ...this.secrets, [rule]: (lookUp(this.secrets, rule) ?? 0) + count };
    this.invisibleCharacters += invisibleCharacters;
    this.instructionLike += instructionLike;
  }
}

/**
 * A runtime's product: lazy, consumed exactly once, never one giant string. Text chunks are well-formed
 * UTF-16; a code point never spans two chunks.
 */
type PayloadOf<Json, Text, Bytes> =
  | { readonly kind: 'items'; readonly mimeType: MimeType; readonly items: AsyncIterable<Json> }
  | { readonly kind: 'json'; readonly mimeType: MimeType; readonly value: Json }
  | { readonly kind: 'text'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<Text> }
  | { readonly kind: 'bytes'; readonly mimeType: MimeType; readonly chunks: AsyncIterable<Bytes> };

/** Raw from a page, a browser or another program: the executor redacts it. */
export type RawPayload = PayloadOf<JsonValue, string, Uint8Array>;

/** Redacted, or of our own making: only this may be delivered or stored. */
export type CleanPayload = PayloadOf<CleanJson, CleanText, CleanBytes>;

export interface Outcome {
  /** The envelope of a collection, facts of a page: kept separately from the payload, survives failure. */
  readonly state: JsonObject;
  /** Short sentences about unread content. */
  readonly coverage: readonly string[];
  /** For a run with one item that is the whole answer: its type, JSON or a text. */
  readonly single?: MimeType;
  /**
   * The source of a run's page text, if that is known only at its end; null for none. The default is the one
   * given at its start.
   */
  readonly source?: string | null;
  /** A run that did the rest of its work, but has to be resumed for what this names, has failed. */
  readonly failure?: SpillwayError | undefined;
}

export type Produced = ProducedFacts &
  (
    | {
        readonly payload: RawPayload;
        /** Picks the delivered part after redaction: alone, a part may not be recognisable as a secret. */
        readonly pick?: (payload: CleanPayload) => CleanPayload;
      }
    /** Redacted before it was stored: returned exactly, with the report of that redaction. */
    | { readonly clean: CleanPayload; readonly redacted?: RedactionReport }
  );

/** A payload on its way to its reader. */
export type Deliverable = Omit<ProducedFacts, 'untrustedFrom'> & {
  readonly payload: CleanPayload;
  readonly untrustedFrom?: () => CleanText | undefined;
};

interface ProducedFacts {
  /** Asked for once the payload was consumed; it may throw before. */
  readonly outcome: () => Outcome;
  /** The source of page text; if set, the notes say that it is untrusted. */
  readonly untrustedFrom?: () => string | undefined;
  /**
   * The answer is about the call and not its output (a run id, a receipt: `inline`), or the call asks for a
   * handle in every mode (`handle`).
   */
  readonly deliverAs?: 'inline' | 'handle';
  /** It only says that a run was started. */
  readonly isRunReceipt?: boolean;
  /** Pictures in base64: the beginning of one is useless as a preview. */
  readonly isOpaque?: boolean;
  readonly description?: CleanRecord;
  /** A lower bound than the mode's: larger payloads are stored. */
  readonly inlineMaxBytes?: number;
  /** The payload is already in the store: its handle answers this call, and nothing is copied. */
  readonly sealed?: string;
  /** Asks the caller to stop its work after this answer. */
  readonly stop?: boolean;
}

/**
 * How one call's output is delivered. {@link resolveOutput} decides it once, from validated arguments; the
 * call carries it.
 */
export interface OutputRequest {
  readonly mode: OutputMode;
  /** The limit of `auto`, bytes. */
  readonly inlineLimitBytes: number;
}

/** Resolves how a call's output is delivered, from its validated arguments and the server's default. */
export function resolveOutput(
  manifest: Pick<ToolManifest, 'spills'>,
  args: Readonly<Record<string, unknown>>,
  modeDefault: OutputMode,
): OutputRequest {
  if (!manifest.spills) return { mode: 'inline', inlineLimitBytes: LIMITS.outputInlineLimitBytes };
  const mode = args['output_mode'];
  const limit = args['output_inline_limit_bytes'];
  return {
    mode: mode === 'inline' || mode === 'handle' || mode === 'auto' ? mode : modeDefault,
    inlineLimitBytes: typeof limit === 'number' ? limit : LIMITS.outputInlineLimitBytes,
  };
}

/** Maximum bytes written inline; larger payloads are stored. -1 stores an empty payload too. */
export function maxInlineBytes({ mode, inlineLimitBytes }: OutputRequest): number {
  if (mode === 'handle') return -1;
  if (mode === 'inline') return LIMITS.outputInlineMaxBytes;
  return Math.min(inlineLimitBytes, LIMITS.outputInlineMaxBytes);
}

/** Whether a handle was requested, now that the size of the output is known. */
export const asksForHandle = (request: OutputRequest, sizeBytes: number): boolean =>
  request.mode !== 'inline' && sizeBytes > maxInlineBytes(request);
