import { CancellationTokenSource, ResponseError, type MessageConnection } from 'vscode-jsonrpc';
import { readCodedError } from '../../shared/bridge/coded-errors.ts';
import type { ServerMethodName, ServerMethodParams } from '../../shared/bridge/server-methods.ts';
import { anySignal, onAbort } from '../../shared/async/abort.ts';
import { abortable } from '../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';

/** How long a server may take to answer: it writes a line to its disk. */
const ANSWER_MS = 10_000;

/** A request to a server. */
interface ServerRequest<M extends ServerMethodName> {
  readonly method: M;
  readonly params: ServerMethodParams<M>;
  readonly signal: AbortSignal;
  /** Aborted when the channel closes. */
  readonly closed: AbortSignal;
}

/**
 * Asks a server for something.
 * @throws SpillwayError what the server answered, `timeout`, what the signals say
 */
export async function askServer<M extends ServerMethodName>(
  connection: MessageConnection,
  { method, params, signal, closed }: ServerRequest<M>,
): Promise<void> {
  const source = new CancellationTokenSource();
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new SpillwayError('timeout', `The server did not answer ${method} in time.`)),
    ANSWER_MS,
  );
  const limited = anySignal([signal, closed, timeout.signal]);
  const stopListening = onAbort(limited.signal, () => source.cancel());
  try {
    limited.signal.throwIfAborted();
    const answer = connection.sendRequest<unknown>(method, params, source.token);
    await abortable(answer, limited.signal);
  } catch (thrown) {
    throw thrown instanceof ResponseError
      ? (readCodedError(thrown) ?? new SpillwayError('upstream_error', thrown.message))
      : toSpillwayError(thrown);
  } finally {
    clearTimeout(timer);
    stopListening();
    limited.release();
  }
}
