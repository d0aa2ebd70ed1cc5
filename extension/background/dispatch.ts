import { ResponseError } from 'vscode-jsonrpc';
import { METHODS, RPC_CODED_ERROR, type MethodName, type RpcErrorData } from '../../shared/bridge/methods.ts';
import { StreamParams } from '../../shared/bridge/streams.ts';
import { ERRORS, SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { HandlerContext, Handlers, StreamSink } from './handler.ts';
import type { StreamSender } from './stream-sender.ts';
import { describeIssues } from '../../shared/describe-issues.ts';

/** A call whose params have been checked. */
export interface GuardedCall {
  readonly method: MethodName;
  readonly params: unknown;
  readonly signal: AbortSignal;
  run(signal: AbortSignal): Promise<unknown>;
}

/** Runs a call, unless it finds that it cannot be run. */
export type CallGuard = (call: GuardedCall) => Promise<unknown>;

export interface DispatchOptions {
  readonly method: string;
  readonly params: unknown;
  readonly handlers: Handlers;
  readonly signal: AbortSignal;
  readonly openStream: (params: StreamParams) => StreamSender;
  readonly guard?: CallGuard | undefined;
}

/** What every entry of {@link Handlers} is once its params have been parsed. */
type AnyHandler = (params: unknown, context: HandlerContext, sink?: StreamSink) => Promise<unknown>;

/** Room that the envelope and the response take around a result. */
const ENVELOPE_BYTES = 1_024;
const MAX_BYTES_PER_UNIT = 3;

const unguarded: CallGuard = ({ run, signal }) => run(signal);

const isMethodName = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/**
 * Runs one call: params checked, handler run, its stream sealed, result checked.
 *
 * @throws SpillwayError `api_not_found`, `invalid_argument`, `frame_too_large`, `internal_error`
 * when the result breaks its own schema, or what the handler throws.
 */
export async function dispatch(options: DispatchOptions): Promise<unknown> {
  const { method, handlers, signal, openStream, guard = unguarded } = options;
  if (!isMethodName(method))
    throw new SpillwayError('api_not_found', `The extension has no method ${method}.`);
  const definition = METHODS[method];
  const params = definition.params.safeParse(options.params);
  if (!params.success)
    throw new SpillwayError(
      'invalid_argument',
      `${method}: ${describeIssues(params.error.issues, 'params')}`,
    );
  // The schema above is the one that the handler's type is inferred from.
  const handler = handlers[method] as AnyHandler;
  signal.throwIfAborted();
  const call = { method, params: params.data, signal };
  if (!definition.streams) {
    const run = (limited: AbortSignal): Promise<unknown> => handler(params.data, { signal: limited });
    return check(method, await guard({ ...call, run }));
  }
  const sender = openStream(StreamParams.parse(params.data));
  const run = (limited: AbortSignal): Promise<unknown> => handler(params.data, { signal: limited }, sender);
  const result = check(method, await guard({ ...call, run }));
  await sender.end();
  return result;
}

/** UTF-8 bytes of a text that may be too large; of one that cannot be, its length is enough. */
function sizeOf(text: string): number {
  if (text.length * MAX_BYTES_PER_UNIT <= LIMITS.bridgeFrameBytes - ENVELOPE_BYTES) return text.length;
  return new TextEncoder().encode(text).length;
}

function check(method: MethodName, value: unknown): unknown {
  const result = METHODS[method].result.safeParse(value);
  if (!result.success)
    throw new SpillwayError(
      'internal_error',
      `${method} returned an invalid answer: ${describeIssues(result.error.issues, 'params')}`,
    );
  const sizeBytes = sizeOf(JSON.stringify(result.data));
  if (sizeBytes > LIMITS.bridgeFrameBytes - ENVELOPE_BYTES)
    throw new SpillwayError('frame_too_large', `The answer to ${method} has ${sizeBytes} bytes.`);
  return result.data;
}

/** A coded error as JSON-RPC carries it; the hint only where it is not the table's. */
export function toResponseError(thrown: unknown): ResponseError<RpcErrorData> {
  const { code, message, hint, tabId } = toSpillwayError(thrown);
  const data: RpcErrorData = {
    code,
    ...(hint === ERRORS[code].hint ? {} : { hint }),
    ...(tabId === undefined ? {} : { tab_id: tabId }),
  };
  return new ResponseError(RPC_CODED_ERROR, message, data);
}
