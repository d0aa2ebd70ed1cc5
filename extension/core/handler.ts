import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
  StreamMethodParams,
} from '../../shared/core/bridge/methods.ts';
import type {
  ServerMethodInput,
  ServerMethodName,
  ServerMethodResult,
} from '../../shared/core/bridge/server-methods.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { TOOL_METHODS } from '../../shared/core/tools/methods.generated.ts';
import type { ActLeases } from '../act/worker/act-leases.ts';
import type { Dialogs } from '../act/worker/dialogs.ts';
import type { TabDownloads } from '../files/worker/download-watch.ts';
import type { TabOpenings } from '../tabs/worker/openings.ts';
import type { DebuggerSessions } from '../platform/chromium/debugger/sessions.ts';
import type { TabOwners, TabUser } from '../tabs/worker/owners.ts';
import type { TabRequests } from './navigation/tab-requests.ts';
import type { CallPolicy } from './policy/call-policy.ts';
import type { ChosenFiles } from '../people/worker/chosen-files.ts';
import type { PersonTabs } from './person-tabs.ts';
import type { ActDebuggers } from '../act/worker/act-debugger.ts';
import type { FocusEmulation } from '../platform/chromium/debugger/focus.ts';
import type { AuditChannels, ExtractChannels, PageChannels } from './pages/channels.ts';
import type { RefBook } from './pages/ref-book.ts';
import type { ScrollTurns } from './pages/tab-turns.ts';

/** Created once, while the worker starts. */
export interface WorkerServices {
  readonly channels: PageChannels;
  /** To the extraction script, see `extractTab`. */
  readonly extractChannels: ExtractChannels;
  /** To the audit script, see `auditTab`. */
  readonly auditChannels: AuditChannels;
  readonly debuggers: DebuggerSessions;
  readonly dialogs: Dialogs;
  readonly leases: ActLeases;
  readonly owners: TabOwners;
  /** The person's tabs that agents use. */
  readonly lent: { isLentTo(tabId: number, user: TabUser): boolean };
  readonly openings: TabOpenings;
  readonly requests: TabRequests;
  readonly focus: FocusEmulation;
  readonly turns: ScrollTurns;
  readonly acting: ActDebuggers;
  readonly downloads: TabDownloads;
  /** The tabs that a person has taken over. */
  readonly personTabs: PersonTabs;
  /** The files that a person chose on cards. */
  readonly chosen: ChosenFiles;
  readonly refBook: RefBook;
}

export interface HandlerServices extends WorkerServices {
  /** Aborted when the server's channel closes: then close everything that its calls opened. */
  readonly closed: AbortSignal;
  /** Called with each session of the server, by id, that ends before it. */
  readonly sessionEnds: Set<(session: string) => void>;
  /** The calling server. */
  readonly server: ServerPort;
}

/** The server at the other end of a channel, for handlers. */
export interface ServerPort {
  /** Unique per process. */
  readonly instance: string;
  /** Version 1 answers no requests. */
  readonly wire: number;
  /** Resolves with the server's answer. @throws SpillwayError the server's error, `timeout`, `cancelled` */
  request<M extends ServerMethodName>(
    method: M,
    params: ServerMethodInput<M>,
    signal: AbortSignal,
  ): Promise<ServerMethodResult<M>>;
}

export interface HandlerContext {
  /** Aborted when the server cancels the call, its channel closes, or the port to the host closes. */
  readonly signal: AbortSignal;
  /** The agent and call of the request; null for none. */
  readonly scope: CallScope | null;
  /** Must be consulted about everything that the call reads, does or opens, at that moment. */
  readonly policy: CallPolicy;
}

/**
 * The output of a streaming handler. `StreamSender` cuts it into chunks (`LIMITS.streamChunkUnits`), hashes, numbers and
 * sends them while the server grants credit.
 */
export interface StreamSink {
  /** Resolves when more may be written: awaiting it makes the page wait for a slow reader. */
  write(text: string): Promise<void>;
  /** Sends buffered text at once: a live stream must not wait for its next piece. */
  flush(): Promise<void>;
}

export type Handler<M extends MethodName> = (
  params: MethodParams<M>,
  context: HandlerContext,
) => Promise<MethodResult<M>>;

export type StreamHandler<M extends StreamMethodName> = (
  params: StreamMethodParams<M>,
  context: HandlerContext,
  sink: StreamSink,
) => Promise<MethodResult<M>>;

/** One entry per method of `shared/core/bridge/methods.ts`. A tool's `handler.ts` creates its own. */
export type Handlers = {
  readonly [M in MethodName]: M extends StreamMethodName ? StreamHandler<M> : Handler<M>;
};

/** Creates the handlers of these methods for one server. */
export type Create<M extends MethodName> = (services: HandlerServices) => Pick<Handlers, M>;

/** The combined handlers of the handlers of all capabilities. */
export type ToolHandlers = Pick<Handlers, keyof typeof TOOL_METHODS>;
