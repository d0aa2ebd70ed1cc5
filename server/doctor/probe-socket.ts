import { connect } from 'node:net';
import { onAbort } from '../../shared/async/abort.ts';

/** Null when the socket takes a connection; otherwise the system's word for why not. */
export function probeSocket(path: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => finish(null));
    socket.once('error', (error) => finish(error.message));
    onAbort(signal, () => finish('no answer'));
  });
}
