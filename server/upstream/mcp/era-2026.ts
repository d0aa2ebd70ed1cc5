import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { isObject } from '../../../shared/json.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { delay } from '../../../shared/async.ts';
import type { NewEraHttp } from './era-2026-http.ts';
import { isAnswer } from './failures.ts';

/*
 * Servers that speak MCP 2026-07-28 alone. To our client they look like servers with a session: this file makes requests and
 * answers of one what the other understands, and nothing else here but `era-2026-http.ts` knows of it.
 */

const REVISION = '2026-07-28';
const KEY = 'io.modelcontextprotocol/';
/** The protocol's codes for a revision that a server does not support, and for a method that it does not have. */
const REFUSALS: readonly number[] = [-32_022, ErrorCode.MethodNotFound];
const REFUSING = new RegExp(`"code"\\s*:\\s*(?:${REFUSALS.join('|')})\\b`);

/** Whether a server has said that it opens no sessions. */
export function refusesSessions(thrown: unknown): boolean {
  if (thrown instanceof StreamableHTTPError)
    return [400, 404].includes(thrown.code ?? 0) && REFUSING.test(thrown.message);
  return isAnswer(thrown) && REFUSALS.includes(thrown.code);
}

const Discovered = z.looseObject({
  capabilities: JsonRecord,
  instructions: z.string().optional(),
  _meta: z.looseObject({ [`${KEY}serverInfo`]: z.looseObject({ name: z.string() }).optional() }).optional(),
});
const Asking = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z
    .record(z.string(), z.object({ method: z.string(), params: JsonRecord.default({}) }))
    .default({}),
  requestState: z.string().optional(),
});
const Opening = z.object({ clientInfo: JsonRecord, capabilities: JsonRecord });
const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const Uri = z.object({ uri: z.string() });

