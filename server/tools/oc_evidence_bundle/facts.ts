import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { Bridge, Clock } from '../../core/services.ts';
import type { TabTarget } from '../../core/targets.ts';
import { messageOf } from '../../../shared/message-of.ts';

const Security = z.looseObject({ kind: z.literal('security'), certificates: z.array(z.string()) });

/** The worker's lines, certificates described in words, and what the server adds. */
export async function* withServerFacts(
  lines: AsyncIterable<JsonValue>,
  {
    services,
    target,
  }: {
    readonly services: { readonly bridge: Bridge; readonly clock: Clock; readonly version: string };
    readonly target: TabTarget;
  },
): AsyncGenerator<JsonValue, void> {
  for await (const line of lines) {
    const security = Security.safeParse(line);
    yield security.success
      ? { ...security.data, certificates: security.data.certificates.map(describeCertificate) }
      : line;
  }
  const browser = services.bridge.browsers().find(({ id }) => id === target.browser);
  yield {
    kind: 'server',
    version: services.version,
    host_version: browser?.hostVersion ?? null,
    wire: browser?.wire ?? null,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
  yield {
    kind: 'server_time',
    at: new Date(services.clock.now()).toISOString(),
    monotonic_ms: Math.round(services.clock.monotonic()),
  };
}

function describeCertificate(der: string): JsonObject {
  try {
    const certificate = new X509Certificate(Buffer.from(der, 'base64'));
    return {
      subject: certificate.subject,
      issuer: certificate.issuer,
      names: certificate.subjectAltName ?? null,
      valid_from: certificate.validFrom,
      valid_to: certificate.validTo,
      serial: certificate.serialNumber,
      sha256_fingerprint: certificate.fingerprint256,
    };
  } catch (thrown) {
    return { not_read: messageOf(thrown) };
  }
}
