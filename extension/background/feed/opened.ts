import type {
  ServerMethodInput,
  ServerMethodName,
  ServerMethodResult,
} from '../../../shared/bridge/server-methods.ts';
import { anySignal } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ServerPort } from '../handler.ts';
import { rememberedEnds } from '../questions/ledger-memory.ts';
import type { Asked, AskedOf } from '../../ports/feed.ts';
import { ANSWERS_SINCE } from './server-reader.ts';

interface OpenedParts {
  /** Connected servers of a home. */
  readonly serversOf: (home: string) => Promise<readonly ServerPort[]>;
  /** A connected server, by its id. @throws SpillwayError `browser_disconnected` */
  readonly serverOf: (id: string) => ServerPort;
  readonly closed: AbortSignal;
}

/** Answers queries about stored things by asking a server that has them. */
export class Opened {
  #search: AbortController | null = null;

  constructor(private readonly parts: OpenedParts) {}

  /** @throws SpillwayError a server's error; `api_not_found` if all of them are older than the question */
  answer(query: Asked): Promise<object> {
    if ('server' in query) {
      const { type, server, ...params } = query;
      return request(this.parts.serverOf(server), type, params, this.parts.closed);
    }
    switch (query.type) {
      case 'call.result':
        return this.#result(query);
      case 'outputs.search':
        return this.#find(query);
      case 'ledger.page':
        return this.#ledger(query);
      default: {
        const { type, home, ...params } = query;
        return this.#ask(home, type, params);
      }
    }
  }

  /** Each server keeps the answers of its own calls. */
  async #result({ home, call_id }: AskedOf<'call.result'>): Promise<object> {
    const servers = await this.#serversOf(home);
    const answers = await Promise.allSettled(
      servers.map((server) => request(server, 'call.result', { call_id }, this.parts.closed)),
    );
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (read.length === 0) throw toSpillwayError(failed?.reason);
    return read.find(({ answer }) => answer !== null) ?? { answer: null };
  }

  async #ledger({ type, home, ...params }: AskedOf<'ledger.page'>): Promise<object> {
    return this.#ask(home, type, { ...params, remembered: await rememberedEnds(home) });
  }

  /** One search at a time: another letter cancels the previous one. */
  async #find({ type, home, ...params }: AskedOf<'outputs.search'>): Promise<object> {
    this.#search?.abort(new SpillwayError('cancelled', 'Another search has begun.'));
    const search = (this.#search = new AbortController());
    const { signal, release } = anySignal([this.parts.closed, search.signal]);
    try {
      return await this.#ask(home, type, params, signal);
    } finally {
      release();
      if (this.#search === search) this.#search = null;
    }
  }

  /** Servers of one home read the same files: one that is too old for the question is passed over. */
  async #ask<M extends ServerMethodName>(
    home: string,
    method: M,
    params: ServerMethodInput<M>,
    signal: AbortSignal = this.parts.closed,
  ): Promise<object> {
    let failure: SpillwayError | null = null;
    for (const server of await this.#serversOf(home)) {
      try {
        return await request(server, method, params, signal);
      } catch (thrown) {
        failure = toSpillwayError(thrown);
        // A run belongs to one of them.
        if (failure.code !== 'api_not_found' && failure.code !== 'run_busy') break;
      }
    }
    throw failure ?? notConnected();
  }

  async #serversOf(home: string): Promise<readonly ServerPort[]> {
    const servers = await this.parts.serversOf(home);
    if (servers.length === 0) throw notConnected();
    return servers;
  }
}

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
