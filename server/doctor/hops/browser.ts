import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { BROWSER_KINDS, browserPlaces, detectBrowser } from '../../core/bridge/browsers.ts';
import { fail, pass, type HopOutcome } from '../../core/hop.ts';
import { type DoctorContext, reloadAdvice, formatBrowserName, hop } from '../hop.ts';
import { PRODUCT, WIRE_RANGE } from '../../../shared/core/bridge/wire.ts';
import { toSpillwayError, SpillwayError } from '../../../shared/base/errors.ts';
import { gather } from '../../../shared/base/queue.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { newInstance } from '../../core/bridge/index.ts';
import { connectToHost } from '../../core/bridge/frames.ts';
import { readSecret } from '../../core/bridge/directory.ts';
import type { LocatedHost } from '../../core/bridge/discovery.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { Bridge, BrowserState } from '../../core/services.ts';

/** The machine has a browser that can start a native host. */
export const browserHop = hop('browser', 'Browser', 5_000, async (context) => {
  const { machine, findings } = context;
  const wanted = context.browsers === 'found' ? BROWSER_KINDS : context.browsers;
  const advice: string[] = [];
  const evidence: string[] = [];
  for (const id of wanted) {
    const places = browserPlaces(machine, id);
    const detected = await detectBrowser(context, places);
    if (detected.advice !== null) advice.push(detected.advice);
    if (detected.state !== 'found') continue;
    const executable = detected.installations.find((each) => each.packaging === 'native');
    const where =
      executable === undefined ? `by its data in ${places.userDataDirectory}` : `at ${executable.path}`;
    evidence.push(`${places.name} ${where}`);
    findings.browsers = [...findings.browsers, places];
  }
  if (evidence.length > 0) return pass(evidence, advice);
  const names = wanted.map((id) => browserPlaces(machine, id).name).join(', ');
  if (advice.length > 0)
    return fail(
      advice.map((each) => `${each.split('. ')[0] ?? each}.`),
      advice[0] ?? '',
    );
  if ((machine.env['WSL_DISTRO_NAME'] ?? '') !== '')
    return fail(
      `This is WSL, and none of ${names} was found in it. A browser in Windows cannot reach a server in WSL.`,
      'Run the server in Windows: `cmd.exe /c npx -y spillway@latest install`, and let the agent start `cmd.exe /c npx -y spillway@latest`. Or install a browser for Linux in WSL.',
    );
  return fail(
    `None of ${names} was found.`,
    'Install one of them, or name another with --browser; `spillway doctor --launch` needs only Chromium.',
  );
});

/** Host and server prove to each other, in time, that they share the folder's secret. */
export const handshakeHop = hop(
  'handshake',
  'Handshake',
  ({ connectTimeoutMs }) => connectTimeoutMs + 2_000,
  async ({ findings, connectTimeoutMs }) => {
    if (findings.versionRefusal !== null) return pass('no host listens: see Versions');
    // Concurrently, so that several silent hosts do not add up.
    const results = await Promise.all(findings.hosts.map((host) => shakeHands(host, connectTimeoutMs)));
    const failed = results.find((each) => each.error !== null);
    if (failed?.error != null && failed.error.code !== 'wire_version_mismatch') {
      const { pid, browser } = failed.host.registration;
      return fail(
        `Host pid ${pid} of ${formatBrowserName(browser)}: ${failed.error.message}`,
        /private file/.test(failed.error.message)
          ? `Run \`chmod 600\` on that file, or remove it and restart ${browser.name}.`
          : `${reloadAdvice(findings.profiles, browser.name)}; if this persists, remove ` +
              `${failed.host.directory} and restart the browser, so that both ends share one secret.`,
        failed.error.code,
      );
    }
    findings.versionRefusal = failed?.error ?? null;
    if (failed !== undefined) return pass('the host answers, but not to this version (next hop)');
    findings.peers = results.flatMap(({ host, peer }) => (peer === null ? [] : [{ host, peer }]));
    return pass(
      results.map(
        ({ host, tookMs }) =>
          `${formatBrowserName(host.registration.browser)}: both ends proved the secret in ${tookMs} ms`,
      ),
    );
  },
);

