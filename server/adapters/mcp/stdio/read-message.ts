import {
  ErrorCode,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  RequestIdSchema,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { describeIssues } from '../../../../shared/describe-issues.ts';
import { isObject } from '../../../../shared/json.ts';
import type { LongLine } from './line-reader.ts';

/** A line of a client: a message of the protocol, or what to reply to one that is not. */
export type Received =
  | { readonly message: JSONRPCMessage }
  | { readonly replies: readonly JSONRPCErrorResponse[] };

const NOTHING: Received = { replies: [] };

/**
 * Reads one line. Whatever looks like a request is answered: with its id where it has a valid one. The
 * protocol has no batches, so each request of one is refused by its own id.
 *
 * @param maxBytes of a line
 */
export function readMessage(line: string | LongLine, maxBytes: number): Received {
  if (typeof line !== 'string')
    return refuse(ErrorCode.InvalidRequest, `A message may have ${maxBytes} bytes.`, idOf(line));
  if (line.trim() === '') return NOTHING;
  const value = parse(line);
  if (value === undefined) return refuse(ErrorCode.ParseError, 'The line is not JSON.');
  if (Array.isArray(value)) return { replies: value.flatMap(refuseEntry) };
  if (!isObject(value)) return refuse(ErrorCode.InvalidRequest, 'A message is an object.');
  return readObject(value);
}

function readObject(value: Readonly<Record<string, unknown>>): Received {
  const isResponse = !('method' in value) && ('result' in value || 'error' in value);
  if (isResponse) return readAny([JSONRPCResultResponseSchema, JSONRPCErrorResponseSchema], value) ?? NOTHING;
  if (!('id' in value)) return readAny([JSONRPCNotificationSchema], value) ?? NOTHING;
  const request = JSONRPCRequestSchema.safeParse(value);
  if (request.success) return { message: request.data };
  const { issues } = request.error;
  const isParams = issues.every(({ path }) => path[0] === 'params');
  const code = isParams ? ErrorCode.InvalidParams : ErrorCode.InvalidRequest;
  return refuse(code, `${describeIssues(issues.slice(0, 5), 'request')}.`, idOf(value));
}

interface MessageSchema {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: JSONRPCMessage };
}

function readAny(schemas: readonly MessageSchema[], value: unknown): Received | undefined {
  for (const schema of schemas) {
    const { data } = schema.safeParse(value);
    if (data !== undefined) return { message: data };
  }
  return undefined;
}

function refuseEntry(entry: unknown): readonly JSONRPCErrorResponse[] {
  if (!isObject(entry) || !('id' in entry) || !('method' in entry)) return [];
  return [
    errorResponse(
      ErrorCode.InvalidRequest,
      'Batches are not supported: send one message a line.',
      idOf(entry),
    ),
  ];
}

const refuse = (code: number, message: string, id?: RequestId): Received => ({
  replies: [errorResponse(code, message, id)],
});

const errorResponse = (code: number, message: string, id: RequestId | undefined): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message },
});

const idOf = ({ id }: { readonly id?: unknown }): RequestId | undefined => RequestIdSchema.safeParse(id).data;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
