import type { z } from 'zod';
import type {
  ServerMethodInput,
  ServerMethodName,
  ServerMethodResult,
} from '../../../shared/core/bridge/server-methods.ts';
import { anySignal } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import {
  isChange,
  type FeedMessage,
  type ServerMeter,
  type TimelinePage,
  type TimelinePlace,
  type Query,
  type TimelineQuery,
  type AskedOf,
} from '../../ui/frame/feed-port.ts';
import type { ServerPort } from '../../core/handler.ts';
import { ANSWERS_SINCE, type ConnectedServer } from '../../core/link/servers.ts';
import type { FEED_METHODS, FeedCursor } from '../../../shared/core/feed.ts';
import { forgetEnds, rememberedEnds } from '../../people/worker/ledger-reports.ts';
import { ServerReader } from './server-reader.ts';

const notConnected = (): SpillwayError =>
  new SpillwayError('browser_disconnected', 'No server of that home is connected now.');

/** A server of an older build lacks the method, or answers nothing at all. */
async function request<M extends ServerMethodName>(
  server: ServerPort,
  method: M,
  params: ServerMethodInput<M>,
  signal: AbortSignal,
): Promise<ServerMethodResult<M>> {
  if (server.wire < ANSWERS_SINCE) throw older();
  try {
    return await server.request(method, params, signal);
  } catch (thrown) {
    throw toSpillwayError(thrown).code === 'api_not_found' ? older() : thrown;
  }
}

const older = (): SpillwayError =>
  new SpillwayError('api_not_found', 'That server runs an older version, which cannot answer this.', {
    hint: 'Update Spillway, and have the agent start its server again.',
  });

/** A run belongs to one server of its home. A change may happen although its server did not answer in time. */
const PASSED_OVER: readonly string[] = ['api_not_found', 'run_busy', 'timeout'];

type JournalPage = z.infer<(typeof FEED_METHODS)['journal.page']['result']>;
type Line = TimelinePage['lines'][number] & { readonly position: string };

interface Rest {
  readonly home: string;
  readonly lines: Line[];
  readonly next: string | null;
  /** Where the next page of this home begins; undefined before its first line was taken. */
  place: string | null | undefined;
}

/** Newest first; ties by id, so that every reader has the same order. */
const isNewer = (a: Line, b: Line): boolean =>
  a.line.ts === b.line.ts ? a.line.id > b.line.id : a.line.ts > b.line.ts;

function newest(rests: readonly Rest[]): Rest | null {
  let best: Rest | null = null;
  for (const rest of rests) {
    const [line] = rest.lines;
    const [bestLine] = best?.lines ?? [];
    if (line !== undefined && (bestLine === undefined || isNewer(line, bestLine))) best = rest;
  }
  return best;
}

/**
 * Merges pages of several journals, each newest first. Ends with the page of a journal that has more entries: its next
 * entry may be newer than the others'.
 */
export function mergePages(
  pages: Readonly<Record<string, JournalPage>>,
  { before, limit }: { readonly before: TimelinePlace; readonly limit: number },
): TimelinePage {
  const rests = Object.entries(pages).map(([home, { lines, next }]): Rest => ({
    home,
    lines: lines.map((placed) => ({ ...placed, home })),
    next,
    place: lines.length === 0 ? next : undefined,
  }));
  const merged: TimelinePage['lines'][number][] = [];
  while (merged.length < limit) {
    if (rests.some(({ lines, next }) => lines.length === 0 && next !== null)) break;
    const rest = newest(rests);
    const line = rest?.lines.shift();
    if (rest === null || line === undefined) break;
    merged.push({ home: rest.home, line: line.line });
    rest.place = rest.lines.length === 0 ? rest.next : line.position;
  }
  const places = { ...before };
  for (const { home, place } of rests) if (place !== undefined) places[home] = place;
  const hasMore = rests.some(({ place }) => place !== null) || hasRest(places);
  return { lines: merged, next: hasMore ? places : null };
}

/** Whether a journal has older lines, even if none of its servers is connected now. */
const hasRest = (places: TimelinePlace): boolean => Object.values(places).some((place) => place !== null);

const TIMELINE_LINES = 100;

interface FeedPageOptions {
  /** By server, each of the last events that the page was sent: a server may leave and come back. */
  readonly cursors: Record<string, FeedCursor>;
  readonly post: (message: FeedMessage) => void;
}

/** In the worker, one open panel: the events of every connected server, and answers to its queries. */
export class FeedPage {
  readonly #readers = new Map<string, ServerReader>();
  readonly #closed = new AbortController();
  #search: AbortController | null = null;

  constructor(private readonly options: FeedPageOptions) {}

  /** Reads from exactly these servers. */
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

  /** Rejects a query that this page may not make. */
  refuse(id: number): void {
    this.#fail(id, new SpillwayError('invalid_argument', 'Only the side panel can make changes.'));
  }

