import type { ServerMethodInput } from '../../../shared/bridge/server-methods.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { FeedCursors, FeedMessage, TimelinePage } from '../../panel/feed-protocol.ts';
import type { ServerPort } from '../handler.ts';
import type { ConnectedServer } from '../servers.ts';
import type { Query, TimelineQuery } from './requests.ts';
import { ServerReader } from './server-reader.ts';
import { mergePages } from './timeline.ts';

const TIMELINE_LINES = 100;

interface FeedPageOptions {
  /** How far the page has come. */
  readonly cursors: FeedCursors;
  readonly post: (message: FeedMessage) => void;
}

/** One page of the panel: what every connected server does, and answers to what it asks. */
export class FeedPage {
  readonly #options: FeedPageOptions;
  readonly #readers = new Map<string, ServerReader>();
  readonly #closed = new AbortController();

  constructor(options: FeedPageOptions) {
    this.#options = options;
  }

  /** Reads from these servers, and no longer from others. */
  refresh(servers: readonly ConnectedServer[]): void {
    const connected = new Set(servers.map(({ port }) => port));
    for (const [instance, reader] of this.#readers) {
      if (connected.has(reader.server)) continue;
      reader.close();
      this.#readers.delete(instance);
    }
    for (const { port, version } of servers)
      if (!this.#readers.has(port.instance)) this.#readers.set(port.instance, this.#reader(port, version));
    this.#publish();
  }

  seen(server: string): void {
    this.#readers.get(server)?.seen();
  }

  /** Answers a query; a failure is an answer, too. */
  async answer(id: number, query: Query): Promise<void> {
    try {
      this.post({ type: 'answer', id, result: await this.#result(query) });
    } catch (thrown) {
      const { code, message, hint } = toSpillwayError(thrown);
      this.post({ type: 'failure', id, code, message, hint });
    }
  }

  /** Writes to the ledger of each home what a person has done. It holds whether that can be written or not. */
  async record(facts: ServerMethodInput<'agents.control'>): Promise<void> {
    const servers = [...(await this.#homes()).values()];
    await Promise.allSettled(
      servers.map((server) => server.request('agents.control', facts, this.#closed.signal)),
    );
  }

  /** Sends a message, unless the page is closed. */
  post(message: FeedMessage): void {
    if (!this.#closed.signal.aborted) this.#options.post(message);
  }

  close(): void {
    this.#closed.abort(new SpillwayError('cancelled', 'The panel was closed.'));
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #reader(server: ServerPort, version: string): ServerReader {
    return new ServerReader({
      server,
      version,
      cursor: this.#options.cursors[server.instance] ?? null,
      onState: () => this.#publish(),
      onEvents: (cursor, events) => this.post({ type: 'events', server: server.instance, cursor, events }),
    });
  }

  #publish(): void {
    // A reader may say what it is while it is being made.
    queueMicrotask(() =>
      this.post({ type: 'servers', servers: [...this.#readers.values()].map(({ summary }) => summary) }),
    );
  }

  async #result(query: Query): Promise<object> {
    const { signal } = this.#closed;
    if (query.type === 'timeline') return this.#timeline(query);
    const { type, home, ...params } = query;
    const server = (await this.#homes()).get(home);
    if (server === undefined)
      throw new SpillwayError('browser_disconnected', 'No server of that home is connected any longer.');
    return type === 'runs'
      ? server.request('runs.list', params, signal)
      : server.request('outputs.list', params, signal);
  }

  async #timeline({ before = {}, limit = TIMELINE_LINES, filter }: TimelineQuery): Promise<TimelinePage> {
    const homes = [...(await this.#homes())].filter(([home]) => before[home] !== null);
    const pages = await Promise.all(
      homes.map(async ([home, server]) => {
        const place = before[home] ?? undefined;
        const page = await server.request(
          'journal.page',
          { limit, filter, ...(place === undefined ? {} : { before: place }) },
          this.#closed.signal,
        );
        return [home, page] as const;
      }),
    );
    return mergePages(Object.fromEntries(pages), { before, limit });
  }

  /** One server of each home: those of the same home have the same journal. */
  async #homes(): Promise<ReadonlyMap<string, ServerPort>> {
    const readers = [...this.#readers.values()];
    await Promise.all(readers.map(({ known }) => known));
    return new Map(
      readers.flatMap(({ summary: { home }, server }) => (home === null ? [] : [[home, server] as const])),
    );
  }
}
