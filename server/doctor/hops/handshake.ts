import { randomBytes } from 'node:crypto';
import { PRODUCT, WIRE_RANGE } from '../../../shared/bridge/wire.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { VERSION } from '../../../shared/version.ts';
import { HostConnection } from '../../bridge/connection.ts';
import { readSecret } from '../../bridge/directory.ts';
import type { LiveHost } from '../../bridge/discovery.ts';
import type { DoctorContext } from '../context.ts';
import { reloadAdvice } from '../profiles.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** Host and server prove to each other, in time, that they share the folder's secret. */
export const handshakeHop: Hop<DoctorContext> = {
  id: 'handshake',
  title: 'Handshake',
  timeoutMs: ({ connectTimeoutMs }) => connectTimeoutMs + 2_000,
  async run({ findings, connectTimeoutMs }) {
    if (findings.versionRefusal !== null) return pass('no host listens: see Versions');
    // Together, so that several silent hosts do not add up.
    const results = await Promise.all(findings.hosts.map((host) => shakeHands(host, connectTimeoutMs)));
    const failed = results.find((each) => each.error !== null);
    if (failed?.error != null && failed.error.code !== 'wire_version_mismatch') {
      const { pid, browser } = failed.host.registration;
      return fail(
        `Host pid ${pid} of ${browser.name}: ${failed.error.message}`,
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
    return pass(results.map(({ tookMs }) => `both ends proved the secret in ${tookMs} ms`));
  },
};

async function shakeHands(host: LiveHost, timeoutMs: number) {
  const startedAt = performance.now();
  try {
    const secret = readSecret(host.directory);
    if (secret === null) throw new Error(`${host.directory} contains no secret.`);
    const connection = await HostConnection.open({
      socketPath: host.registration.socket,
      secret,
      timeoutMs,
      identity: {
        product: PRODUCT,
        version: VERSION,
        wire: WIRE_RANGE,
        instance: randomBytes(12).toString('hex'),
      },
    });
    connection.close();
    return {
      host,
      peer: connection.peer,
      error: null,
      tookMs: Math.round(performance.now() - startedAt),
    };
  } catch (thrown) {
    return { host, peer: null, error: toSpillwayError(thrown), tookMs: 0 };
  }
}
