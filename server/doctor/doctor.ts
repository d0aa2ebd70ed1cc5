import { VERSION } from '../../shared/base/version.ts';
import { EXTENSION_ID } from '../../shared/core/bridge/wire.ts';
import { readExtension } from '../install/receipt.ts';
import { readProfiles, type ProfileExtension } from '../core/bridge/browsers.ts';
import { listTree, pathsOf } from '../core/bridge/machine.ts';
import { installPlaces } from '../core/bridge/launcher.ts';
import { HomeDatabase } from '../core/home/database.ts';
import { errnoOf, isFull } from '../core/machine/errno.ts';
import { inspectHome, OTHER_HOME } from '../core/machine/private-folder.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { commandLine } from '../core/machine/command-line.ts';
import { storedBytes } from '../install/uninstall.ts';
import { type Hop, type HopReport, fail, pass } from '../core/hop.ts';
import {
  type DoctorContext,
  reloadAdvice,
  runHops,
  type DoctorReport,
  hop,
  formatBrowserName,
} from './hop.ts';
import { browserHop, handshakeHop, pageReadHop, workerHop } from './hops/browser.ts';
import { hostManifestHop } from './hops/host-manifest.ts';
import { hostProcessHop } from './hops/host-process.ts';
import { connectionProblem } from '../core/bridge/registrations.ts';
import { launchBrowser, readBrowser, searchBrowser } from '../core/bridge/index.ts';
import type { LaunchOptions } from '../core/bridge/launch.ts';

/** Above this share, kept outputs leave little room. */
const NEARLY_FULL = 0.9;
const MORE_ROOM = 'Delete outputs in the side panel, or raise --output-max-bytes.';

/** Servers can write to the home, nobody else can, and outputs have room in it. */
const homeHop = hop('home', 'Home', 30_000, async (context) => {
  const { machine, files, home, outputMaxBytes } = context;
  const { join, dirname } = pathsOf(machine);
  const isMade = (await files.mode(home)) !== null;
  const problem = inspectHome(home);
  if (problem !== null) return fail(problem.reason, problem.hint);
  let folder = home;
  while (!(await files.isDirectory(folder)) && folder !== dirname(folder)) folder = dirname(folder);
  const draft = join(folder, `doctor-${process.pid}`);
  try {
    await files.write(draft, Buffer.from('doctor'), 0o600);
    await files.removeFile(draft);
  } catch (thrown) {
    const seen = `${folder} takes no file: ${messageOf(thrown)}.`;
    if (isFull(thrown)) return fail(seen, 'Free space on that disk.', 'store_full');
    const fix =
      errnoOf(thrown) === 'EROFS'
        ? `Make that file system writable, or ${OTHER_HOME}.`
        : `Make it writable to you: \`${commandLine(['chmod', '700', folder])}\` if it is yours.`;
    return fail(seen, fix, 'store_write_failed');
  }
  if (!isMade) return pass(`${home} is made by the first server`);
  const database = new HomeDatabase(home);
  database.rows('SELECT name FROM sqlite_master');
  database.close();
  const { bytes } = await storedBytes(context, join(home, 'output'));
  const share = `outputs take ${bytes.toLocaleString('en')} of ${outputMaxBytes.toLocaleString('en')} bytes`;
  if (bytes >= outputMaxBytes) return fail(`The store is full: ${share}.`, MORE_ROOM, 'store_full');
  const nearly = `The store is nearly full. ${MORE_ROOM}`;
  return pass(`${home}; ${share}`, bytes < NEARLY_FULL * outputMaxBytes ? [] : [nearly]);
});

const FIX = 'Run `npm run build` in the clone, or install the package again; then `spillway install`.';
const FILES = ['index.js', 'host.js', 'extension/manifest.json', 'extension/worker.js', 'extension/page.js'];

