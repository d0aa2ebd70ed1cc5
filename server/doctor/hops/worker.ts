import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Bridge, BrowserState } from '../../core/services.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop, type HopOutcome } from '../hop.ts';

const ROUND_TRIPS = 5;
const ECHO_TIMEOUT_MS = 3_000;

/** The extension's worker answers an echo through host and socket. */
export const workerHop: Hop<DoctorContext> = {
  id: 'worker',
  title: 'Worker',
  timeoutMs: LIMITS.browserWaitMs + ECHO_TIMEOUT_MS + 1_000,
  async run(context, signal) {
    const bridge = context.bridge();
    await bridge.ready({ signal, timeoutMs: LIMITS.browserWaitMs });
    const evidence: string[] = [];
    for (const browser of connectedBrowsers(context)) {
      const times: number[] = [];
      for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
        const startedAt = performance.now();
        const options = { call: null, signal, idleTimeoutMs: ECHO_TIMEOUT_MS };
        const value = `doctor ${trip}`;
        const answer = await bridge.request(browser.id, 'bridge.echo', { value }, options);
        if (answer.value !== value)
          throw new SpillwayError(
            'internal_error',
            `The worker of ${browser.facts.name} echoed another value.`,
          );
        times.push(performance.now() - startedAt);
      }
      const refusal = await refusalOf(bridge, browser, signal);
      if (refusal !== null) return refusal;
      const medianMs = times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0;
      evidence.push(`${browser.facts.name} echoes in ${medianMs.toFixed(1)} ms (median of ${ROUND_TRIPS})`);
    }
    return pass(evidence);
  },
};

/** What a person took back in the browser, and can give again. */
async function refusalOf(
  bridge: Bridge,
  { id, facts: { name } }: BrowserState,
  signal: AbortSignal,
): Promise<HopOutcome | null> {
  const options = { call: null, signal, idleTimeoutMs: ECHO_TIMEOUT_MS };
  const { debugging_cancelled, has_site_access } = await bridge.request(id, 'browser.describe', {}, options);
  if (has_site_access === false)
    return fail(
      `${name} does not let the extension work on all sites.`,
      `In chrome://extensions of ${name}, open the details of Spillway and allow it on all sites.`,
      'page_forbidden',
    );
  if (debugging_cancelled === true)
    return fail(
      `Debugging was cancelled in ${name}: agents cannot capture requests, read the console or take whole-page screenshots.`,
      `Click Spillway in the toolbar of ${name}, and press "Allow debugging again".`,
      'debugger_cancelled',
    );
  return null;
}

/**
 * The connected browsers whose hosts were checked.
 *
 * @throws SpillwayError `browser_disconnected` when one of them is no longer there.
 */
export function connectedBrowsers({ bridge, findings }: DoctorContext): readonly BrowserState[] {
  const wanted = new Set(findings.hosts.map((host) => host.registration.extension_instance));
  const connected = bridge()
    .browsers()
    .filter((browser) => browser.connected && wanted.has(browser.instance));
  if (connected.length > 0) return connected;
  throw new SpillwayError('browser_disconnected', 'The browser disconnected during the check.');
}
