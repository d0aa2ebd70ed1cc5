import {
  ProtocolError,
  SdkHttpError,
  type CallToolRequest,
  type Client,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { delay } from '../../../shared/base/async.ts';
import { defined, type JsonObject } from '../../../shared/base/json.ts';

/** The revision of MCP without sessions. */
export const REVISION = '2026-07-28';

/** Pauses before a subscription that has ended is made again, and how long one lasts that was not refused. */
const AGAIN_MS = { first: 1_000, most: 60_000, lasting: 30_000 };
const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

const Call = z.custom<CallToolRequest['params']>();

/** A server that refuses is not asked again. */
const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof ProtocolError || (thrown instanceof SdkHttpError && thrown.status < 500);

interface SessionlessParts {
  readonly client: Pick<Client, 'callTool' | 'discover' | 'listen'>;
  /** Called when it listens again: there may have been changes meanwhile. */
  readonly onMissed: (followed: Iterable<string>) => void;
}

/**
 * A server that keeps no sessions reports changes in one subscription. The subscription ends with its stream, which
 * may be cut at any time.
 */
export class Sessionless {
  /** Inputs of tools by their names: some want arguments in headers. */
  inputs: ReadonlyMap<string, JsonObject> = new Map();
  readonly #followed = new Set<string>();
  #current = new AbortController();

  constructor(private readonly parts: SessionlessParts) {}

  /** Null for a request that is sent as it is. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<object> | null {
    const { client } = this.parts;
    if (method === 'resources/subscribe') return this.#follow(String(params['uri']), true);
    if (method === 'resources/unsubscribe') return this.#follow(String(params['uri']), false);
    // Every such server supports this request, so it tests whether one answers.
    if (method === 'ping') return client.discover(options);
    if (method !== 'tools/call') return null;
    const call = Call.parse(params);
    const input = this.inputs.get(call.name);
    const toolDefinition = input && { name: call.name, inputSchema: { ...input, type: 'object' as const } };
    return client.callTool(call, { ...options, ...defined({ toolDefinition }) });
  }

  async #follow(uri: string, isWanted: boolean): Promise<object> {
    if (isWanted) this.#followed.add(uri);
    else this.#followed.delete(uri);
    this.listen();
    return {};
  }

  /** Subscribes again. The earlier subscription ends once the server has answered the new one. */
  listen(): void {
    const before = this.#current;
    this.#current = new AbortController();
    const { signal } = this.#current;
    this.#listen(signal, () => before.abort()).catch(() => undefined);
  }

  end(): void {
    this.#current.abort();
  }

  async #listen(signal: AbortSignal, replace: () => void): Promise<void> {
    const { client, onMissed } = this.parts;
    for (let [pauseMs, isAgain] = [AGAIN_MS.first, false]; ; isAgain = true) {
      const begunAt = performance.now();
      const filter = { ...LISTS, resourceSubscriptions: [...this.#followed] };
      try {
        const { closed } = await client.listen(filter, { signal }).finally(replace);
        if (isAgain) onMissed(this.#followed);
        await closed;
      } catch (thrown) {
        if (isRefusal(thrown)) return;
      }
      const hasLasted = performance.now() - begunAt > AGAIN_MS.lasting;
      pauseMs = hasLasted ? AGAIN_MS.first : Math.min(AGAIN_MS.most, pauseMs * 2);
      await delay(pauseMs, signal);
    }
  }
}
