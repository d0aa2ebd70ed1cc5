import { VERSION } from '../../../shared/version.ts';
import type { DoctorContext } from '../context.ts';
import { reloadAdvice } from '../profiles.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** Server, host and extension share a wire version. Different builds that do are only reported. */
export const versionsHop: Hop<DoctorContext> = {
  id: 'versions',
  title: 'Versions',
  timeoutMs: 1_000,
  async run({ findings }) {
    if (findings.versionRefusal !== null)
      return fail(
        findings.versionRefusal.message,
        `Update the older side (this server is ${VERSION}), run \`spillway install\`, and then: ${reloadAdvice(findings.profiles, findings.hosts[0]?.registration.browser.name ?? 'your browser')}.`,
        'wire_version_mismatch',
      );
    const evidence: string[] = [];
    const warnings: string[] = [];
    for (const { peer } of findings.peers) {
      const { host, extension, browser, wire } = peer;
      evidence.push(`server ${VERSION}, host ${host.version}, extension ${extension.version}, wire ${wire}`);
      if (host.version !== VERSION || extension.version !== VERSION)
        warnings.push(
          `${browser.name} runs a different build: run \`spillway install\` and reload Spillway in chrome://extensions.`,
        );
    }
    return pass(evidence, warnings);
  },
};
