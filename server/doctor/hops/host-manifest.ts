import { commandLine } from '../../bridge/install/command-line.ts';
import { parseLauncher, type LauncherFacts } from '../../bridge/install/launcher.ts';
import { EXTENSION_ORIGIN, isOurManifest } from '../../bridge/install/manifest.ts';
import type { BrowserPlaces } from '../../bridge/install/browsers.ts';
import { findClaims, findHostManifests, type ManifestSeen } from '../claims.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop, type HopOutcome } from '../hop.ts';
import { findForbiddingPolicy } from '../policies.ts';

/**
 * Where the browsers look there is our manifest, no other's under our name and no policy against
 * it; it leads to a launcher that can start, with a Node and a host that exist.
 */
export const hostManifestHop: Hop<DoctorContext> = {
  id: 'host_manifest',
  title: 'Host manifest',
  timeoutMs: 5_000,
  async run(context) {
    const { findings } = context;
    const without: BrowserPlaces[] = [];
    const evidence: string[] = [];
    const launchers = new Set<string>();
    for (const { places } of findings.browsers) {
      const policy = await findForbiddingPolicy(context, places);
      if (policy !== null) return fail(policy.seen, policy.fix);
      const seen = await findHostManifests(context, places);
      const wrong = judgeAll(places, seen);
      if (wrong !== null) return wrong;
      const paths = seen.filter(({ manifest }) => manifest !== null).map(({ path }) => path);
      if (paths.length === 0) without.push(places);
      else evidence.push(`${places.name}: ${paths.join(', ')}`);
      for (const { manifest } of seen) if (manifest !== null) launchers.add(manifest.path);
    }
    const isStrict = context.browsers !== 'found';
    const lacking = isStrict || evidence.length === 0 ? without[0] : undefined;
    if (lacking !== undefined) return failWithoutManifest(lacking);
    for (const launcher of launchers) {
      const broken = await judgeLauncher(context, launcher);
      if (broken !== null) return broken;
    }
    findings.launchers = [...launchers];
    const warnings = without.map(
      (places) => `${places.name} is not installed for: \`spillway install --browser ${places.id}\`.`,
    );
    for (const { places } of findings.browsers) warnings.push(...(await findClaims(context, places)));
    return pass(evidence, [...new Set(warnings)]);
  },
};

function failWithoutManifest({ id, name, manifestDirectories, registryKeys }: BrowserPlaces): HopOutcome {
  const wanted = [...manifestDirectories, ...registryKeys].join(' or ');
  return fail(
    `${name} has no manifest of the native host in ${wanted}.`,
    `Run \`spillway install --browser ${id}\`.`,
  );
}

function judgeAll(places: BrowserPlaces, seen: readonly ManifestSeen[]): HopOutcome | null {
  return seen.map((each) => judge(places, each)).find((outcome) => outcome !== null) ?? null;
}

function judge(places: BrowserPlaces, seen: ManifestSeen): HopOutcome | null {
  if (seen.state === 'unreadable')
    return fail(
      `${seen.path} cannot be read.`,
      `Run \`${commandLine(['chmod', '600', seen.path])}\`, or remove it and run \`spillway install --browser ${places.id}\`.`,
    );
  if (seen.state === 'broken')
    return fail(
      `${seen.path} is not a host manifest that ${places.name} can read.`,
      `Run \`spillway install --browser ${places.id}\`, which replaces it.`,
    );
  const { path, manifest } = seen;
  if (manifest === null) return null;
  if (isOurManifest(manifest)) {
    if (manifest.allowed_origins.includes(EXTENSION_ORIGIN)) return null;
    const allowed = manifest.allowed_origins.join(', ') || 'no extension';
    return fail(
      `${path} is Spillway's, but lets in ${allowed} instead of ${EXTENSION_ORIGIN}.`,
      `Run \`spillway install --browser ${places.id}\`, which repairs it.`,
    );
  }
  return fail(
    `${path} belongs to another product: ${places.name} would start ${manifest.path}.`,
    `Uninstall that product or remove the file, then run \`spillway install --browser ${places.id}\`.`,
  );
}

async function judgeLauncher(context: DoctorContext, launcher: string): Promise<HopOutcome | null> {
  const { files, machine } = context;
  const again = 'Run `spillway install` again.';
  const bytes = await files.read(launcher);
  if (bytes === null && (await files.mode(launcher)) === null)
    return fail(`The manifest points to ${launcher}, which does not exist.`, again);
  if (bytes === null || (machine.platform !== 'win32' && !(await files.isExecutable(launcher))))
    return fail(
      `The launcher ${launcher} is not executable${bytes === null ? ', and cannot be read' : ''}.`,
      `Run \`${commandLine(['chmod', '700', launcher])}\`, or \`spillway install\` again.`,
    );
  const facts = parseLauncher(machine.platform, Buffer.from(bytes).toString('utf8'));
  if (facts === null) return fail(`${launcher} is not a Spillway launcher.`, again);
  return judgeFacts(context, launcher, facts);
}

async function judgeFacts(
  { files }: DoctorContext,
  launcher: string,
  facts: LauncherFacts,
): Promise<HopOutcome | null> {
  if (!(await files.isExecutable(facts.node))) {
    const isThere = (await files.mode(facts.node)) !== null;
    return fail(
      `The launcher ${launcher} starts Node at ${facts.node}, which ${isThere ? 'is not executable' : 'does not exist'}.`,
      `${isThere ? `Run \`${commandLine(['chmod', '+x', facts.node])}\`, or` : 'Run'} \`spillway install\` with the Node that you use now.`,
    );
  }
  if ((await files.mode(facts.hostScript)) === null)
    return fail(
      `The launcher ${launcher} starts ${facts.hostScript}, which does not exist.`,
      'Build or install Spillway again, then run `spillway install`.',
    );
  if (facts.serverScript !== null && (await files.mode(facts.serverScript)) === null)
    return fail(
      `Spillway was installed from ${facts.serverScript}, which does not exist: clients that start it get nothing.`,
      'Run `spillway install` where the package is now, and give your clients the command that it prints.',
    );
  return null;
}
