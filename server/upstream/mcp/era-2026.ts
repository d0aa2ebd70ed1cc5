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
import { isAnswer } from './failures.ts';

/*
 * Servers that speak MCP 2026-07-28 alone. To our client they look like servers with a session: this file makes requests and
 * answers of one what the other understands, and nothing else here knows of it.
 */

const REVISION = '2026-07-28';
const KEY = 'io.modelcontextprotocol/';
/** The protocol's code for a revision that a server does not support. */
const UNSUPPORTED_VERSION = -32_022;

/** Whether a server has said that it opens no sessions. */
export function refusesSessions(thrown: unknown): boolean {
  if (thrown instanceof StreamableHTTPError)
    return thrown.code === 400 && thrown.message.includes(String(UNSUPPORTED_VERSION));
  return isAnswer(thrown) && [UNSUPPORTED_VERSION, Number(ErrorCode.MethodNotFound)].includes(thrown.code);
}

const Named = z.object({
  method: z.string(),
  params: z.object({ name: z.string().optional(), uri: z.string().optional() }).optional().catch(undefined),
});

/** `fetch` that repeats parts of a request's body in its headers. */
export const fetchWithNames =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const named = typeof init?.body === 'string' ? Named.safeParse(JSON.parse(init.body)).data : undefined;
    if (named === undefined) return send(input, init);
    const headers = new Headers(init?.headers);
    headers.set('mcp-method', named.method);
    const name = named.params?.name ?? named.params?.uri;
    if (name !== undefined) headers.set('mcp-name', /^[\x21-\x7e]+$/.test(name) ? name : encoded(name));
    return send(input, { ...init, headers });
  };

const encoded = (name: string): string => `=?base64?${Buffer.from(name).toString('base64')}?=`;

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
const Cancelled = z.object({ params: z.object({ requestId: z.union([z.string(), z.number()]) }) });
const Uri = z.object({ uri: z.string() });

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
  readonly #asked = new Map<RequestId, JSONRPCRequest>();
  /** Rounds, by the ids of questions to our client. */
  readonly #rounds = new Map<RequestId, Round>();
  readonly #followed = new Set<string>();
  #envelope: Readonly<Record<string, unknown>> = {};
  #count = 0;
  #listening: string | null = null;

  constructor(private readonly inner: Transport) {}

  async start(): Promise<void> {
    this.inner.onmessage = (message) => this.#receive(message);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => this.onclose?.();
    this.inner.setProtocolVersion?.(REVISION);
    await this.inner.start();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#request(message);
    if (!('method' in message)) return this.#answered(message);
    if (message.method === 'notifications/initialized') return this.#listen();
    const cancelled = Cancelled.safeParse(message).data?.params.requestId;
    if (cancelled !== undefined) this.#asked.delete(cancelled);
    return this.inner.send(message);
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
    this.#asked.set(id, message);
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
    this.#pass({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications } }).catch(
      (thrown: unknown) => this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown))),
    );
    if (before === null) return;
    await this.inner.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: before },
    });
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message) {
      if (message.method !== 'notifications/subscriptions/acknowledged') this.onmessage?.(message);
      return;
    }
    const asked = message.id === undefined ? undefined : this.#asked.get(message.id);
    if (asked === undefined) return;
    if ('result' in message) {
      const asking = Asking.safeParse(message.result).data;
      if (asking !== undefined) return this.#ask(asked, asking);
    }
    this.#asked.delete(asked.id);
    this.onmessage?.(
      'result' in message ? { ...message, result: resultFor(asked, message.result) } : message,
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
  async #answered(message: Exclude<JSONRPCMessage, { method: string }>): Promise<void> {
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
    if (!this.#asked.has(asked.id)) return;
    const state = requestState === undefined ? {} : { requestState };
    await this.#pass({ ...asked, params: { ...asked.params, inputResponses: responses, ...state } });
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
