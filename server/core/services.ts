import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
  StreamMethodParams,
} from '../../shared/bridge/methods.ts';
import type { BrowserFacts } from '../../shared/bridge/hello.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { ActFacts } from '../../shared/policy/ledger-facts.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { Clean, CleanBytes, CleanRecord, CleanText } from '../redact/clean.ts';
import type { MimeType } from '../../shared/mime.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import type { OutputPage } from '../../shared/output/page.ts';
import type { CleanPayload, Deliverable, Outcome, RawPayload, RedactionReport } from './payload.ts';
import type { ContentBlock, ToolResult } from './result.ts';
import type { AskPerson } from './ask-person.ts';
import type { OutputRequest } from './output-request.ts';

export type {
  Journal,
  JournalEntry,
  JournalLineRecord,
  JournalPage,
  JournalPageQuery,
  JournalQuery,
} from './journal.ts';

/*
 * The narrow interfaces through which tools and executor reach the rest of the server. Each is
 * implemented in the room that its comment names; nothing here imports an implementation.
 */

/** Time, injected so that tests can jump. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /**
   * Monotonic, milliseconds since boot (`process.hrtime`): servers that share a store compare
   * readings.
   */
  monotonic(): number;
}

/** What the server logs through, in pino's shape. `createLogFeed` redacts each line before it is written. */
export interface Logger {
  readonly debug: (facts: object, message: string) => void;
  readonly info: (facts: object, message: string) => void;
  readonly warn: (facts: object, message: string) => void;
  readonly error: (facts: object, message: string) => void;
}

/** Where redacted lines are written: pino on stderr, or the logger of a program. Never stdout. */
export interface LogSink {
  // Properties, not methods, whose parameters TypeScript would compare both ways: a sink is not a Logger.
  readonly debug: (facts: CleanRecord, message: CleanText) => void;
  readonly info: (facts: CleanRecord, message: CleanText) => void;
  readonly warn: (facts: CleanRecord, message: CleanText) => void;
  readonly error: (facts: CleanRecord, message: CleanText) => void;
}

// ---- bridge/ -----------------------------------------------------------------------------------

/** `b1`, `b2`, …: given by this server in the order of arrival, kept per extension instance. */
export type BrowserId = `b${number}`;

/** One browser as this server sees it. It stays known (connected: false) after it has disconnected. */
export interface BrowserState {
  readonly id: BrowserId;
  readonly connected: boolean;
  /** The extension's instance id: one per profile. */
  readonly instance: string;
  readonly facts: BrowserFacts;
  readonly extensionVersion: string;
  readonly hostVersion: string;
  readonly wire: number;
  /** How often this server connected to this profile again. */
  readonly reconnects: number;
}

export interface BridgeCallOptions {
  /** The agent and the call that the browser is asked for; null for what the server does by itself. */
  readonly call: CallScope | null;
  readonly signal?: AbortSignal;
  /** Longest silence; each frame of the call (chunk, progress) restarts it. Default LIMITS.callTimeoutMs. */
  readonly idleTimeoutMs?: number;
  /** Called before the request is sent. A call that fails without it has had no effect. */
  readonly onSend?: () => void;
}

/** A stream in progress. `done` is the method's result and is received after the last chunk. */
export interface BridgeStream<M extends StreamMethodName> {
  /** Well-formed text; iterating grants credit; leaving the loop early cancels both ends. */
  readonly chunks: AsyncIterable<string>;
  /** Rejects with the same error that the iteration throws. Never an unhandled rejection. */
  readonly done: Promise<MethodResult<M>>;
}

