import type { HealthHop } from '../../shared/bridge/answers.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import type { Bridge, BrowserState } from '../core/services.ts';

/** A browser that does not answer by then has failed. */
const ECHO_MS = 3_000;

/** Links that only `spillway doctor` tests, and why. */
const LEFT: readonly (readonly [id: string, why: string])[] = [
  ['build', 'The files of the build'],
  ['browser', 'Which browsers are installed'],
  ['extension_id', 'The id of the extension'],
  ['host_manifest', 'The manifest of the native host'],
  ['page_read', 'Reading a page, which opens a tab,'],
];

const hop = (id: string, detail: string, facts: Partial<HealthHop> = {}): HealthHop => ({
  id,
  status: 'ok',
  code: null,
  fix: null,
  detail,
  ...facts,
});

/**
 * The links between this server and a page, by the ids of `spillway doctor`: what its connections show, and one round trip
 * to each worker. What would start a program or open a tab is left to `doctor`.
 */
export async function readHealth(bridge: Bridge, signal: AbortSignal): Promise<readonly HealthHop[]> {
  const browsers = bridge.browsers().filter(({ connected }) => connected);
  const names = browsers.map(({ facts: { name, version } }) => `${name} ${version}`).join(', ');
  return [
    hop('node', `Node ${process.version}, pid ${process.pid}`),
    ...(browsers.length === 0 ? [notConnected()] : [hop('handshake', `Connected to ${names}`)]),
    ...browsers.map(versionsOf),
    ...(await Promise.all(browsers.map((browser) => workerOf(bridge, browser, signal)))),
    ...LEFT.map(([id, why]) =>
      hop(id, `${why} is tested by \`spillway doctor\` alone.`, { status: 'not_tested' }),
    ),
  ];
}

const notConnected = (): HealthHop =>
  hop('handshake', 'No browser is connected.', {
    status: 'failed',
    code: 'browser_not_connected',
    fix: 'Run `spillway doctor` to see which link is broken.',
  });

function versionsOf({ facts, hostVersion, extensionVersion, wire, reconnects }: BrowserState): HealthHop {
  const detail = `${facts.name}: server ${VERSION}, host ${hostVersion}, extension ${extensionVersion}, wire ${wire}, reconnects ${reconnects}`;
  if (hostVersion === VERSION && extensionVersion === VERSION) return hop('versions', detail);
  return hop('versions', `${detail}. The builds differ: run \`spillway install\`, and reload the extension.`);
}

async function workerOf(
  bridge: Bridge,
  { id, facts }: BrowserState,
  signal: AbortSignal,
): Promise<HealthHop> {
  const startedAt = performance.now();
  try {
    const options = { call: null, signal, idleTimeoutMs: ECHO_MS };
    await bridge.request(id, 'bridge.echo', { value: 'health' }, options);
    return hop('worker', `${facts.name} echoes in ${(performance.now() - startedAt).toFixed(1)} ms`);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message, hint } = toSpillwayError(thrown);
    return hop('worker', `${facts.name}: ${message}`, { status: 'failed', code, fix: hint });
  }
}
