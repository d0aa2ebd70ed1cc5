import { z } from 'zod';
import { commandLine } from '../../core/machine/command-line.ts';
import {
  EXTENSION_ORIGIN,
  HostManifest,
  isOurManifest,
  letsIn,
  MANIFEST_FILE,
  parseLauncher,
} from '../../core/bridge/launcher.ts';
import type { BrowserPlaces } from '../../core/bridge/browsers.ts';
import { fail, pass, type HopOutcome } from '../../core/hop.ts';
import { hop, type DoctorContext } from '../hop.ts';
import { HOST_NAME, EXTENSION_ID, FIREFOX_ID } from '../../../shared/core/bridge/wire.ts';
import { pathsOf, readAs, registryOf } from '../../core/bridge/machine.ts';

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

/** The first policy that keeps the browser from starting our host, or null; and those that restrict it. */
async function judgePolicies(context: DoctorContext, { policyDirectory: folder, name }: BrowserPlaces) {
  const warnings: string[] = [];
  const files = folder === null ? null : await context.files.list(folder);
  for (const file of files ?? []) {
    const at = pathsOf(context.machine).join(folder ?? '', file);
    const policies = file.endsWith('.json') ? await readAs(context, at, Policies) : null;
    if (policies === null) continue;
    const rule = findForbiddingRule(policies);
    if (rule !== null) {
      const forbids = fail(
        `The policy ${rule} in ${at} prevents ${name} from starting the extension or its native host.`,
        `Ask the administrator of this machine to allow the extension ${EXTENSION_ID} and the native host ${HOST_NAME} in ${at}.`,
      );
      return { forbids, warnings };
    }
    const { ExtensionSettings = {}, DisableScreenshots } = policies;
    const hosts = [EXTENSION_ID, '*'].flatMap((id) => ExtensionSettings[id]?.runtime_blocked_hosts ?? []);
    const restrict = (policy: string, what: string): void =>
      void warnings.push(`The policy ${policy} in ${at} restricts ${name}: ${what} (debugger_restricted).`);
    if (hosts.length > 0)
      restrict('ExtensionSettings', `no extension may use ${hosts.slice(0, 5).join(', ')}`);
    if (DisableScreenshots === true) restrict('DisableScreenshots', 'no page may be photographed');
  }
  return { forbids: null, warnings };
}

function findForbiddingRule(policies: Policies): string | null {
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

/** The manifests under our name in every place that the browser reads, per-user places first. */
async function manifestPaths(context: DoctorContext, places: BrowserPlaces): Promise<string[]> {
  const folders = [...places.manifestDirectories, ...places.systemDirectories];
  const paths = folders.map((folder) => pathsOf(context.machine).join(folder, MANIFEST_FILE));
  const registry = registryOf(context);
  const values = await Promise.all(places.registryKeys.map((key) => registry.read(key)));
  const found: string[] = [];
  for (const path of [...paths, ...values])
    if (path !== null && (await context.files.mode(path)) !== null) found.push(path);
  return found;
}

/** Sentences on manifests under other names that accept our extension: another product claims it. */
async function findClaims(context: DoctorContext, places: BrowserPlaces): Promise<string[]> {
  const claims: string[] = [];
  for (const folder of [...places.manifestDirectories, ...places.systemDirectories])
    for (const name of (await context.files.list(folder)) ?? []) {
      const at = pathsOf(context.machine).join(folder, name);
      const manifest = name.endsWith('.json') ? await readAs(context, at, HostManifest) : null;
      if (manifest !== null && manifest.name !== HOST_NAME && letsIn(manifest, places.family))
        claims.push(
          `${at} (starts ${manifest.path}) also claims the Spillway extension; the extension does not use it.`,
        );
    }
  return claims;
}

/**
 * Where the browsers look, our manifest exists, with no other under our name and no policy against it; it
 * leads to a launcher that can start, with an existing Node and host.
 */
export const hostManifestHop = hop('host_manifest', 'Host manifest', 5_000, async (context) => {
  const { findings } = context;
  const without: BrowserPlaces[] = [];
  const evidence: string[] = [];
  const launchers = new Set<string>();
  const warnings: string[] = [];
  for (const places of findings.browsers) {
    const policy = await judgePolicies(context, places);
    if (policy.forbids !== null) return policy.forbids;
    warnings.push(...policy.warnings);
    const paths = await manifestPaths(context, places);
    for (const path of paths) {
      const manifest = await readAs(context, path, HostManifest);
      const wrong = await judge(context, places, path, manifest);
      if (wrong !== null) return wrong;
      if (manifest !== null) launchers.add(manifest.path);
    }
    if (paths.length === 0) without.push(places);
    else evidence.push(`${places.name}: ${paths.join(', ')}`);
  }
  const isStrict = context.browsers !== 'found';
  const lacking = isStrict || evidence.length === 0 ? without[0] : undefined;
  if (lacking !== undefined)
    return fail(
      `${lacking.name} has no manifest of the native host in ${[...lacking.manifestDirectories, ...lacking.registryKeys].join(' or ')}.`,
      `Run \`spillway install --browser ${lacking.id}\`.`,
    );
  for (const launcher of launchers) {
    const broken = await judgeLauncher(context, launcher);
    if (broken !== null) return broken;
  }
  findings.launchers = [...launchers];
  for (const { id, name } of without)
    warnings.push(`${name} is not installed for: \`spillway install --browser ${id}\`.`);
  for (const places of findings.browsers) warnings.push(...(await findClaims(context, places)));
  return pass(evidence, [...new Set(warnings)]);
});

/** Why a browser cannot use a manifest that exists under our name, or null. */
async function judge(
  { files }: DoctorContext,
  { id, name, family }: BrowserPlaces,
  path: string,
  manifest: HostManifest | null,
): Promise<HopOutcome | null> {
  const again = `\`spillway install --browser ${id}\``;
  if ((await files.read(path)) === null)
    return fail(
      `${path} cannot be read.`,
      `Run \`${commandLine(['chmod', '600', path])}\`, or remove it and run ${again}.`,
    );
  // Browsers start hosts of this type only.
  if (manifest === null || (manifest.type ?? 'stdio') !== 'stdio')
    return fail(`${path} is not a host manifest that ${name} can read.`, `Run ${again}, which replaces it.`);
  if (!isOurManifest(manifest))
    return fail(
      `${path} belongs to another product: ${name} would start ${manifest.path}.`,
      `Uninstall that product or remove the file, then run ${again}.`,
    );
  if (letsIn(manifest, family)) return null;
  const isFirefox = family === 'firefox';
  const allowed = manifest[isFirefox ? 'allowed_extensions' : 'allowed_origins'].join(', ') || 'no extension';
  return fail(
    `${path} is Spillway's, but lets in ${allowed} instead of ${isFirefox ? FIREFOX_ID : EXTENSION_ORIGIN}.`,
    `Run ${again}, which repairs it.`,
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
  const facts = parseLauncher(machine.platform, bytes.toString());
  if (facts === null) return fail(`${launcher} is not a Spillway launcher.`, again);
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
