import { defined, type JsonObject } from '../../shared/base/json.ts';
import { cut } from '../../shared/base/cut.ts';
import type { ServerMethods } from '../../shared/core/bridge/server-methods.ts';
import { abortable, defer, waitAtMost, onAbort } from '../../shared/base/async.ts';
import type { ClientSession, Progress } from '../core/context.ts';
import type { ToolResult } from '../core/result.ts';
import type { RunProgress } from '../core/runs.ts';
import type { Clock, Journal, JournalEntry, JournalLineRecord, Redactor } from '../core/services.ts';
import { clipClean, isoTime, type Clean, type CleanText } from '../libraries/redaction/clean.ts';
import { eventOf, isOfWidget, type Batch, type CleanEvent, FeedRing, LastAnswers } from './ring.ts';

/** Calls of each session that are listed. */
const CALLS_MAX = 8;
const NAME_UNITS = 100;
const TOOL_UNITS = 128;
const VERSION_UNITS = 64;

export interface FeedCall {
  readonly callId: string;
  readonly tool: string;
  readonly session: Pick<ClientSession, 'id' | 'name' | 'version' | 'signal' | 'picks'>;
}

interface Agent {
  readonly session: FeedCall['session'];
  lastAt: number;
  readonly calls: Map<string, { readonly tool: string; readonly since: number }>;
}

const LEASE_MS = 30_000;
/**
 * Events that arrive together share an answer: a very short call sends only its end. Readers are not answered
 * more often, because each answer is drawn on the machine on which the agent works.
 */
const GATHER_MS = 100;
/** Maximum waiting requests; beyond that, the oldest are answered. */
const READERS_MAX = 16;
/** Calls whose arguments are available to a reader that begins later. */
const RUNNING_MAX = 100;
const MESSAGE_UNITS = 300;
const ID_UNITS = 128;

interface FeedOptions {
  /** Called when a session that has called ends. */
  readonly onSessionEnd?: (session: string) => void;
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'onLine' | 'preview'>;
  readonly redactor: Redactor;
}

/** A call that has not ended. */
interface Running {
  readonly entry: () => JournalEntry;
  readonly at: number;
}

/** Costs next to nothing while nobody looks. */
export class LiveFeed {
  readonly answers = new LastAnswers();
  readonly #ring = new FeedRing();
  /** The sessions that have called, and each one's current calls. */
  readonly #agents = new Map<string, Agent>();
  readonly #running = new Map<string, Running>();
  readonly #readers = new Set<() => void>();
  readonly #stopListening: () => void;
  #lease: NodeJS.Timeout | null = null;
  #waking: NodeJS.Timeout | null = null;

  constructor(private readonly options: FeedOptions) {
    this.#stopListening = options.journal.onLine((line) => this.#add(line));
  }