/** The server's end of the bridge (`server/bridge/client.ts`). */
export interface Bridge {
  /** Known browsers, connected or not. */
  browsers(): readonly BrowserState[];
  /**
   * Waits until at least one browser is connected; starts one first when the server launches its
   * own. Rejects with `browser_not_connected`, naming the hop that failed, or
   * `browser_launch_failed`.
   */
  ready(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<void>;
  /** One RPC. Rejects with a coded error; `browser_disconnected` at once when the port goes. */
  request<M extends MethodName>(
    browser: BrowserId,
    method: M,
    params: MethodParams<M>,
    options: BridgeCallOptions,
  ): Promise<MethodResult<M>>;
  /** One RPC with a stream; nothing is sent before `chunks` is iterated or `done` awaited. */
  stream<M extends StreamMethodName>(
    browser: BrowserId,
    method: M,
    params: StreamMethodParams<M>,
    options: BridgeCallOptions,
  ): BridgeStream<M>;
  /** Browsers that come and go, for the journal and the popup. */
  onChange(listener: (event: 'connected' | 'disconnected', browser: BrowserState) => void): () => void;
  /** Names of the MCP clients served, shown in the popup. */
  setClients(clients: readonly { readonly name: string; readonly version: string }[]): void;
  /** Ends connections and a launched browser. Idempotent. */
  close(): Promise<void>;
}

// ---- redact/ -----------------------------------------------------------------------------------

/** Values are cleaned as they arrive, before anything is stored (`server/redact`). */
export interface Redactor {
  /** False with `--no-sanitize-content`: everything but values of `--secrets` passes as it is. */
  readonly enabled: boolean;
  /** True with `--secrets`: its values are replaced in any case. */
  readonly hasKnownSecrets: boolean;
  /** Cleans while the payload is consumed. Text chunks may be cut elsewhere than they came. */
  payload(payload: RawPayload): { readonly payload: CleanPayload; readonly report: () => RedactionReport };
  /** Cleans one value at once: journal entries, error messages, state. */
  value<T extends JsonValue>(value: T): Clean<T>;
  /** Cleans one entry of HAR by the formats of its members: addresses, headers, queries, bodies. */
  exchange<T extends JsonObject>(entry: T): { readonly entry: Clean<T>; readonly report: RedactionReport };
  text(text: string): CleanText;
}

// ---- secrets/ ----------------------------------------------------------------------------------

/** A value that is secret whatever it looks like, and what it is called. */
export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** A value for a page, and whether it is one of `--secrets`. */
interface ResolvedValue {
  readonly value: string;
  readonly isSecret: boolean;
}

/**
 * What the file of `--secrets` holds (`server/secrets`). A value leaves it only on its way into a page:
 * the redactor knows all of them.
 */
export interface Secrets {
  /** In the order of the file. Names are not secret. */
  readonly names: readonly string[];
  /** @throws SpillwayError `secret_not_found`, which lists the names */
  get(name: string): string;
  /**
   * The value of `secret:NAME`; any other text is itself. Called where the value is sent to the worker, and
   * nowhere before: arguments are journalled as they were given. @throws SpillwayError `secret_not_found`
   */
  resolve(text: string): ResolvedValue;
}

// ---- uploads/ ----------------------------------------------------------------------------------

/** A copy of a file that a page is to get. */
export interface StagedFile {
  /** As the call named it. */
  readonly source: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** By its name; '' where that says nothing. */
  readonly mime: string;
}

/** For whom files are copied: the copies are removed when it ends. */
export interface UploadSession {
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Files from the folders of `--upload-root` (`server/uploads`). */
export interface Uploads {
  /**
   * Copies regular files to a scratch folder of the session, which is removed with it.
   * @throws SpillwayError `upload_refused` that names the file and says why
   */
  stage(paths: readonly string[], session: UploadSession): Promise<readonly StagedFile[]>;
}

// ---- people/ -----------------------------------------------------------------------------------

/** What a person decided about a call that waits. */
export type PersonDecision =
  | {
      /** The call runs, once. */
      readonly approve: true;
      /** Who decided, and where: the journal and the ledger keep it. */
      readonly by: string;
      /** Replace those of the call, and are validated as they were. */
      readonly args?: JsonObject | undefined;
      /** What the answer of the call says of how it was decided. */
      readonly note?: CleanText | undefined;
    }
  | {
      /** The call is refused with `call_denied`. */
      readonly approve: false;
      readonly by: string;
      /** What the person wrote: the error says it. */
      readonly reason?: string | undefined;
    };

/** A question that a browser raised about a call. */
export interface RaisedQuestion {
  /** `b1:q_…` */
  readonly id: string;
  readonly scope: CallScope;
  /** Shows a question to the person behind the agent's client, where the client can. */
  readonly askPerson?: AskPerson | undefined;
}

/** Asks people about calls that a browser's policy does not simply allow (`server/people`). */
export interface People {
  /** Calls whose clients can ask their people say so to the browser (`--approvals client`). */
  readonly asksClients: boolean;
  /** Names the home of the server to browsers. */
  readonly home: string;
  /**
   * Waits for the decision about a question; null when the browser no longer knows of it, so that the call has to be
   * performed again to raise it once more. A signal that aborts withdraws the question.
   * @throws SpillwayError `approval_timeout`, `browser_disconnected`, `ledger_unavailable`, the signal's reason
   */
  decision(question: RaisedQuestion, signal: AbortSignal): Promise<PersonDecision | null>;
}

/** The acts of calls, as the ledger keeps them (`server/people`). */
export interface ActRecord {
  /** Resolves when the ledger has what is about to happen. @throws SpillwayError `ledger_unavailable` */
  begin(facts: ActFacts): Promise<void>;
  /** Writes how the acts of a call have ended. */
  end(callId: string, result: ToolResult): void;
}

// ---- machine/ ----------------------------------------------------------------------------------

/** A private folder of one job. Files in it are made with mode 0600. */
export interface ScratchFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Temporary folders on the disk of the store (`server/machine/scratch.ts`). */
export interface Scratch {
  folder(): Promise<ScratchFolder>;
  /** Removes what is left. */
  close(): Promise<void>;
}

// ---- output/ -----------------------------------------------------------------------------------

export interface DeliverOptions extends OutputRequest {
  readonly tool: string;
  /** Bytes of the adapter's envelope around `content` (request id included), escaping not counted. */
  readonly envelopeBytes: number;
  readonly signal: AbortSignal;
  /** Answers `structured` too: always, only where the payload was stored, or only for JSON that is inline. */
  readonly structured: boolean | 'stored' | 'inline';
  /** Notes known only after consumption; called once, after `done`. */
  readonly notes: (outcome: Outcome, delivery: 'inline' | 'handle') => readonly CleanText[];
}

/** What the policy made of a payload. */
export interface Delivered {
  readonly content: readonly [ContentBlock, ...ContentBlock[]];
  readonly outcome: Outcome;
  readonly descriptor?: OutputDescriptor;
  /** The payload as an object, a list as `{ items }`; the descriptor where it was stored. */
  readonly structured?: JsonObject;
}

/** Decides between inline and handle, consuming the payload once (`server/output/policy.ts`). */
export interface OutputPolicy {
  deliver(produced: Deliverable, options: DeliverOptions): Promise<Delivered>;
}

/** Validated arguments of `oc_output_fetch`. */
export interface FetchRequest {
  readonly output_handle: string;
  readonly offset: number;
  readonly limit?: number | undefined;
  readonly format: 'auto' | 'items' | 'bytes' | 'image';
  readonly encoding: 'auto' | 'utf8' | 'base64';
}

/** What is known of a stored payload without reading it. */
export interface StoredFacts {
  readonly mimeType: string;
  readonly kind: RawPayload['kind'];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Where the page text in it comes from, null if none. */
  readonly untrustedFrom: CleanText | null;
}

/** A page and what a second block says of it: unit, encoding, content type. */
export interface FetchedPage {
  readonly page: Clean<OutputPage>;
  readonly note: string;
  readonly stored: StoredFacts;
  /** The picture that was asked for; `page` says where it belongs. */
  readonly picture?: { readonly mimeType: MimeType; readonly bytes: CleanBytes };
}

/** Redeems handles (`server/output/pager.ts`). */
export interface OutputPager {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
  /** @throws SpillwayError `output_handle_not_found` */
  facts(handle: string): Promise<StoredFacts>;
}

interface StoreUsage {
  readonly directory: string;
  readonly handles: number;
  readonly sizeBytes: number;
  readonly maxBytes: number;
}

/** A stored output, as people see it. */
export interface ListedOutput {
  readonly handle: string;
  readonly source_tool: string;
  readonly mime_type: MimeType;
  readonly kind: RawPayload['kind'];
  readonly size_bytes: number;
  readonly item_count: number | null;
  /** Milliseconds since the epoch. */
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
}

export interface OutputStoreInfo {
  usage(): Promise<StoreUsage>;
  /** What has neither expired nor is damaged, newest first, whichever server of the home stored it. */
  list(): Promise<readonly ListedOutput[]>;
  /** Calls back with each handle that this server found expired, or evicted. Returns an unsubscribe function. */
  onEnd(listener: (handle: string) => void): () => void;
}

/** A stored payload being written (`server/output/store.ts`). Nothing is visible before commit. */
export interface OutputWriter {
  readonly sizeBytes: number;
  /** Copies. A promise only when the disk has to catch up: await it before the next write. */
  write(bytes: CleanBytes): Promise<void> | undefined;
  /** Marks the end of one item, for the offset index. Only for items. */
  endItem(): void;
  /**
   * Fsync, rename, fsync folder, then the meta: only after it resolves does the handle exist.
   * `untrustedFrom`, redacted, says where the page text in it comes from; null if it has no page text.
   */
  commit(untrustedFrom: CleanText | null): Promise<{ readonly handle: string; readonly expiresAt: number }>;
  /** Removes every trace. Idempotent. */
  abort(): Promise<void>;
}

export interface OutputWriterOptions {
  readonly tool: string;
  readonly mimeType: MimeType;
  readonly kind: RawPayload['kind'];
}
