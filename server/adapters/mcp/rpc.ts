import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ERRORS, toSpillwayError, type SpillwayError, type WireError } from '../../../shared/errors.ts';
import { publicFields } from '../../core/registry/public-fields.ts';
import type { Extra, McpSession } from './session.ts';
import { describeIssues } from '../../../shared/describe-issues.ts';

/** The protocol's code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

/** Fields of an error's `data` besides those of the protocol. */
interface ErrorData extends Readonly<Record<string, unknown>> {
  readonly error?: WireError;
}

/** An error as JSON-RPC carries it. The SDK's own class would put a prefix before each message. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: ErrorData | undefined;

  constructor(code: number, message: string, data?: ErrorData) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** -32602 with the name of what is wrong. */
export const invalidParams = (message: string, data?: ErrorData): RpcError =>
  new RpcError(ErrorCode.InvalidParams, message, data);

/** -32002, with our coded error in `data`. */
const resourceNotFound = (uri: string, error: SpillwayError): RpcError =>
  new RpcError(RESOURCE_NOT_FOUND, error.message, { uri, error: error.toWire() });

const NOT_FOUND = ['output_handle_not_found', 'run_not_found', 'resource_not_found'];

/** Makes a JSON-RPC error of anything that a handler threw: each has one of our codes in its data. */
function toRpcError(thrown: unknown, uri: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const error = toSpillwayError(thrown);
  if (NOT_FOUND.includes(error.code)) return resourceNotFound(String(uri), error);
  const wire = error.toWire();
  return ERRORS[error.code].fault === 'caller'
    ? invalidParams(error.message, { error: wire })
    : new RpcError(ErrorCode.InternalError, error.message, { error: wire });
}

/** What is wrong with parameters. */
export const describeParams = (error: Pick<z.ZodError, 'issues'>): string =>
  describeIssues(error.issues.slice(0, 5), 'params');

/** Parses parameters. @throws RpcError -32602 with the names of what is wrong */
export function parseParams<Params>(schema: z.ZodType<Params>, given: unknown): Params {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidParams(`${describeParams(parsed.error)}.`);
}

/** One method of the protocol. */
export interface Method<Params> {
  readonly method: string;
  readonly params: z.ZodType<Params>;
  readonly answer: (params: Params, extra: Extra) => Promise<Result>;
}

/**
 * Serves a method: its parameters are parsed here, what leaves passes the public-fields filter, and
 * each failure is a JSON-RPC error with a code of ours.
 */
export function serveMethod<Params>(mcp: McpSession, { method, params, answer }: Method<Params>): void {
  const { server, options } = mcp;
  const { widgets } = options.executor.registry.mode;
  const Request = z.object({ method: z.literal(method), params: z.unknown().optional() });
  // The capability is asserted by Server's own; the schema of the SDK would answer without a code.
  Protocol.prototype.setRequestHandler.call(server, Request, async (request, extra) => {
    const given = Request.parse(request).params ?? {};
    try {
      return publicFields(await answer(parseParams(params, given), extra as Extra), widgets);
    } catch (thrown) {
      const { uri } = z.object({ uri: z.unknown() }).catch({ uri: undefined }).parse(given);
      throw toRpcError(thrown, uri);
    }
  });
}
