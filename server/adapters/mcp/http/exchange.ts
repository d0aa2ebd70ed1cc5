import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, readBody } from '../../../toolkit/http-guard.ts';
import { RPC_CODE } from '../rpc.ts';

export interface PostBody {
  /** The parsed JSON; undefined where the method has no body. */
  readonly body: unknown;
}

/** Reads a body of JSON, or says why it is refused. */
export async function readPostBody(request: IncomingMessage, maxBytes: number): Promise<PostBody | Refusal> {
  let body: unknown;
  try {
    const bytes = await readBody(request, maxBytes);
    if (bytes === null)
      return { status: 413, message: `Payload too large: a body has at most ${maxBytes} bytes.` };
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { status: 400, code: RPC_CODE.parseError, message: 'Parse error: the body is not JSON.' };
  }
  if (!Array.isArray(body)) return { body };
  const message = 'Batches are not supported: send one message per request.';
  return { status: 400, code: RPC_CODE.invalidRequest, message };
}

/** A request whose body is there, and where its answer goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly posted: PostBody;
}

/** Of a request that no handler of the protocol saw. */
const REFUSED = -32_000;

/** Answers a request with an error of JSON-RPC. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
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
