import type { z } from 'zod';
import type { JsonRpc } from '../../../shared/core/bridge/json-rpc.ts';
import {
  SERVER_METHODS,
  type ServerMethodInput,
  type ServerMethodName,
  type ServerMethodResult,
} from '../../../shared/core/bridge/server-methods.ts';
import { describeIssues } from '../../../shared/base/json-schema.ts';
import { abortable, deadlineSignal, onAbort } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';

/** How long a server may take for a request without a wait of its own: it reads or writes its disk. */
const ANSWER_MS = 10_000;

interface ServerRequest<M extends ServerMethodName> {
  readonly method: M;
  readonly params: ServerMethodInput<M>;
  readonly signal: AbortSignal;
  /** Aborted when the channel closes. */
  readonly closed: AbortSignal;
}

/**
 * Sends a request to a server.
 * @throws SpillwayError the server's error, `timeout`, the signals' reasons, `upstream_error` for an answer
 *   that breaks the schema of its method
 */
export async function askServer<M extends ServerMethodName>(
  rpc: JsonRpc,
  { method, params, signal, closed }: ServerRequest<M>,
): Promise<ServerMethodResult<M>> {
  const late = (): SpillwayError =>
    new SpillwayError('timeout', `The server did not answer ${method} in time.`);
  const limited = deadlineSignal(ANSWER_MS + waitOf(params), late, signal, closed);
  let stopListening = (): void => undefined;
  try {
    limited.signal.throwIfAborted();
    const { answer, cancel } = rpc.call(method, params);
    stopListening = onAbort(limited.signal, cancel);
    return parseResult(method, await abortable(answer, limited.signal));
  } catch (thrown) {
    throw toSpillwayError(thrown);
  } finally {
    stopListening();
    limited.release();
  }
}

const waitOf = (params: object): number =>
  'wait_ms' in params && typeof params.wait_ms === 'number' ? params.wait_ms : 0;

function parseResult<M extends ServerMethodName>(method: M, value: unknown): ServerMethodResult<M> {
  // Combining all result types exceeds the compiler's depth: they contain any JSON.
  const schema: z.ZodType<object> = SERVER_METHODS[method].result;
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new SpillwayError(
      'upstream_error',
      `The server gave an invalid answer to ${method}: ${describeIssues(parsed.error.issues, 'value')}`,
    );
  // The schema of the method's row has just accepted it.
  return parsed.data as ServerMethodResult<M>;
}
