import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import browser from 'webextension-polyfill';
import { logMalformed } from '../../ports/read-message.ts';
import {
  FEED_PORT,
  TimelinePage,
  type AgentControl,
  type FeedServer,
  type FeedQuery,
  type ServerMeter,
} from '../feed-protocol.ts';
import {
  CallResult,
  Changed,
  Health,
  LedgerPage,
  Meters,
  AcceptedUpstream,
  OutputList,
  OutputMatches,
  OutputPage,
  RunItems,
  RunList,
  UpstreamList,
  UpstreamTools,
} from '../answers-protocol.ts';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { FaceAnswer } from '../tools/face.ts';
import { AgentsStore } from './agents-store.ts';
import { FeedClient, type FeedPort } from './feed-client.ts';
import { LedgerStore } from './ledger-store.ts';
import { OutputsStore } from './outputs-store.ts';
import { RunItemsStore } from './run-items-store.ts';
import { RunsStore } from './runs-store.ts';
import { TimelineStore } from './timeline-store.ts';
import { UpstreamsStore } from './upstreams-store.ts';
import { failureOf, type Failure } from './failure.ts';

type ResultQuery = Extract<FeedQuery, { type: 'result' }>;

/** Answers that are kept; each may take half a mebibyte. */
const RESULTS_MAX = 30;

/** `null`: no server keeps it any longer, or it could not be read. */
type Shown = FaceAnswer | null | 'reading';

interface Entry {
  readonly home: string;
  readonly callId: string;
  readonly answer: Signal<Shown>;
  readonly failure: Signal<Failure | null>;
}

/** What calls answered, read when a person opens them. */
export class ResultsStore {
  readonly #ask: (query: ResultQuery) => Promise<CallResult>;
  /** The one that was looked at last is the last. */
  readonly #entries = new Map<string, Entry>();
  #homes = '';

  constructor(ask: (query: ResultQuery) => Promise<CallResult>) {
    this.#ask = ask;
  }

  /** What a call answered. Reads it unless it is there. */
  of(home: string, callId: string): ReadonlySignal<Shown> {
    return this.#entry(home, callId).answer;
  }

  /** Why it could not be read; null while it can. */
  failureOf(home: string, callId: string): ReadonlySignal<Failure | null> {
    return this.#entry(home, callId).failure;
  }

  /** Reads again what could not be read. */
  retry(home: string, callId: string): void {
    void this.#read(this.#entry(home, callId));
  }