/** Pauses before a subscription that has ended is made again, and how long one lasts that was not refused. */
const AGAIN_MS = { first: 1_000, most: 60_000, lasting: 30_000 };
const CHANGED = ['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`);

interface Asked {
  readonly message: JSONRPCRequest;
  /** Of the latest round: another one each time. */
  readonly id: RequestId;
}
interface Round {
  readonly asked: JSONRPCRequest;
  readonly requestState: string | undefined;
  readonly waiting: Map<string, string>;
  readonly responses: Record<string, unknown>;
}

/** A connection to such a server. */
export class NewEraTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Unanswered requests of our client. */
  readonly #asked = new Map<number, Asked>();
  /** Rounds, by the ids of questions to our client. */
  readonly #rounds = new Map<RequestId, Round>();
  readonly #followed = new Set<string>();
  #envelope: Readonly<Record<string, unknown>> = {};
  #count = 0;
  #listening: string | null = null;
  #listenedAt = 0;
  #pauseMs = AGAIN_MS.first;
  readonly #over = new AbortController();

  /**
   * @param http null on the streams of a process
   * @param lost an answer for a request that cannot be repeated with what the server has asked for
   */
  constructor(
    private readonly inner: Transport,
    private readonly http: NewEraHttp | null,
    private readonly lost: (id: RequestId) => JSONRPCMessage | null,
  ) {
    if (http !== null) http.onEnd = (id) => this.#unheard(id);
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message) => this.#receive(message);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => this.onclose?.();
    this.inner.setProtocolVersion?.(REVISION);
    await this.inner.start();
  }

  close(): Promise<void> {
    this.#over.abort();
    return this.inner.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#request(message);
    if (!('method' in message)) return this.#handleAnswer(message);
    if (message.method === 'notifications/initialized') return this.#listen();
    const cancelled = Number(Cancelled.safeParse(message).data?.params.requestId);
    const { id } = this.#asked.get(cancelled) ?? {};
    this.#asked.delete(cancelled);
    if (id !== undefined) return this.#cancel(id);
    if (message.method !== 'notifications/cancelled') return this.inner.send(message);
  }

  async #cancel(requestId: RequestId): Promise<void> {
    if (this.http !== null) return this.http.cancel(requestId);
    return this.inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  async #request(message: JSONRPCRequest): Promise<void> {
    const { id, method, params } = message;
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      const { uri } = Uri.parse(params);
      if (method === 'resources/subscribe') this.#followed.add(uri);
      else this.#followed.delete(uri);
      await this.#listen();
      this.onmessage?.({ jsonrpc: '2.0', id, result: {} });
      return;
    }
    if (method === 'initialize') {
      const { clientInfo, capabilities } = Opening.parse(params);
      this.#envelope = {
        [`${KEY}protocolVersion`]: REVISION,
        [`${KEY}clientInfo`]: clientInfo,
        [`${KEY}clientCapabilities`]: capabilities,
      };
    }
    this.#asked.set(Number(id), { message, id });
    // Every such server supports this request, so it tests whether one answers.
    const isProbe = method === 'initialize' || method === 'ping';
    await this.#pass(isProbe ? { ...message, method: 'server/discover', params: {} } : message);
  }

  #pass(message: JSONRPCRequest): Promise<void> {
    const { params = {} } = message;
    return this.inner.send({
      ...message,
      params: { ...params, _meta: { ...params._meta, ...this.#envelope } },
    });
  }

  /** Listens to everything, replacing the previous subscription. */
  async #listen(): Promise<void> {
    const before = this.#listening;
    this.#count += 1;
    const id = `listen-${this.#count}`;
    this.#listening = id;
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const notifications = { ...lists, resourceSubscriptions: [...this.#followed] };
    // It is answered only at its end, so nobody waits for it.
    this.#listenedAt = performance.now();
    this.#pass({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications } }).catch(
      (thrown: unknown) => {
        this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
        const isRefused = thrown instanceof StreamableHTTPError && (thrown.code ?? 0) < 500;
        if (!isRefused) this.#unheard(id);
      },
    );
    if (before !== null) await this.#cancel(before);
  }

  /** A subscription ends with its stream, which the server, or a proxy on the way, may cut at any time. */
  #unheard(id: RequestId): void {
    if (id !== this.#listening) return;
    this.#listening = null;
    const hasLasted = performance.now() - this.#listenedAt > AGAIN_MS.lasting;
    this.#pauseMs = hasLasted ? AGAIN_MS.first : Math.min(AGAIN_MS.most, this.#pauseMs * 2);
    void this.#listenAgain().catch(() => undefined);
  }

  /** Changes may have been missed meanwhile. */
  async #listenAgain(): Promise<void> {
    await delay(this.#pauseMs, this.#over.signal);
    // It has followed another resource since.
    if (this.#listening === null) await this.#listen();
    for (const method of CHANGED) this.onmessage?.({ jsonrpc: '2.0', method });
    for (const uri of this.#followed)
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  }

  #handleNotification(message: Extract<JSONRPCMessage, { method: string }>): void {
    if (message.method === 'notifications/subscriptions/acknowledged') return;
    const ended = Cancelled.safeParse(message).data?.params.requestId;
    if (ended === undefined) this.onmessage?.(message);
    else this.#unheard(ended);
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message) return this.#handleNotification(message);
    const { id } = message;
    if (id !== undefined && id === this.#listening) {
      // A server that refuses is not asked again.
      if ('result' in message) this.#unheard(id);
      return;
    }
    const { message: asked } = this.#asked.get(Number(id)) ?? {};
    if (asked === undefined) return;
    if ('result' in message) {
      const asking = Asking.safeParse(message.result).data;
      if (asking !== undefined) return this.#ask(asked, asking);
    }
    this.#asked.delete(Number(id));
    if ('result' in message && Array.isArray(message.result['tools']))
      this.http?.remember(message.result['tools']);
    this.onmessage?.(
      'result' in message ? { ...message, id: asked.id, result: resultFor(asked, message.result) } : message,
    );
  }

  /** Asks our client the server's questions. */
  #ask(asked: JSONRPCRequest, { inputRequests, requestState }: z.infer<typeof Asking>): void {
    const round: Round = { asked, requestState, waiting: new Map(), responses: {} };
    for (const [key, { method, params }] of Object.entries(inputRequests)) {
      this.#count += 1;
      const id = `asked-${this.#count}`;
      round.waiting.set(id, key);
      this.#rounds.set(id, round);
      // Sessions identify a page by an id.
      const page = params['mode'] === 'url' ? { elicitationId: id } : {};
      this.onmessage?.({ jsonrpc: '2.0', id, method, params: { ...params, ...page } });
    }
    if (round.waiting.size === 0) void this.#again(round);
  }

  /** Our client has answered; after its last answer the call is repeated. */
  async #handleAnswer(message: Exclude<JSONRPCMessage, { method: string }>): Promise<void> {
    const { id } = message;
    const round = id === undefined ? undefined : this.#rounds.get(id);
    if (id === undefined || round === undefined) return;
    this.#rounds.delete(id);
    const key = round.waiting.get(String(id));
    round.waiting.delete(String(id));
    // A request that our client refuses gets no answer; the server asks again or gives up.
    if (key !== undefined && 'result' in message) round.responses[key] = message.result;
    if (key !== undefined && 'error' in message) round.responses[key] = { action: 'cancel' };
    if (round.waiting.size === 0) await this.#again(round);
  }

  async #again({ asked, responses, requestState }: Round): Promise<void> {
    const before = this.#asked.get(Number(asked.id));
    if (before === undefined) return;
    const state = requestState === undefined ? {} : { requestState };
    // As a number it stays that of the request.
    const id = typeof before.id === 'number' ? String(before.id) : `0${before.id}`;
    this.#asked.set(Number(id), { ...before, id });
    const params = { ...asked.params, inputResponses: responses, ...state };
    await this.#pass({ ...asked, id, params }).catch((thrown: unknown) => {
      const answer = this.lost(asked.id);
      if (answer === null) throw thrown;
      this.#receive(answer);
    });
  }
}

/** A result in the form of sessions. */
function resultFor({ method }: JSONRPCRequest, result: object): Record<string, unknown> {
  if (method === 'ping') return {};
  if (method === 'initialize') {
    const { capabilities, instructions, _meta: meta } = Discovered.parse(result);
    const serverInfo = { version: '', ...(meta?.[`${KEY}serverInfo`] ?? { name: 'unnamed' }) };
    return {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = isObject(result) ? result : {};
  return rest;
}
