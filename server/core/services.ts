import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
  StreamMethodParams,
} from '../../shared/core/bridge/methods.ts';
import type { BrowserFacts } from '../../shared/core/bridge/hello.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { Clean, CleanRecord, CleanText } from '../libraries/redaction/clean.ts';
import type { CleanPayload, RawPayload, RedactionReport } from './result.ts';
import type { ServerMethods } from '../../shared/core/bridge/server-methods.ts';
import { cut } from '../../shared/base/cut.ts';
import { Listeners } from '../../shared/base/queue.ts';
import type { Work } from './slices.ts';

/*
 * The narrow interfaces through which tools and executor reach the rest of the server. Each is
 * implemented in the room that its comment names; nothing here imports an implementation. Logging is here.
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

/** Has pino's shape. `createLogFeed` redacts each line before it is written. */
export type Logger = Readonly<Record<LogLevel, (facts: object, message: string) => void>>;

/** Where redacted lines are written: pino on stderr, or a program's logger. Never stdout. */
// Properties, not methods, whose parameters TypeScript would compare both ways: a sink is not a Logger.
export type LogSink = Readonly<Record<LogLevel, (facts: CleanRecord, message: CleanText) => void>>;

// ---- bridge/ ---------------------------------------------------------------------------------

/** `b1`, `b2`, …: assigned by this server in the order of arrival, kept per extension instance. */
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
  readonly reconnects: number;
}

export interface BridgeCallOptions {
  /** The agent and call behind a request to the browser; null for the server's own. */
  readonly call: CallScope | null;
  readonly signal?: AbortSignal;
  /** Longest silence; each frame of the call (chunk, progress) restarts it. Default LIMITS.callTimeoutMs. */
  readonly idleTimeoutMs?: number;
  /** Called before the request is sent. If it was not called, a failed call has had no effect. */
  readonly onSend?: () => void;
}

/**
 * A stream: well-formed text, and the method's result as its return value. Iterating grants credit; leaving the loop
 * early cancels both ends.
 */
export type BridgeStream<M extends StreamMethodName> = AsyncIterableIterator<string, MethodResult<M>>;