/** Server, native host and extension are built, with the same version. */
const buildHop = hop('build', 'Build', 2_000, async (context) => {
  const { machine, files, distDirectory, home } = context;
  const { join } = pathsOf(machine);
  const lacking = async (folder: string, names: readonly string[]): Promise<string[]> => {
    const modes = await Promise.all(names.map((name) => files.mode(join(folder, name))));
    return names.filter((_name, at) => modes[at] === null);
  };
  const missing = await lacking(distDirectory, FILES);
  if (missing.length > 0) return fail(`${distDirectory} lacks ${missing.join(', ')}.`, FIX);
  const built = join(distDirectory, 'extension');
  const extension = await readExtension(context, built);
  if (extension === null) return fail(`${distDirectory}/extension/manifest.json is broken.`, FIX);
  if (extension.version !== VERSION)
    return fail(
      `The built extension has version ${extension.version}, this server ${VERSION}: the build is mixed.`,
      FIX,
    );
  const copyPath = installPlaces(machine, home).extensionDirectory;
  const copy = await readExtension(context, copyPath);
  const [uncopied] = copy === null ? [] : await lacking(copyPath, await listTree(context, built));
  if (uncopied !== undefined)
    return fail(
      `The browser's copy of the extension, ${copyPath}, lacks ${uncopied}.`,
      'Run `spillway install`, and reload Spillway in chrome://extensions.',
    );
  const old = `The extension in ${copyPath} is version ${copy?.version}: run \`spillway install\` and reload it in the browser.`;
  const isOld = copy !== null && copy.version !== VERSION;
  return pass(`version ${VERSION} in ${distDirectory}`, isOld ? [old] : []);
});

/** The socket of every registered host accepts a connection. */
const socketHop = hop('socket', 'Socket', 3_000, async ({ findings }) => {
  for (const { registration } of findings.hosts) {
    const { socket, pid, browser } = registration;
    const problem = await connectionProblem(socket);
    if (problem !== null)
      return fail(
        `${socket} of pid ${pid} accepts no connection: ${problem.message}.`,
        `${reloadAdvice(findings.profiles, browser.name)}, which starts a new host.`,
        'browser_not_connected',
      );
  }
  if (findings.versionRefusal !== null) return pass('no host listens: see Versions');
  return pass(findings.hosts.map((host) => host.registration.socket));
});

/**
 * The built extension has the id that the host accepts, and profiles with it load it from a folder that
 * exists.
 */
const extensionIdHop = hop('extension_id', 'Extension id', 5_000, async (context) => {
  const { findings, distDirectory } = context;
  const built = await readExtension(context, pathsOf(context.machine).join(distDirectory, 'extension'));
  if (built?.id !== EXTENSION_ID)
    return fail(
      `The built extension's key makes the id ${built?.id ?? '(none: it has no key)'}; the host accepts ${EXTENSION_ID}.`,
      'Restore `key` in extension/core/public/manifest.json and run `npm run build`.',
    );
  for (const places of findings.browsers) findings.profiles.push(...(await readProfiles(context, places)));
  for (const profile of findings.profiles)
    if (profile.folder !== null && (await readExtension(context, profile.folder)) === null)
      return fail(
        `${formatProfile(profile)} loads the extension from ${profile.folder}, which no longer contains it.`,
        'Run `spillway install`, remove the extension in chrome://extensions and load it from the folder that install names.',
      );
  const loaded = findings.profiles.map((profile) => `loaded in ${formatProfile(profile)}`);
  return pass([EXTENSION_ID, ...loaded]);
});

function formatProfile({ browser, profile }: ProfileExtension): string {
  return `${browser}, profile "${profile}"`;
}

/** Replaces the browser hop: the machine has a browser for a private launch. */
const launchableBrowserHop = (launch: LaunchOptions) =>
  hop('browser', 'Browser', 10_000, async () => {
    const named = readBrowser(launch.browserPath);
    const { found, passedOver } = await searchBrowser(named);
    const [name, command] =
      named.family === 'firefox' ? ['Firefox', ''] : ['Chromium', '`npx playwright install chromium`, or '];
    const reasons = passedOver.map(({ path, reason }) => `${path}: ${reason}`);
    if (found !== null) return pass(found.path);
    return fail(
      reasons.length === 0 ? `No ${name} was found.` : reasons,
      `Install ${name} (${command}the package of your distribution), or pass --browser PATH.`,
      'browser_launch_failed',
    );
  });