  /** A call that has ended has an answer now. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type !== 'call' || event.phase !== 'ended') continue;
      const known = this.#entries.get(keyOf(home, String(event.line['call_id'])));
      if (known !== undefined) void this.#read(known);
    }
  }

  /** A server that has come may have what the others have not. */
  setHomes(homes: readonly string[]): void {
    const names = homes.join();
    if (names === this.#homes) return;
    this.#homes = names;
    for (const entry of this.#entries.values()) if (entry.answer.value === null) void this.#read(entry);
  }

  #entry(home: string, callId: string): Entry {
    const key = keyOf(home, callId);
    const known = this.#entries.get(key);
    const entry = known ?? {
      home,
      callId,
      answer: signal<Shown>('reading'),
      failure: signal<Failure | null>(null),
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (known === undefined) void this.#read(entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > RESULTS_MAX && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  async #read({ home, callId, answer, failure }: Entry): Promise<void> {
    if (failure.value !== null) answer.value = 'reading';
    try {
      const read = await this.#ask({ type: 'result', home, call: callId });
      failure.value = null;
      answer.value = read.answer === null ? null : faceAnswerOf(read.answer);
    } catch (thrown) {
      failure.value = failureOf(thrown);
      answer.value = null;
    }
  }
}

const keyOf = (home: string, callId: string): string => `${home}/${callId}`;

/** The answer in the form that faces take. */
function faceAnswerOf(answer: NonNullable<CallResult['answer']>): FaceAnswer {
  const { ok, value, picture, state, error, stored, notes } = answer;
  return {
    ok,
    value,
    picture: picture === null ? null : { mimeType: picture.mime_type, base64: picture.base64 },
    state,
    error: error === null ? null : { ...error, body: error.body },
    stored:
      stored === null
        ? null
        : {
            handle: stored.handle,
            mimeType: stored.mime_type,
            sizeBytes: stored.size_bytes,
            itemCount: stored.item_count,
            preview: stored.preview,
          },
    notes,
  };
}

type Ask = (
  query: Extract<FeedQuery, { type: 'meter' }>,
) => Promise<{ readonly meters: readonly ServerMeter[] }>;

/** What servers have answered to agents. Read while it is shown, and again when it changes. */
class MeterStore {
  readonly meters = signal<readonly ServerMeter[]>([]);
  readonly state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly #ask: Ask;
  #isShown = false;
  #isReading = false;
  #isStale = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  take(events: readonly FeedEvent[]): void {
    if (this.#isShown && events.some(({ type }) => type === 'meter')) void this.refresh();
  }

  /** Reads now, and whenever figures change, until the function that it returns is called. */
  show(): () => void {
    this.#isShown = true;
    void this.refresh();
    return () => {
      this.#isShown = false;
    };
  }

  /** One read at a time: what changes meanwhile is read afterwards. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.meters.value = (await this.#ask({ type: 'meter' })).meters;
      }
      this.state.value = 'ready';
    } catch {
      this.state.value = 'failed';
    } finally {
      this.#isReading = false;
    }
  }
}

/** How long a server may be away before its agents are no longer shown. */
const AWAY_MS = 5_000;

interface PanelFeedOptions {
  /** Starts a worker that was ended. */
  readonly connect: () => FeedPort;
}

/** What servers do, for the parts of the panel that show it. */
export class PanelFeed {
  readonly servers = signal<readonly FeedServer[]>([]);
  readonly controls = signal<readonly AgentControl[]>([]);
  /** What was stored about stopped agents could not be read. */
  readonly isDamaged = signal(false);
  readonly agents = new AgentsStore();
  readonly timeline: TimelineStore;
  readonly runs: RunsStore;
  /** Items of runs that a person has opened. */
  readonly runItems: RunItemsStore;
  readonly results: ResultsStore;
  readonly outputs: OutputsStore;
  readonly ledger: LedgerStore;
  readonly meter: MeterStore;
  readonly upstreams: UpstreamsStore;
  readonly client: FeedClient;
  /** The home of each server that there was: its events may come before it is named again. */
  readonly #homes = new Map<string, string>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();

  constructor({ connect }: PanelFeedOptions) {
    this.client = new FeedClient({
      connect,
      onServers: (servers) => this.#setServers(servers),
      onControls: (controls, isDamaged) => {
        this.controls.value = controls;
        this.isDamaged.value = isDamaged;
      },
      onEvents: (server, events) => {
        this.agents.take(server, events);
        const home = this.#homes.get(server) ?? '';
        this.timeline.take(home, events);
        this.runs.take(events);
        this.runItems.take(home, events);
        this.results.take(home, events);
        this.outputs.take(home, events);
        this.meter.take(events);
        if (events.some(({ type }) => type === 'agents')) this.#keepRunning();
      },
      onMalformed: (error) => logMalformed(FEED_PORT, error),
    });
    this.timeline = new TimelineStore((query) => this.client.ask(query, TimelinePage));
    this.runs = new RunsStore((query) => this.client.ask(query, RunList));
    this.meter = new MeterStore((query) => this.client.ask(query, Meters));
    this.runItems = new RunItemsStore((query) => this.client.ask(query, RunItems));
    this.results = new ResultsStore((query) => this.client.ask(query, CallResult));
    this.outputs = new OutputsStore({
      list: (query) => this.client.ask({ type: 'outputs', ...query }, OutputList),
      page: (query) => this.client.ask({ type: 'output_page', ...query }, OutputPage),
      search: (query) => this.client.ask({ type: 'output_search', ...query }, OutputMatches),
      delete: (query) => this.client.ask({ type: 'output_delete', ...query }, Changed),
      keep: (query) => this.client.ask({ type: 'output_keep', ...query }, Changed),
    });
    this.ledger = new LedgerStore(
      (query) => this.client.ask(query, LedgerPage),
      (home) => this.client.ask({ type: 'ledger_forget', home }, Changed),
    );
    this.upstreams = new UpstreamsStore((server) =>
      this.client.ask({ type: 'upstreams', server }, UpstreamList),
    );
    this.client.start();
  }

  /** The links between a server and its pages. @throws what was answered: `api_not_found` of a server of an older build */
  health(server: string): Promise<Health> {
    return this.client.ask({ type: 'health', server }, Health);
  }

  /** Tools of an upstream from `offset` on, as many as fit in an answer. @throws what was answered */
  upstreamTools(query: {
    readonly server: string;
    readonly id: string;
    readonly offset?: number;
  }): Promise<UpstreamTools> {
    return this.client.ask({ type: 'upstream_tools', ...query }, UpstreamTools);
  }

  /** A person accepts an upstream as it was shown. @throws what was answered: `upstream_changed` where it is another by now */
  async acceptUpstream(query: {
    readonly server: string;
    readonly id: string;
    readonly revision: string;
  }): Promise<void> {
    await this.client.ask({ type: 'upstream_accept', ...query }, AcceptedUpstream);
  }

  #setServers(servers: readonly FeedServer[]): void {
    const homes = new Set(this.#homes.values());
    let hasNewHome = false;
    let hasNewServer = false;
    for (const { server, home } of servers) {
      if (home === null) continue;
      hasNewHome ||= !homes.has(home);
      hasNewServer ||= !this.#homes.has(server);
      this.#homes.set(server, home);
    }
    this.servers.value = servers;
    this.#forgetAbsent(new Set(servers.map(({ server }) => server)));
    this.upstreams.setServers(servers.map(({ server }) => server));
    const named = [...new Set(servers.flatMap(({ home }) => (home === null ? [] : [home])))].toSorted();
    for (const store of [this.runs, this.runItems, this.results, this.outputs, this.ledger])
      store.setHomes(named);
    if (hasNewHome) this.timeline.reload();
    else if (hasNewServer) void this.timeline.catchUp();
  }

  /** A worker that has just started does not have its servers yet: they come back within moments. */
  #forgetAbsent(connected: ReadonlySet<string>): void {
    for (const [server, timer] of this.#leaving)
      if (connected.has(server)) {
        clearTimeout(timer);
        this.#leaving.delete(server);
      }
    for (const server of this.#homes.keys())
      if (!connected.has(server) && !this.#leaving.has(server))
        this.#leaving.set(
          server,
          setTimeout(() => this.#forget(server), AWAY_MS),
        );
  }

  #forget(server: string): void {
    this.#leaving.delete(server);
    this.#homes.delete(server);
    this.client.forget(server);
    this.agents.forget(server);
    this.#keepRunning();
  }

  /** A call that no agent does any longer has ended, also where nobody saw it end. */
  #keepRunning(): void {
    this.timeline.keepRunning(({ callId }) => this.agents.hasCall(callId));
  }
}

/** The feed of this page, from the extension's worker. */
export const connectFeed = (): PanelFeed =>
  new PanelFeed({ connect: () => browser.runtime.connect({ name: FEED_PORT }) });
