import type { DoctorContext, PrivateLaunch } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** In place of the browser hop: a Chromium that a private launch can use is on the machine. */
export function launchableBrowserHop(launch: PrivateLaunch): Hop<DoctorContext> {
  return {
    id: 'browser',
    title: 'Browser',
    timeoutMs: 10_000,
    async run() {
      const { found, passedOver } = await launch.search();
      const reasons = passedOver.map(({ path, reason }) => `${path}: ${reason}`);
      if (found !== null) return pass(found.path);
      return fail(
        reasons.length === 0 ? 'No Chromium was found.' : reasons,
        'Install Chromium (`npx playwright install chromium`, or the package of your distribution), or pass --browser PATH.',
        'browser_launch_failed',
      );
    },
  };
}

/** In place of the host manifest: a private profile has one of its own, and its browser starts the host. */
export function privateBrowserHop(launch: PrivateLaunch): Hop<DoctorContext> {
  return {
    id: 'launch',
    title: 'Private browser',
    // A launch that makes no progress ends itself.
    timeoutMs: ({ connectTimeoutMs }) => 10 * connectTimeoutMs,
    async run({ findings }, signal) {
      const startedAt = performance.now();
      const launched = await launch.start(signal);
      findings.launched = launched;
      const tookMs = Math.round(performance.now() - startedAt);
      return pass(`pid ${launched.pid} started its native host in ${tookMs} ms`);
    },
  };
}
