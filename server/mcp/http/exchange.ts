import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpRefusal, readBody } from '../../core/http-guard.ts';
import { RPC_CODE, type McpServerOptions } from '../rpc.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { VALUES_MAX } from '../../core/calls/turns.ts';
import { hasMoreValues } from '../../core/slices.ts';
import type { ToolRegistry } from '../../core/registry/registry.ts';
import { checkSelectors, parseSelectors } from '../../core/registry/session.ts';

export interface PostBody {
  /** The parsed JSON; undefined if the method has no body. */
  readonly body: unknown;
}

/** Reads a JSON body, or says why it is refused. */
export async function readPostBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<PostBody | HttpRefusal> {
  let body: unknown;
  try {
    const bytes = await readBody(request, maxBytes);
    if (bytes === null)
      return { status: 413, message: `Payload too large: a body has at most ${maxBytes} bytes.` };
    const text = new TextDecoder().decode(bytes);
    if (hasMoreValues(text, VALUES_MAX))
      return { status: 413, message: `Payload too large: a body has at most ${VALUES_MAX} values.` };
    body = JSON.parse(text);
  } catch {
    return { status: 400, code: RPC_CODE.parseError, message: 'Parse error: the body is not JSON.' };
  }
  if (!Array.isArray(body)) return { body };
  const message = 'Batches are not supported: send one message per request.';
  return { status: 400, code: RPC_CODE.invalidRequest, message };
}

/** A request with its body, and the response to write. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly posted: PostBody;
}

/** The id in the error for a request that no protocol handler saw. */
const REFUSED = -32_000;

/** Answers a request with an error of JSON-RPC. */
export function refuse(response: ServerResponse, refusal: HttpRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    error: {
      code: refusal.code ?? REFUSED,
      message: refusal.message,
      ...(refusal.error === undefined ? {} : { data: { error: refusal.error } }),
    },
    id: null,
  });
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...refusal.headers,
  });
  response.end(body);
}

export const CONTINUE_PATH = '/continue';

const PARAMETER = 'tools';

/**
 * The selection in the address of an initialize request (`/mcp?tools=read,crawl`, once or repeated), or why
 * it is refused. Without one, the session lists the server's default.
 */
export function readSelectors(
  url: string | undefined,
  registry: ToolRegistry,
): { readonly selectors?: readonly string[] } | HttpRefusal {
  const query = (url ?? '').split('?').slice(1).join('?');
  const selectors = parseSelectors(new URLSearchParams(query).getAll(PARAMETER).join(','));
  if (selectors === undefined) return {};
  try {
    checkSelectors(registry, selectors, `?${PARAMETER}=`);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    return { status: 400, message: `${thrown.message} ${thrown.hint}`, error: thrown.toWire() };
  }
  return { selectors };
}

/** Options of {@link serveHttp}; the rest applies to each session's server. */
export interface HttpOptions extends Omit<McpServerOptions, 'onClient' | 'onWork'> {
  /** 0 picks a free port. */
  readonly port: number;
  /** Null serves every caller that passes the Host and Origin checks. */
  readonly token: string | null;
  /** A session ends after this long without work, a request or a listener. */
  readonly idleMs?: number;
  /** Takes a person's answer for a program: `{ "toolCallId": "run_…", "userInput": … }`. */
  readonly onContinue?: (payload: unknown) => Promise<object>;
  /** How long a request's body may take; the effective limit is up to twice that. */
  readonly bodyMs?: number;
  /** Maximum sessions. One more ends the least recently used one without work. */
  readonly maxSessions?: number;
  readonly onClients: (clients: readonly { readonly name: string; readonly version: string }[]) => void;
}
