import type { IncomingMessage } from 'node:http';
import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Refusal } from '../../../toolkit/http-guard.ts';

/** A message as far as the door has to know it; the transport parses the whole. */
const Peeked = z.object({
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
  method: z.string().optional().catch(undefined),
});

/** Messages of one batch: the transport takes no more, and looking at very many would hold up every session. */
const MAX_MESSAGES = 100;

/** What a client posted. */
export interface PostBody {
  /** The parsed JSON; undefined where the method has no body. */
  readonly body: unknown;
  readonly requests: readonly { readonly id: RequestId; readonly method: string }[];
}

/** Of GET and DELETE. */
export const EMPTY_POST: PostBody = { body: undefined, requests: [] };

/** Reads a body of JSON, or says why it is refused. */
export async function readPostBody(request: IncomingMessage, maxBytes: number): Promise<PostBody | Refusal> {
  if (Number(request.headers['content-length']) > maxBytes) return tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let body: unknown;
  try {
    // A refusal could not be sent if the end of the loop hung up.
    const read: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of read) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return tooLarge(maxBytes);
      chunks.push(chunk);
    }
    body = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch {
    return { status: 400, code: ErrorCode.ParseError, message: 'Parse error: the body is not JSON.' };
  }
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.length > MAX_MESSAGES ? TOO_MANY : { body, requests: messages.flatMap(peek) };
}

function peek(message: unknown): PostBody['requests'] {
  const { id, method } = Peeked.catch({}).parse(message);
  return id === undefined || method === undefined ? [] : [{ id, method }];
}

const TOO_MANY: Refusal = {
  status: 400,
  code: ErrorCode.InvalidRequest,
  message: `Invalid Request: a batch has at most ${MAX_MESSAGES} messages.`,
};

const tooLarge = (maxBytes: number): Refusal => ({
  status: 413,
  message: `Payload too large: a body has at most ${maxBytes} bytes.`,
});
