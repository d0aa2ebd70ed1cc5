import { z } from 'zod';
import { commandLine } from '../../machine/command-line.ts';
import {
  parseLauncher,
  type LauncherFacts,
  EXTENSION_ORIGIN,
  isOurManifest,
  MANIFEST_FILE,
  parseHostManifest,
  type HostManifest,
} from '../../bridge/install/launcher.ts';
import type { BrowserPlaces } from '../../bridge/install/browsers.ts';
import { fail, pass, type Hop, type HopOutcome, type DoctorContext } from '../hop.ts';
import { HOST_NAME, EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { pathsOf, parseRegistryValue, registryQuery } from '../../bridge/install/machine.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** Policies on native messaging and extensions (chromeenterprise.google/policies). */
const Policies = z.object({
  ExtensionInstallBlocklist: z.array(z.string()).optional(),
  ExtensionInstallAllowlist: z.array(z.string()).optional(),
  /** 1: nobody may switch on developer mode, which unpacked extensions need. */
  ExtensionDeveloperModeSettings: z.number().optional(),
  NativeMessagingUserLevelHosts: z.boolean().optional(),
  NativeMessagingBlocklist: z.array(z.string()).optional(),
  NativeMessagingAllowlist: z.array(z.string()).optional(),
  /** By the id of an extension, or `*`. */
  ExtensionSettings: z
    .record(z.string(), z.looseObject({ runtime_blocked_hosts: z.array(z.string()).optional() }))
    .optional(),
  DisableScreenshots: z.boolean().optional(),
});
type Policies = z.infer<typeof Policies>;

/** The policy files of a browser. */
async function* policiesOf(
  { machine, files }: Pick<DoctorContext, 'machine' | 'files'>,
  places: BrowserPlaces,
): AsyncGenerator<{ readonly at: string; readonly policies: Policies }> {
  const path = pathsOf(machine);
  for (const folder of places.policyDirectories)
    for (const name of (await files.list(folder)) ?? []) {
      if (!name.endsWith('.json')) continue;
      const at = path.join(folder, name);
      const policies = parseAs(Policies, Buffer.from((await files.read(at)) ?? []).toString('utf8'));
      if (policies !== null) yield { at, policies };
    }
}

/** The first policy that keeps the browser from starting our host, or null; and those that restrict it. */
async function judgePolicies(
  context: Pick<DoctorContext, 'machine' | 'files'>,
  places: BrowserPlaces,
): Promise<{ readonly forbids: HopOutcome | null; readonly warnings: readonly string[] }> {
  const warnings: string[] = [];
  for await (const { at, policies } of policiesOf(context, places)) {
    const rule = forbiddingRule(policies);
    if (rule !== null)
      return {
        forbids: fail(
          `The policy ${rule} in ${at} prevents ${places.name} from starting the extension or its native host.`,
          `Ask the administrator of this machine to allow the extension ${EXTENSION_ID} and the native host ${HOST_NAME} in ${at}.`,
        ),
        warnings,
      };
    for (const [name, what] of restrictionsOf(policies))
      warnings.push(`The policy ${name} in ${at} restricts ${places.name}: ${what} (debugger_restricted).`);
  }
  return { forbids: null, warnings };
}

function restrictionsOf({ ExtensionSettings = {}, DisableScreenshots }: Policies): [string, string][] {
  const hosts = [EXTENSION_ID, '*'].flatMap((id) => ExtensionSettings[id]?.runtime_blocked_hosts ?? []);
  return [
    ...(hosts.length === 0
      ? []
      : [
          ['ExtensionSettings', `no extension may use ${hosts.slice(0, 5).join(', ')}`] satisfies [
            string,
            string,
          ],
        ]),
    ...(DisableScreenshots === true
      ? [['DisableScreenshots', 'no page may be photographed'] satisfies [string, string]]
      : []),
  ];
}

function forbiddingRule(policies: Policies): string | null {
  const isBlocked = (
    name: string,
    blocked: readonly string[] = [],
    allowed: readonly string[] = [],
  ): boolean => (blocked.includes('*') || blocked.includes(name)) && !allowed.includes(name);
  const { ExtensionInstallBlocklist, ExtensionInstallAllowlist } = policies;
  if (isBlocked(EXTENSION_ID, ExtensionInstallBlocklist, ExtensionInstallAllowlist))
    return 'ExtensionInstallBlocklist';
  if (policies.ExtensionDeveloperModeSettings === 1) return 'ExtensionDeveloperModeSettings';
  const { NativeMessagingAllowlist, NativeMessagingBlocklist } = policies;
  if (isBlocked(HOST_NAME, NativeMessagingBlocklist, NativeMessagingAllowlist))
    return 'NativeMessagingBlocklist';
  return policies.NativeMessagingUserLevelHosts === false ? 'NativeMessagingUserLevelHosts' : null;
}

interface ManifestSeen {
  readonly path: string;
  readonly state: 'absent' | 'unreadable' | 'broken' | 'readable';
  readonly manifest: HostManifest | null;
}

type Reader = Pick<DoctorContext, 'files' | 'machine' | 'run'>;

/** The manifests under our name in every place that the browser reads, per-user places first. */
async function findHostManifests(reader: Reader, places: BrowserPlaces): Promise<ManifestSeen[]> {
  const { machine, run } = reader;
  const path = pathsOf(machine);
  const folders = [...places.manifestDirectories, ...places.systemDirectories];
  const candidates = folders.map((folder) => path.join(folder, MANIFEST_FILE));
  for (const key of places.registryKeys) {
    const value = parseRegistryValue((await run(registryQuery(machine, key))).stdout);
    if (value !== null) candidates.push(value);
  }
  return Promise.all(candidates.map((candidate) => readManifest(reader, candidate)));
}

/** Sentences on manifests under other names that accept our extension: another product claims it. */
async function findClaims(reader: Reader, places: BrowserPlaces): Promise<string[]> {
  const path = pathsOf(reader.machine);
  const claims: string[] = [];
  for (const folder of [...places.manifestDirectories, ...places.systemDirectories])
    for (const name of (await reader.files.list(folder)) ?? []) {
      if (!name.endsWith('.json') || name === MANIFEST_FILE) continue;
      const { path: at, manifest } = await readManifest(reader, path.join(folder, name));
      if (manifest === null || manifest.name === HOST_NAME) continue;
      if (manifest.allowed_origins.includes(EXTENSION_ORIGIN))
        claims.push(
          `${at} (starts ${manifest.path}) also claims the Spillway extension; the extension does not use it.`,
        );
    }
  return claims;
}

async function readManifest({ files }: Reader, path: string): Promise<ManifestSeen> {
  const bytes = await files.read(path);
  if (bytes === null) {
    const state = (await files.mode(path)) === null ? 'absent' : 'unreadable';
    return { path, state, manifest: null };
  }
  const manifest = parseHostManifest(Buffer.from(bytes).toString('utf8'));
  // Browsers start hosts of this type only.
  const isBroken = (manifest?.type ?? 'stdio') !== 'stdio' || manifest === null;
  return { path, state: isBroken ? 'broken' : 'readable', manifest };
}

/**
 * Where the browsers look, our manifest exists, with no other under our name and no policy against it; it
 * leads to a launcher that can start, with an existing Node and host.
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
    const restricted: string[] = [];
    for (const { places } of findings.browsers) {
      const policy = await judgePolicies(context, places);
      if (policy.forbids !== null) return policy.forbids;
      restricted.push(...policy.warnings);
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
    return pass(evidence, [...new Set([...restricted, ...warnings])]);
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