async function shakeHands(host: LocatedHost, timeoutMs: number) {
  const startedAt = performance.now();
  try {
    const secret = readSecret(host.directory);
    if (secret === null) throw new Error(`${host.directory} contains no secret.`);
    const connection = await connectToHost({
      socketPath: host.registration.socket,
      secret,
      timeoutMs,
      identity: { product: PRODUCT, version: VERSION, wire: WIRE_RANGE, instance: newInstance() },
    });
    connection.close();
    return { host, peer: connection.peer, error: null, tookMs: Math.round(performance.now() - startedAt) };
  } catch (thrown) {
    return { host, peer: null, error: toSpillwayError(thrown), tookMs: 0 };
  }
}

const ROUND_TRIPS = 5;
const ECHO_TIMEOUT_MS = 3_000;

/** The extension's worker answers an echo through host and socket. */
export const workerHop = hop(
  'worker',
  'Worker',
  LIMITS.browserWaitMs + ECHO_TIMEOUT_MS + 1_000,
  async (context, signal) => {
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
            `${formatBrowserName(browser.facts)} echoed another value.`,
          );
        times.push(performance.now() - startedAt);
      }
      const refusal = await refusalOf(bridge, browser, signal);
      if (refusal !== null) return refusal;
      const medianMs = times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0;
      evidence.push(
        `${formatBrowserName(browser.facts)} echoes in ${medianMs.toFixed(1)} ms (median of ${ROUND_TRIPS})`,
      );
    }
    return pass(evidence);
  },
);

async function refusalOf(
  bridge: Bridge,
  { id, facts }: BrowserState,
  signal: AbortSignal,
): Promise<HopOutcome | null> {
  const options = { call: null, signal, idleTimeoutMs: ECHO_TIMEOUT_MS };
  const name = formatBrowserName(facts);
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
 * @throws SpillwayError `browser_disconnected` if one of them has gone.
 */
function connectedBrowsers({ bridge, findings }: DoctorContext): readonly BrowserState[] {
  const wanted = new Set(findings.hosts.map((host) => host.registration.extension_instance));
  const connected = bridge()
    .browsers()
    .filter((browser) => browser.connected && wanted.has(browser.instance));
  if (connected.length > 0) return connected;
  throw new SpillwayError('browser_disconnected', 'The browser disconnected during the check.');
}

const STEP_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens a page of ours, served on loopback for this one reading, in a background tab, reads it and closes it.
 * Extensions may not read `about:blank`, so it has to be a real page.
 */
export const pageReadHop = hop('page_read', 'Page read', 20_000, async (context, signal) => {
  const bridge = context.bridge();
  const page = await servePage();
  try {
    const evidence: string[] = [];
    for (const browser of connectedBrowsers(context)) {
      const startedAt = performance.now();
      const text = await readOnce(bridge, browser, page.url, signal);
      if (!text.includes(page.proof))
        return fail(
          `${formatBrowserName(browser.facts)} read ${text.length} characters of ${page.url}, but not what the page says.`,
          'Check whether a proxy or another extension changes pages on 127.0.0.1.',
        );
      const tookMs = Math.round(performance.now() - startedAt);
      evidence.push(
        `${formatBrowserName(browser.facts)} opened, read and closed a background tab in ${tookMs} ms`,
      );
    }
    return pass(evidence);
  } finally {
    page.close();
  }
});

async function readOnce(
  bridge: Bridge,
  { id }: BrowserState,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const options = { call: null, signal, idleTimeoutMs: STEP_TIMEOUT_MS };
  const goto = { action: 'goto', url, wait_until: 'load', timeout_ms: STEP_TIMEOUT_MS } as const;
  const { tab } = await bridge.request(id, 'page.navigate', { tab_id: null, ...goto }, options);
  try {
    const page = {
      tab_id: tab.id,
      caller: { session: 'doctor', name: 'doctor' },
      format: 'text',
      selector: null,
      main_content_only: false,
      include_links: false,
      include_hidden: false,
    } as const;
    return (await gather(bridge.stream(id, 'page.read', page, options))).join('');
  } finally {
    // Without the hop's signal: the tab is closed even if the reading was abandoned.
    await bridge
      .request(id, 'tabs.close', { tab_id: tab.id }, { call: null, idleTimeoutMs: CLOSE_TIMEOUT_MS })
      .catch((thrown: unknown) => toSpillwayError(thrown));
  }
}

/** One page on a free loopback port with unpredictable text. */
async function servePage() {
  const proof = `spillway ${randomBytes(8).toString('hex')}`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
    response.end(`<!doctype html><title>Spillway doctor</title><p>${proof}</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    proof,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