  /** @param entry what the journal would have of it so far; asked for only while somebody looks */
  begun({ callId, tool, session }: FeedCall, entry: () => JournalEntry): void {
    const at = this.options.clock.now();
    const agent = this.#agents.get(session.id) ?? this.#come(session);
    agent.lastAt = at;
    agent.calls.set(callId, { tool, since: at });
    if (this.#running.size < RUNNING_MAX) this.#running.set(callId, { entry, at });
    if (this.#isRead) this.#begin(callId, { entry, at });
  }

  progress({ callId, session }: FeedCall, { done, total, message }: Progress): void {
    if (!this.#isRead) return;
    const at = this.options.clock.now();
    const event = (): CleanEvent => ({
      type: 'call',
      phase: 'progress',
      ts: isoTime(at),
      ...this.#clean({ call_id: cut(callId, ID_UNITS) }),
      session: this.#sessionId(session.id),
      // Redacted before it is cut: half a secret cannot be recognised.
      ...(message === undefined
        ? {}
        : { message: clipClean(this.#clean({ message }).message, MESSAGE_UNITS) }),
      done,
      ...defined({ total }),
    });
    this.#replace(stepKey(callId), event);
  }

  /**
   * @param result its answer, kept by reference for people who open the panel later
   * @param sizeBytes of its content
   */
  ended({ callId, session }: FeedCall, result: ToolResult, sizeBytes: number): void {
    this.answers.keep(callId, result, sizeBytes);
    this.#agents.get(session.id)?.calls.delete(callId);
    this.#running.delete(callId);
    this.#ring.forget(beginKey(callId));
    this.#ring.forget(stepKey(callId));
  }

  run({
    runId,
    tool,
    progress,
    items,
  }: {
    readonly runId: string;
    readonly tool: string;
    readonly progress: RunProgress;
    readonly items: number;
  }): void {
    if (!this.#isRead) return;
    const { done, queued, failed, rate_per_second, message, workers } = progress;
    const at = this.options.clock.now();
    const event = (): CleanEvent => ({
      type: 'run',
      phase: 'progress',
      ts: isoTime(at),
      ...this.#clean({ run_id: runId, tool }),
      progress: { done, queued, failed, rate_per_second, ...defined({ message, workers }) },
      items,
    });
    this.#replace(`run:${runId}`, event);
  }

  /** A connected session that has called. */
  session(id: string): FeedCall['session'] | null {
    return this.#agents.get(id)?.session ?? null;
  }

  /** Figures of the meter have changed. */
  meter(): void {
    if (this.#isRead) this.#replace('meter', () => ({ type: 'meter' }));
  }

  /** `feed.next` of shared/core/feed.ts. @throws the signal's reason */
  async next(
    { cursor, limit, wait_ms: waitMs }: Parameters<ServerMethods['feed.next']>[0],
    signal: AbortSignal,
  ): Promise<Omit<Batch, 'missed'>> {
    this.#hold();
    if (cursor === null) {
      const { end } = this.#ring;
      // Calls that began before anybody looked follow the start of the reader.
      for (const [callId, call] of this.#running) this.#begin(callId, call);
      return { cursor: end, events: [this.#agentsEvent()] };
    }
    // Events are gathered for a moment, so that an eager reader is not answered at every step.
    await this.#change(this.#ring.hasAfter(cursor) ? Math.min(waitMs, GATHER_MS) : waitMs, signal);
    this.#hold();
    const { missed, events, ...next } = this.#ring.read(cursor, limit);
    if (missed === 0) return { events, ...next };
    return { events: [{ type: 'gap', count: missed }, this.#agentsEvent(), ...events], ...next };
  }

  close(): void {
    this.#stopListening();
    this.#agents.clear();
    this.answers.clear();
    this.#release();
    for (const wake of this.#readers) wake();
  }

  #come(session: FeedCall['session']): Agent {
    const agent: Agent = { session, lastAt: 0, calls: new Map() };
    const tell = (): void => {
      if (this.#isRead) this.#replace('agents', () => this.#agentsEvent());
    };
    this.#agents.set(session.id, agent);
    onAbort(session.signal, () => {
      if (!this.#agents.delete(session.id)) return;
      this.options.onSessionEnd?.(session.id);
      tell();
    });
    tell();
    return agent;
  }

  #begin(callId: string, { entry, at }: Running): void {
    try {
      const line = { ...this.options.journal.preview(entry()), ts: isoTime(at) };
      if (!isOfWidget(line)) this.#replace(beginKey(callId), () => ({ type: 'call', phase: 'begun', line }));
    } catch {
      // Unreadable arguments: the call's own line says so. An absent reader must make no difference.
    }
  }

  get #isRead(): boolean {
    return this.#lease !== null;
  }

  /** A member called `session` would be redacted as a secret. */
  #sessionId(id: string): CleanText {
    return this.#clean({ id }).id;
  }

  #clean<T extends JsonObject>(value: T): Clean<T> {
    return this.options.redactor.value(value);
  }

  #agentsEvent(): CleanEvent {
    const agents = [...this.#agents.values()].map(({ session, lastAt, calls }) => ({
      ...this.#clean({
        name: cut(session.name, NAME_UNITS),
        version: session.version === undefined ? null : cut(session.version, VERSION_UNITS),
        last_at: isoTime(lastAt),
        calls: [...calls].slice(0, CALLS_MAX).map(([callId, { tool, since }]) => ({
          call_id: cut(callId, TOOL_UNITS),
          tool: cut(tool, TOOL_UNITS),
          since: isoTime(since),
        })),
      }),
      session: this.#sessionId(session.id),
    }));
    return { type: 'agents', agents };
  }

  #add(line: JournalLineRecord): void {
    if (isOfWidget(line)) return;
    if (!this.#isRead) return this.#ring.skip();
    this.#ring.add(eventOf(line));
    this.#wake();
  }

  #replace(key: string, event: () => CleanEvent): void {
    this.#ring.replace(key, event);
    this.#wake();
  }

  /** Keeps events for a reader until it has not asked for a while. */
  #hold(): void {
    if (this.#lease !== null) return void this.#lease.refresh();
    this.#lease = setTimeout(() => this.#expire(), LEASE_MS).unref();
  }

  #expire(): void {
    // A waiting request counts as a reader.
    if (this.#readers.size > 0) this.#lease?.refresh();
    else this.#release();
  }

  #release(): void {
    if (this.#lease !== null) clearTimeout(this.#lease);
    if (this.#waking !== null) clearTimeout(this.#waking);
    this.#lease = null;
    this.#waking = null;
    this.#ring.clear();
  }

  /** Resolves when something has happened, or after `waitMs`. */
  async #change(waitMs: number, signal: AbortSignal): Promise<void> {
    const { promise: woken, resolve } = defer<void>();
    const wake = (): void => resolve();
    this.#readers.add(wake);
    const [oldest] = this.#readers;
    if (this.#readers.size > READERS_MAX) oldest?.();
    try {
      await abortable(waitAtMost(woken, waitMs), signal);
    } finally {
      this.#readers.delete(wake);
    }
  }

  #wake(): void {
    if (this.#readers.size === 0) return;
    this.#waking ??= setTimeout(() => {
      this.#waking = null;
      for (const wake of this.#readers) wake();
    }, GATHER_MS).unref();
  }
}

const beginKey = (callId: string): string => `begun:${callId}`;
const stepKey = (callId: string): string => `step:${callId}`;
