import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';
import { reloadAdvice } from '../profiles.ts';
import { probeSocket } from '../probe-socket.ts';

/** The socket of every registered host takes a connection. */
export const socketHop: Hop<DoctorContext> = {
  id: 'socket',
  title: 'Socket',
  timeoutMs: 3_000,
  async run({ findings }, signal) {
    for (const host of findings.hosts) {
      const problem = await probeSocket(host.registration.socket, signal);
      if (problem !== null)
        return fail(
          `${host.registration.socket} of pid ${host.registration.pid} accepts no connection: ${problem}.`,
          `${reloadAdvice(findings.profiles, host.registration.browser.name)}, which starts a new host.`,
          'browser_not_connected',
        );
    }
    if (findings.versionRefusal !== null) return pass('no host listens: see Versions');
    return pass(findings.hosts.map((host) => host.registration.socket));
  },
};