  /** Answers a query; a failure is also an answer. */
  async answer(id: number, query: Query): Promise<void> {
    try {
      this.post({ type: 'answer', id, result: await this.#result(query) });
    } catch (thrown) {
      this.#fail(id, toSpillwayError(thrown));
    }
  }

  #fail(id: number, { code, message, hint }: SpillwayError): void {
    this.post({ type: 'failure', id, code, message, hint });
  }

  /** Writes a person's act to the ledger of each home. The act takes effect even if that fails. */
  async record(facts: ServerMethodInput<'agents.control'>): Promise<void> {
    const servers = [...(await this.#homes()).values()];
    await Promise.allSettled(
      servers.map((server) => server.request('agents.control', facts, this.#closed.signal)),
    );
  }

  /** Sends a message, unless the page is closed. */
  post(message: FeedMessage): void {
    if (!this.#closed.signal.aborted) this.options.post(message);
  }

  close(): void {
    this.#closed.abort(new SpillwayError('cancelled', 'The panel was closed.'));
    this.refresh([]);
  }

  #reader(server: ServerPort, version: string): ServerReader {
    return new ServerReader({
      server,
      version,
      cursor: this.options.cursors[server.instance] ?? null,
      onState: () => this.#publish(),
      onEvents: (cursor, events) => {
        this.options.cursors[server.instance] = cursor;
        this.post({ type: 'events', server: server.instance, cursor, events });
      },
    });
  }

  #publish(): void {
    // A reader may report its home while it is being created.
    queueMicrotask(() =>
      this.post({ type: 'servers', servers: [...this.#readers.values()].map(({ summary }) => summary) }),
    );
  }

  /** @throws SpillwayError a server's error; `api_not_found` if all of them are older than the question */
  async #result(query: Query): Promise<object> {
    if ('server' in query) {
      const { type, server, ...params } = query;
      const reader = this.#readers.get(server);
      if (reader === undefined)
        throw new SpillwayError('browser_disconnected', 'That server is no longer connected.');
      return request(reader.server, type, params, this.#closed.signal);
    }
    switch (query.type) {
      case 'timeline':
        return this.#timeline(query);
      case 'meter':
        return { meters: await this.#meters() };
      case 'ledger_forget':
        await forgetEnds(query.home);
        return {};
      case 'call.result':
        return this.#callResult(query);
      case 'outputs.search':
        return this.#find(query);
      case 'ledger.page': {
        const { type, home, ...params } = query;
        return this.#ask(home, type, { ...params, remembered: await rememberedEnds(home) });
      }
      default: {
        const { type, home, ...params } = query;
        return this.#ask(home, type, params);
      }
    }
  }

  /** Asks every server with a meter: servers of one home count their own sessions. */
  async #meters(): Promise<readonly ServerMeter[]> {
    const readings = await Promise.allSettled(
      [...this.#readers].map(async ([server, reader]) => ({
        server,
        reading: await reader.server.request('meter.read', {}, this.#closed.signal),
      })),
    );
    return readings.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
  }

  async #timeline({ before = {}, limit = TIMELINE_LINES, filter }: TimelineQuery): Promise<TimelinePage> {
    const homes = [...(await this.#homes()).keys()].filter((home) => before[home] !== null);
    if (homes.length === 0 && (hasRest(before) || Object.keys(before).length === 0)) throw notConnected();
    const pages = await Promise.all(
      homes.map(async (home) => {
        const params = { limit, filter, before: before[home] ?? undefined };
        return [home, await this.#ask(home, 'journal.page', params)] as const;
      }),
    );
    return mergePages(Object.fromEntries(pages), { before, limit });
  }

  /** Each server keeps the answers of its own calls. */
  async #callResult({ home, call_id }: AskedOf<'call.result'>): Promise<object> {
    const servers = await this.#serversOf(home);
    const answers = await Promise.allSettled(
      servers.map((server) => request(server, 'call.result', { call_id }, this.#closed.signal)),
    );
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (read.length === 0) throw toSpillwayError(failed?.reason);
    return read.find(({ answer }) => answer !== null) ?? { answer: null };
  }

  /** One search at a time: another letter cancels the previous one. */
  async #find({ type, home, ...params }: AskedOf<'outputs.search'>): Promise<object> {
    this.#search?.abort(new SpillwayError('cancelled', 'Another search has begun.'));
    const search = (this.#search = new AbortController());
    const { signal, release } = anySignal([this.#closed.signal, search.signal]);
    try {
      return await this.#ask(home, type, params, signal);
    } finally {
      release();
      if (this.#search === search) this.#search = null;
    }
  }

  /** Servers of one home read the same files: one that is too old for the question, or silent, is passed over. */
  async #ask<M extends ServerMethodName>(
    home: string,
    method: M,
    params: ServerMethodInput<M>,
    signal: AbortSignal = this.#closed.signal,
  ): Promise<ServerMethodResult<M>> {
    let failure: SpillwayError | null = null;
    for (const server of await this.#serversOf(home)) {
      try {
        return await request(server, method, params, signal);
      } catch (thrown) {
        failure = toSpillwayError(thrown);
        if (!PASSED_OVER.includes(failure.code) || (failure.code === 'timeout' && isChange({ type: method })))
          break;
      }
    }
    throw failure ?? notConnected();
  }

  async #serversOf(home: string): Promise<readonly ServerPort[]> {
    const readers = (await this.#known()).filter(({ summary }) => summary.home === home);
    if (readers.length === 0) throw notConnected();
    return readers.map(({ server }) => server);
  }

  async #known(): Promise<readonly ServerReader[]> {
    const readers = [...this.#readers.values()];
    await Promise.all(readers.map(({ known }) => known));
    this.#closed.signal.throwIfAborted();
    return readers;
  }

  /** One server per home: servers of the same home share a journal. */
  async #homes(): Promise<ReadonlyMap<string, ServerPort>> {
    const readers = await this.#known();
    return new Map(
      readers.flatMap(({ summary: { home }, server }) => (home === null ? [] : [[home, server] as const])),
    );
  }
}