/** The server's end of the bridge (`server/core/bridge/client.ts`). */
export interface Bridge {
  /** Its browser is one that the server starts, with a temporary profile: a new one after each end. */
  readonly isPrivate: boolean;
  /** Known browsers, connected or not. */
  browsers(): readonly BrowserState[];
  /**
   * Waits until at least one browser is connected; starts one first if the server launches its own. Rejects
   * with `browser_not_connected`, naming the hop that failed, or `browser_launch_failed`.
   */
  ready(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<void>;
  /** One RPC. Rejects with a coded error; `browser_disconnected` at once if the port closes. */
  request<M extends MethodName>(
    browser: BrowserId,
    method: M,
    params: MethodParams<M>,
    options: BridgeCallOptions,
  ): Promise<MethodResult<M>>;
  /** One RPC with a stream; nothing is sent before it is read. */
  stream<M extends StreamMethodName>(
    browser: BrowserId,
    method: M,
    params: StreamMethodParams<M>,
    options: BridgeCallOptions,
  ): BridgeStream<M>;
  /** Browsers that come and go, for the journal and the popup. */
  onChange(listener: (event: 'connected' | 'disconnected', browser: BrowserState) => void): () => void;
  /** Names of the connected MCP clients, shown in the popup. */
  setClients(clients: readonly { readonly name: string; readonly version: string }[]): void;
  /** Ends connections and a launched browser. Idempotent. */
  close(): Promise<void>;
}

// ---- redact/ ---------------------------------------------------------------------------------

/** Values are cleaned as they arrive, before anything is stored (`server/libraries/redaction`). */
export interface Redactor {
  /** False with `--no-sanitize-content`: only values of `--secrets` are replaced. */
  readonly enabled: boolean;
  /** True with `--secrets`: its values are always replaced. */
  readonly hasKnownSecrets: boolean;
  /**
   * Cleans in slices while the payload is consumed, a JSON value before. Text chunks may be cut in other places than
   * in the source.
   */
  payload(
    payload: RawPayload,
  ): Promise<{ readonly payload: CleanPayload; readonly report: () => RedactionReport }>;
  /** Cleans one small value at once: journal entries, error messages, state. */
  value<T extends JsonValue>(value: T): Clean<T>;
  /** Counts what cleaning a value finds. */
  findings(value: JsonValue): Work<RedactionReport>;
  /** Cleans a value of any size in slices. */
  large<T extends JsonValue>(value: T): Promise<Clean<T>>;
  /** Cleans one HAR entry in slices by the formats of its members: addresses, headers, queries, bodies. */
  exchange<T extends JsonObject>(
    entry: T,
  ): Promise<{ readonly entry: Clean<T>; readonly report: RedactionReport }>;
  text(text: string): CleanText;
}

// ---- secrets/ --------------------------------------------------------------------------------

/** A value that is secret whatever its form, and its name. */
export interface KnownSecret {
  readonly name: string;
  readonly value: string;
  /** Patterns of the sites where it may be typed; without them, anywhere. */
  readonly sites?: readonly string[];
}

/** A value for a page. */
interface ResolvedValue {
  /** Null for one that is made when it is used: see {@link Secrets.read} and {@link Secrets.lend}. */
  readonly value: string | null;
  /** For one of `--secrets`: where it may be typed; empty for anywhere. Null for any other text. */
  readonly sites: readonly string[] | null;
}

/** A value leaves it only on its way into a page: the redactor knows all of them. */
export interface Secrets {
  /** In the order of the file. Names are not secret. */
  readonly names: readonly string[];
  /** How to pass one, with the names; without any, how the person gives the server some. */
  readonly hint: string;
  /**
   * The value of `secret:NAME`; any other text unchanged. Called only when the value is sent to the worker,
   * because arguments are journalled as given. @throws SpillwayError `secret_not_found`, which lists the names
   */
  resolve(text: string): ResolvedValue;
  /** The same, also of one that is made when it is used. @throws SpillwayError `secret_not_found`, `secret_unavailable` */
  read(text: string): Promise<string>;
  /** A key with which the browser asks for the value of `secret:NAME` at the moment that it types it, until `end`. */
  lend(text: string): { readonly key: string; readonly end: () => void };
}

// ---- uploads/ --------------------------------------------------------------------------------

/** A copy of a file for a page. */
export interface StagedFile {
  readonly source: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** By its name; '' if that says nothing. */
  readonly mime: string;
}

/** Whose copies they are: they are removed when it ends. */
export interface UploadSession {
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Files from the folders of `--upload-root` (`server/act/uploads.ts`). */
export interface Uploads {
  /** Whether a root covers a path, even of a file that does not exist. A person chooses all other files. */
  cover(path: string): Promise<boolean>;
  /**
   * Copies regular files to a scratch folder of the session, which is removed with it.
   * @throws SpillwayError `upload_refused` that names the file and the reason
   */
  stage(paths: readonly string[], session: UploadSession): Promise<readonly StagedFile[]>;
}

// ---- machine/ --------------------------------------------------------------------------------

/** A private folder for one job. Files in it are created with mode 0600. */
export interface ScratchFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Temporary folders on the disk of the store (`server/core/machine/private-folder.ts`). */
export interface Scratch {
  folder(): Promise<ScratchFolder>;
  /** Removes all leftovers. */
  close(): Promise<void>;
}

/** The machine's clocks. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
});

/** One line of the journal, which adds `ts`. */
export interface JournalEntry extends JsonObject {
  readonly event: string;
}

export interface JournalQuery {
  readonly count: number;
  readonly tool?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** A stored line. */
export type JournalLineRecord = CleanRecord & Clean<{ event: string; ts: string; id: string }>;

/** Which lines {@link Journal.page} reads. */
export type JournalPageQuery = Parameters<ServerMethods['journal.page']>[0];

/** Lines from the disk, redacted by the server that wrote them. */
export interface JournalPage {
  readonly lines: readonly { readonly position: string; readonly line: JournalEntry }[];
  readonly next: string | null;
}

/** Append-only record of calls and events (`server/ledger/journal.ts`). */
export interface Journal {
  /** Redacts, adds `ts` and `id`, appends. Never throws: a full disk is logged, and the call continues. */
  record(entry: JournalEntry): void;
  /** The line for an entry, redacted and cut like every line, without recording it. */
  preview(entry: JournalEntry): JournalLineRecord;
  /** Calls back with each line that this server records. Returns an unsubscribe function. */
  onLine(listener: (line: JournalLineRecord) => void): () => void;
  /** `journal.page` of shared/core/feed.ts. @throws SpillwayError `store_read_failed` */
  page(query: JournalPageQuery): Promise<JournalPage>;
  /** Newest last. Filters apply before the count. */
  recent(query: JournalQuery): Promise<readonly JournalEntry[]>;
  summary(query: JournalQuery): Promise<JsonObject>;
  /** Waits until everything recorded is on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const DEPTH_MAX = 4;
const MEMBERS_MAX = 32;
const TEXT_UNITS = 4_000;

/**
 * Facts of a log line as bounded JSON, captured when the line is logged. An error becomes its name, code,
 * message, stack and cause: a serialiser that runs later would write unredacted data. Never throws.
 */
export function describeFacts(facts: object): JsonObject {
  try {
    return describeMembers(facts, DEPTH_MAX);
  } catch {
    return { facts: 'unreadable' };
  }
}

function describeMembers(value: object, depth: number): JsonObject {
  const members = Object.entries<unknown>({ ...value }).slice(0, MEMBERS_MAX);
  return Object.fromEntries(members.map(([key, member]) => [key, toJson(member, depth - 1)]));
}

function toJson(value: unknown, depth: number): JsonValue {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'string') return cut(value, TEXT_UNITS);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== 'object') return cut(String(value), TEXT_UNITS);
  if (depth <= 0) return '…';
  if (!Array.isArray(value)) return describeMembers(value, depth);
  return value.slice(0, MEMBERS_MAX).map((item: unknown) => toJson(item, depth - 1));
}

/** Without the message, whose first line would begin with the error's name here: its form would not be recognised. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

function describeError(error: Error, depth: number): JsonObject {
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: cut(error.message, TEXT_UNITS),
    ...(error.stack === undefined ? {} : { stack: cut(framesOf(error.stack), TEXT_UNITS) }),
    ...(error.cause === undefined || depth <= 0 ? {} : { cause: toJson(error.cause, depth - 1) }),
  };
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One redacted line of the server's log. */
export interface LogLine {
  readonly level: LogLevel;
  /** With `client` (its session's id) and `call_id` if the line is about a call. */
  readonly facts: CleanRecord;
  readonly message: CleanText;
}

/** Lets adapters hear log lines. */
export interface LogSource {
  /** Calls back with every line, even below the sink's level. Returns an unsubscribe function. */
  onLine(listener: (line: LogLine) => void): () => void;
}

/**
 * The server's logger: redacts each line, writes it to the sink and passes it to the listeners. It never
 * throws: the sink may be the caller's own, and its failure must not fail the logged work.
 */
export function createLogFeed(
  sink: LogSink,
  redactor: Pick<Redactor, 'value'>,
): LogSource & { readonly logger: Logger } {
  const listeners = new Listeners<LogLine>();
  const logger = loggerOf((level, raw, text) => {
    const { facts, message } = redactor.value({ facts: describeFacts(raw), message: text });
    try {
      sink[level](facts, message);
    } catch {
      // Nothing is left to report it to.
    }
    listeners.notify({ level, facts, message });
  });
  return { logger, onLine: (listener) => listeners.add(listener) };
}

export function loggerOf(write: (level: keyof Logger, facts: object, message: string) => void): Logger {
  const at =
    (level: keyof Logger) =>
    (facts: object, message: string): void =>
      write(level, facts, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
