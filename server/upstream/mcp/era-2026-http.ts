import { z } from 'zod';
import { anySignal } from '../../../shared/async.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { JsonRecord, jsonIn } from '../../../shared/json-schema.ts';
import { streamOf } from './intake.ts';

/*
 * HTTP in MCP 2026-07-28: headers repeat parts of a request, an error has a status too, and the end of a
 * request's stream cancels it.
 */

type RequestId = string | number;

const Asked = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .object({ name: z.string().optional(), uri: z.string().optional(), arguments: JsonRecord.optional() })
    .optional()
    .catch(undefined),
});
type Asked = z.infer<typeof Asked>;

const Failed = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});

/** An argument that is repeated in a header. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Statuses that mean a sign-in. */
const SIGN_IN = [401, 403];
const CANCELLED_MAX = 100;

/** The answer to a request that was cancelled. */
const nobodyWaits = (): Response => new Response(null, { status: 202 });

export class NewEraHttp {
  /** Called when a request's stream has ended. */
  onEnd: (id: RequestId) => void = () => undefined;
  readonly #open = new Map<RequestId, AbortController>();
  /** Requests that were cancelled and not open: some are only about to be sent. */
  readonly #cancelled = new BoundedMap<RequestId, true>(CANCELLED_MAX);
  readonly #mirrored = new Map<string, readonly Mirrored[]>();

  constructor(private readonly send: typeof fetch) {}

  cancel(id: RequestId): void {
    const open = this.#open.get(id);
    if (open === undefined) this.#cancelled.set(id, true);
    else open.abort();
  }

  /** Remembers which arguments of tools are repeated in headers. */
  remember(tools: readonly unknown[]): void {
    for (const tool of tools)
      if (isObject(tool)) this.#mirrored.set(String(tool['name']), findMirrored(tool['inputSchema']));
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const asked = typeof init?.body === 'string' ? Asked.safeParse(jsonIn(init.body)).data : undefined;
    if (asked === undefined) return this.send(input, init);
    const headers = this.#headersOf(asked, init?.headers);
    const { id } = asked;
    if (id === undefined) return this.send(input, { ...init, headers });
    if (this.#cancelled.delete(id)) return nobodyWaits();
    const gone = new AbortController();
    const { signal, release } = anySignal([init?.signal ?? undefined, gone.signal]);
    this.#open.set(id, gone);
    const forget = (): void => {
      release();
      if (this.#open.get(id) === gone) this.#open.delete(id);
    };
    try {
      const response = await this.send(input, { ...init, headers, signal });
      const { body, status } = response;
      if (status >= 400 && !SIGN_IN.includes(status)) return await withError(response, id).finally(forget);
      const ended = (): void => {
        forget();
        this.onEnd(id);
      };
      if (body === null) {
        forget();
        return response;
      }
      return new Response(streamOf(until(body, gone.signal, ended)), response);
    } catch (thrown) {
      forget();
      if (gone.signal.aborted) return nobodyWaits();
      throw thrown;
    }
  };

  #headersOf({ method, params = {} }: Asked, given: RequestInit['headers']): Headers {
    const headers = new Headers(given);
    headers.set('mcp-method', method);
    const name = params.name ?? params.uri;
    if (name !== undefined) headers.set('mcp-name', headerText(name));
    if (method !== 'tools/call') return headers;
    for (const { path, header } of this.#mirrored.get(params.name ?? '') ?? []) {
      const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), params.arguments);
      if (['string', 'number', 'boolean'].includes(typeof value))
        headers.set(`mcp-param-${header}`, headerText(String(value)));
    }
    return headers;
  }
}

function findMirrored(schema: unknown, path: readonly string[] = []): readonly Mirrored[] {
  if (!isObject(schema)) return [];
  const { 'x-mcp-header': header, properties } = schema;
  const own = typeof header === 'string' && TOKEN.test(header) ? [{ path, header }] : [];
  const below = isObject(properties) ? Object.entries(properties) : [];
  return [...own, ...below.flatMap(([name, each]) => findMirrored(each, [...path, name]))];
}

/** A text that a header can carry. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** An error of the protocol as the answer that it is; any other failure unchanged. */
async function withError(response: Response, id: RequestId): Promise<Response> {
  const text = await response.text();
  const { data } = Failed.safeParse(jsonIn(text));
  const { status, headers } = response;
  if (data === undefined) return new Response(text, { status, headers });
  const message: JsonObject = { jsonrpc: '2.0', id, error: JsonRecord.parse(data.error) };
  return Response.json(message);
}

/** A body that ends when nobody waits for it any more. */
async function* until(
  body: AsyncIterable<Uint8Array>,
  gone: AbortSignal,
  ended: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (thrown) {
    if (!gone.aborted) throw thrown;
  } finally {
    ended();
  }
}