/** Replaces the host manifest: a private profile has its own, and its browser starts the host. */
const privateBrowserHop = (launch: LaunchOptions) =>
  hop(
    'launch',
    'Private browser',
    // A launch without progress ends itself.
    ({ connectTimeoutMs }) => 10 * connectTimeoutMs,
    async ({ findings }, signal) => {
      const startedAt = performance.now();
      const launched = await launchBrowser({ ...launch, signal });
      findings.launched = launched;
      const tookMs = Math.round(performance.now() - startedAt);
      return pass(`pid ${launched.pid} started its native host in ${tookMs} ms`);
    },
  );

/** Server, host and extension share a wire version. Different builds with the same one are only reported. */
const versionsHop = hop('versions', 'Versions', 1_000, async ({ findings }) => {
  if (findings.versionRefusal !== null)
    return fail(
      findings.versionRefusal.message,
      `Update the older side (this server is ${VERSION}), run \`spillway install\`, and then: ${reloadAdvice(findings.profiles, findings.hosts[0]?.registration.browser.name ?? 'your browser')}.`,
      'wire_version_mismatch',
    );
  const evidence = findings.peers.map(
    ({ peer: { host, extension, wire }, host: { registration } }) =>
      `${formatBrowserName(registration.browser)}: server ${VERSION}, host ${host.version}, extension ${extension.version}, wire ${wire}`,
  );
  const warnings = findings.peers
    .filter(({ peer }) => peer.host.version !== VERSION || peer.extension.version !== VERSION)
    .map(
      ({ peer }) =>
        `${peer.browser.name} runs a different build, which may not keep sites apart: run \`spillway install\` and reload Spillway in chrome://extensions.`,
    );
  return pass(evidence, warnings);
});

/** The `engines` of package.json. */
const OLDEST = { major: 20, minor: 19 } as const;

/** The Node that runs this, which is the one `install` writes into the launcher. */
const nodeHop = hop('node', 'Node', 1_000, async ({ node }) => {
  const [major = 0, minor = 0] = node.version.replace(/^v/, '').split('.').map(Number);
  const seen = `Node ${node.version} at ${node.path}`;
  const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  if (isNewEnough) return pass(seen);
  return fail(
    seen,
    `Install Node ${OLDEST.major}.${OLDEST.minor} or newer, and run \`spillway install\` with it.`,
  );
});

/**
 * The chain from this process to a page, in order: through the person's own browsers, or through a private
 * one.
 * @param extra hops that need no browser
 */
export function hopsFor(
  launch: LaunchOptions | null,
  extra: readonly Hop<unknown>[] = [],
): readonly Hop<DoctorContext>[] {
  const toHost =
    launch === null
      ? [homeHop, browserHop, extensionIdHop, hostManifestHop]
      : [launchableBrowserHop(launch), extensionIdHop, privateBrowserHop(launch)];
  const toPage = [hostProcessHop, socketHop, handshakeHop, versionsHop, workerHop, pageReadHop];
  return [nodeHop, buildHop, ...extra, ...toHost, ...toPage];
}

/** Tests each hop live. `onHop` is called when each ends. */
export async function diagnose(
  hops: readonly Hop<DoctorContext>[],
  context: DoctorContext,
  onHop?: (report: HopReport) => void,
  onWait?: (hop: { readonly title: string }) => void,
): Promise<DoctorReport> {
  const reports = await runHops(hops, context, onHop, onWait);
  const failed = reports.find((hop) => hop.status === 'failed')?.id ?? null;
  return { ok: failed === null, failed, version: VERSION, hops: reports };
}
