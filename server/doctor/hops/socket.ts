import { connect } from 'node:net';
import type { LiveHost } from '../../bridge/discovery.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** The socket of every registered host takes a connection. */
export const socketHop: Hop<DoctorContext> = {
  id: 'socket',
  title: 'Socket',
  timeoutMs: 3_000,
  async run({ findings }, signal) {
    for (const host of findings.hosts) {
      const problem = await tryConnect(host, signal);
      if (problem !== null)
        return fail(
          `${host.registration.socket} of pid ${host.registration.pid} takes no connection: ${problem}.`,
          `Press the reload button of Spillway in chrome://extensions of ${host.registration.browser.name}, which starts a new host.`,
          'browser_not_connected',
        );
    }
    return pass(findings.hosts.map((host) => host.registration.socket));
  },
};

/** Null when the connection was taken; otherwise the system's word for why not. */
function tryConnect({ registration }: LiveHost, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(registration.socket);
    const finish = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => finish(null));
    socket.once('error', (error) => finish(error.message));
    signal.addEventListener('abort', () => finish('no answer'), { once: true });
  });
}
