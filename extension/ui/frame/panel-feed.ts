import { computed, signal } from '@preact/signals';
import type { AgentControl, FeedAnswer, FeedServer, QueryType } from './feed-port.ts';
import { AgentsStore } from './agents-store.ts';
import { failureOf, FeedClient, type FeedPort } from './feed-client.ts';
import { LedgerStore, MeterStore, OutputsStore, RunsStore, type Ask } from './home-lists.ts';
import { ResultsStore, RunItemsStore } from './results-store.ts';
import { TimelineStore } from './timeline-store.ts';

/** Time until servers are asked again: while an upstream starts or waits for the person, and otherwise. */
const SOON_MS = 2_000;
const QUIET_MS = 30_000;

type Upstream = FeedAnswer<'upstreams.list'>['upstreams'][number];
/** An upstream, and a server that offers its tools. */
export type OfferedUpstream = Upstream & { readonly server: string };

/** Other servers whose tools the connected ones offer. */
export class UpstreamsStore {
  /** Without duplicates: servers of one home offer the same. */
  readonly all = signal<readonly OfferedUpstream[]>([]);
  /** Tools waiting to be accepted. */
  readonly unaccepted = computed(() => this.all.value.reduce((sum, { unaccepted }) => sum + unaccepted, 0));
  #servers: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  /** @param ask rejects for a server of an older build, which has no upstreams */
  constructor(private readonly ask: Ask<'upstreams.list'>) {}

  setServers(servers: readonly string[]): void {
    if (servers.join() === this.#servers.join()) return;
    this.#servers = servers;
    void this.reload();
  }

  /** Asks all servers now. */
  async reload(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = (this.#turn += 1);
    const lists = await Promise.all(this.#servers.map((server) => this.#read(server)));
    if (turn !== this.#turn) return;
    const all = distinct(lists.flatMap((list) => list ?? []));
    // Avoids a redraw without a difference.
    if (JSON.stringify(all) !== JSON.stringify(this.all.value)) this.all.value = all;
    if (this.#servers.length === 0) return;
    const isSettled =
      !lists.includes(null) && all.every(({ state, unaccepted }) => state !== 'starting' && unaccepted === 0);
    this.#timer = setTimeout(() => void this.reload(), isSettled ? QUIET_MS : SOON_MS);
  }

  /** Null if it did not answer. */
  #read(server: string): Promise<readonly OfferedUpstream[] | null> {
    return this.ask({ server }).then(
      ({ upstreams }) => upstreams.map((upstream) => ({ ...upstream, server })),
      (thrown: unknown) => (failureOf(thrown).code === 'api_not_found' ? [] : null),
    );
  }
}

/**
 * One of each upstream that several servers offer. Accepting it at one is enough if they share a home; otherwise the
 * others stay.
 */
function distinct(all: readonly OfferedUpstream[]): readonly OfferedUpstream[] {
  const texts = all.map((upstream) => JSON.stringify({ ...upstream, server: '' }));
  return all.filter((_, at) => texts.findIndex((text) => text === texts[at]) === at);
}

/** How long a disconnected server's agents stay visible. */
const AWAY_MS = 5_000;

export class PanelFeed {
  readonly servers = signal<readonly FeedServer[]>([]);
  readonly controls = signal<readonly AgentControl[]>([]);
  readonly isDamaged = signal(false);
  readonly agents = new AgentsStore();
  readonly timeline = new TimelineStore(this.#ask('timeline'));
  readonly runs = new RunsStore(this.#ask('runs.list'));
  /** Items of runs that a person has opened. */
  readonly runItems = new RunItemsStore(this.#ask('runs.items'));
  readonly results = new ResultsStore(this.#ask('call.result'));
  readonly outputs = new OutputsStore(this.#ask('outputs.list'));
  readonly ledger = new LedgerStore(this.#ask('ledger.page'), (home) =>
    this.client.ask('ledger_forget', { home }),
  );
  readonly meter = new MeterStore(this.#ask('meter'));
  readonly upstreams = new UpstreamsStore(this.#ask('upstreams.list'));
  readonly client: FeedClient;
  /** The home of each known server: its events may come before it is named again. */
  readonly #homes = new Map<string, string>();
  /** The homes of the connected ones. */
  #named = '';
  /** Servers that have left. One without a home is forgotten. */
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();

  /** @param connect restarts a worker that has ended */
  constructor(connect: () => FeedPort) {
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
        this.outputs.take(events);
        this.ledger.take(events);
        this.meter.take(events);
        if (events.some(({ type }) => type === 'agents')) this.#keepRunning();
      },
    });
    this.client.start();
  }

  #ask<T extends QueryType>(type: T): Ask<T> {
    return (query) => this.client.ask(type, query);
  }

  #setServers(servers: readonly FeedServer[]): void {
    // The worker would continue after the events that described them, and this page has forgotten those.
    if (servers.some(({ server }) => !this.#homes.has(server) && this.#leaving.delete(server)))
      return this.client.start();
    const homes = new Set(this.#homes.values());
    const placed = servers.flatMap(({ server, home }) => (home === null ? [] : [{ server, home }]));
    const hasNewHome = placed.some(({ home }) => !homes.has(home));
    const hasNewServer = placed.some(({ server }) => !this.#homes.has(server));
    for (const { server, home } of placed) this.#homes.set(server, home);
    this.servers.value = servers;
    this.#forgetAbsent(new Set(servers.map(({ server }) => server)));
    this.upstreams.setServers(servers.map(({ server }) => server));
    const named = [...new Set(placed.map(({ home }) => home))].toSorted();
    if (named.join() !== this.#named) {
      this.#named = named.join();
      for (const store of [this.runs, this.runItems, this.results, this.outputs, this.ledger])
        store.setHomes(named);
    }
    if (hasNewHome) this.timeline.reload();
    else if (hasNewServer) void this.timeline.catchUp();
  }

  /** A new worker lacks its servers at first: they reconnect within moments. */
  #forgetAbsent(connected: ReadonlySet<string>): void {
    for (const server of this.#homes.keys())
      if (connected.has(server)) {
        clearTimeout(this.#leaving.get(server));
        this.#leaving.delete(server);
      } else if (!this.#leaving.has(server))
        this.#leaving.set(
          server,
          setTimeout(() => this.#forget(server), AWAY_MS),
        );
  }

  #forget(server: string): void {
    this.#homes.delete(server);
    this.client.forget(server);
    this.agents.forget(server);
    this.#keepRunning();
  }

  /** A call that no agent lists has ended, even if its end was missed. */
  #keepRunning(): void {
    this.timeline.keepRunning(({ callId }) => this.agents.hasCall(callId));
  }
}
