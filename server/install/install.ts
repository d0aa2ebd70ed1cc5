import { invalidArgument } from '../../shared/base/errors.ts';
import {
  BROWSER_KINDS,
  browserPlaces,
  detectBrowser,
  type BrowserKind,
  type BrowserPlaces,
  type DetectedBrowser,
} from '../core/bridge/browsers.ts';
import { clientCommand } from '../core/machine/command-line.ts';
import {
  copyExtension,
  readExtension,
  updateReceipt,
  writeHostManifest,
  writeIfChanged,
  type Written,
} from './receipt.ts';
import {
  makeParents,
  pathsOf,
  readAs,
  registryOf,
  type MachineFiles,
  type RunCommand,
} from '../core/bridge/machine.ts';
import {
  HostManifest,
  installPlaces,
  isOurManifest,
  launcherText,
  MANIFEST_FILE,
} from '../core/bridge/launcher.ts';

export interface InstallRequest extends MachineFiles {
  readonly run: RunCommand;
  /** Spillway's home. */
  readonly home: string;
  /** The Node that the launcher starts. */
  readonly node: string;
  /** Folder of the build: `host.js` and `extension/`. */
  readonly distDirectory: string;
  /** Written into the launcher; null lets the host choose. */
  readonly bridgeDirectory: string | null;
  /** `found`: every browser on the machine. */
  readonly browsers: 'found' | 'all' | readonly BrowserKind[];
}

interface InstalledBrowser {
  readonly browser: BrowserKind;
  readonly name: string;
  /** `unsupported`: snap or flatpak only. `conflict`: another product uses our name somewhere. */
  readonly status: 'ready' | 'unsupported' | 'conflict';
  readonly manifests: readonly Written[];
  /** Registry keys, Windows only. */
  readonly registry: readonly Written[];
  readonly note: string | null;
}

/** Everything that `install` did; `--json` prints it unchanged. */
export interface InstallReport {
  readonly home: string;
  readonly launcher: Written;
  readonly node: string;
  /** The copy of the native host. */
  readonly host: Written;
  /** Null: the host chooses. */
  readonly bridge_directory: string | null;
  readonly extension: Written & { readonly id: string | null; readonly version: string };
  /** The extension for Firefox. */
  readonly firefox: Written;
  readonly browsers: readonly InstalledBrowser[];
  readonly client: { readonly command: string; readonly args: readonly string[] };
}

/** Owner only: it decides which program a browser starts. */
const LAUNCHER_MODE = 0o700;

/**
 * Writes launcher, copies of host and extension, and host manifests. Idempotent; each file is replaced
 * atomically. Rejects with `invalid_argument` if the build is incomplete.
 */
export async function install(request: InstallRequest): Promise<InstallReport> {
  const { machine, files, home, node, distDirectory, bridgeDirectory } = request;
  const { join } = pathsOf(machine);
  const {
    launcher: launcherPath,
    hostScript,
    receipt,
    extensionDirectory,
    firefoxDirectory,
  } = installPlaces(machine, home);
  const extension = await readExtension(request, join(distDirectory, 'extension'));
  const host = await files.read(join(distDirectory, 'host.js'));
  if (extension === null || host === null)
    throw invalidArgument(
      `The build in ${distDirectory} lacks ${host === null ? 'host.js' : 'extension/manifest.json'}.`,
      'Run `npm run build` in the clone, or install the package again.',
    );
  const directories = await makeParents(request, hostScript);
  await updateReceipt(request, receipt, { directories, files: [launcherPath, hostScript] });
  const hostCopy = await writeIfChanged(request, hostScript, host);
  const serverScript = join(distDirectory, 'index.js');
  const text = launcherText(machine.platform, { node, hostScript, bridgeDirectory, serverScript });
  const launcher = await writeIfChanged(request, launcherPath, text, LAUNCHER_MODE);
  const from = join(distDirectory, 'extension');
  const copy = await copyExtension(request, { from, to: extensionDirectory, receipt });
  const firefox = await copyExtension(request, {
    ...{ from: join(distDirectory, 'firefox'), to: firefoxDirectory, receipt, scripts: from },
  });
  const browsers: InstalledBrowser[] = [];
  for (const id of typeof request.browsers === 'string' ? BROWSER_KINDS : request.browsers) {
    const places = browserPlaces(machine, id);
    const detected = await detectBrowser(request, places);
    if (request.browsers !== 'found' || detected.state !== 'absent')
      browsers.push(await installBrowser(request, places, detected));
  }
  return {
    home,
    launcher,
    node,
    host: hostCopy,
    bridge_directory: bridgeDirectory,
    extension: { ...copy, ...extension },
    firefox,
    browsers,
    client: clientCommand(node, serverScript, machine.platform),
  };
}

async function installBrowser(
  request: InstallRequest,
  places: BrowserPlaces,
  { state, advice }: DetectedBrowser,
): Promise<InstalledBrowser> {
  const { machine, home, browsers } = request;
  const { id: browser, name, family } = places;
  if (state === 'sandboxed' && browsers !== 'all')
    return { browser, name, status: 'unsupported', manifests: [], registry: [], note: advice };
  const { launcher, windowsManifests, receipt } = installPlaces(machine, home);
  const windowsManifest = windowsManifests[family];
  const { join } = pathsOf(machine);
  const targets =
    machine.platform === 'win32'
      ? [windowsManifest]
      : places.manifestDirectories.map((directory) => join(directory, MANIFEST_FILE));
  const written = [];
  for (const target of targets) written.push(await writeHostManifest(request, target, launcher, family));
  const registry: Written[] = [];
  for (const key of places.registryKeys) registry.push(await writeKey(request, key, windowsManifest));
  await updateReceipt(request, receipt, {
    manifests: ownPaths(written),
    registry_keys: ownPaths(registry),
    directories: written.flatMap((each) => each.created),
  });
  const foreign = [...written, ...registry].filter((each) => each.action === 'foreign');
  const conflict =
    `Another product uses the name of the Spillway host in ${foreign.map((each) => each.path).join(', ')}; it was left ` +
    'as it is. Remove it and run `spillway install` again.';
  const isConflict = foreign.length > 0;
  return {
    browser,
    name,
    status: isConflict ? 'conflict' : state === 'sandboxed' ? 'unsupported' : 'ready',
    manifests: written.map(({ path, action }) => ({ path, action })),
    registry,
    note: isConflict ? conflict : advice,
  };
}

function ownPaths(list: readonly Written[]): string[] {
  return list.filter((each) => each.action !== 'foreign').map((each) => each.path);
}

/** Takes over a key whose manifest no longer exists, or belongs to Spillway from another home. */
async function writeKey(request: InstallRequest, key: string, manifest: string): Promise<Written> {
  const registry = registryOf(request);
  const before = await registry.read(key);
  if (before === manifest) return { path: key, action: 'unchanged' };
  const other = before === null ? null : await readAs(request, before, HostManifest);
  if (other !== null && !isOurManifest(other)) return { path: key, action: 'foreign' };
  if (await registry.write(key, manifest))
    return { path: key, action: before === null ? 'written' : 'updated' };
  throw invalidArgument(
    `The registry key ${key} could not be written.`,
    'Check that `reg add` is allowed for this user, or whether a policy forbids it.',
  );
}
