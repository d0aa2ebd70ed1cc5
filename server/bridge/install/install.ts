import { invalidArgument } from '../../../shared/errors.ts';
import {
  BROWSER_KINDS,
  browserPlaces,
  type BrowserKind,
  type BrowserPlaces,
  detectBrowser,
  sandboxAdvice,
  type DetectedBrowser,
} from './browsers.ts';
import { clientCommand } from '../../machine/command-line.ts';
import {
  copyExtension,
  readExtension,
  ReceiptBook,
  FILE_MODE,
  writeHostManifest,
  writeIfChanged,
  writeLauncher,
  type Written,
} from './receipt.ts';
import {
  makeDirectories,
  type Files,
  pathsOf,
  type Machine,
  parseRegistryValue,
  registryAdd,
  registryQuery,
  type RunCommand,
} from './machine.ts';
import {
  isOurManifest,
  MANIFEST_FILE,
  parseHostManifest,
  installPlaces,
  type InstallPlaces,
} from './launcher.ts';

export interface InstallRequest {
  readonly machine: Machine;
  readonly files: Files;
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

export interface InstalledBrowser {
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
  readonly browsers: readonly InstalledBrowser[];
  readonly client: { readonly command: string; readonly args: readonly string[] };
}

/**
 * Writes launcher, copies of host and extension, and host manifests. Idempotent; each file is replaced
 * atomically. Rejects with `invalid_argument` if the build is incomplete.
 */
export async function install(request: InstallRequest): Promise<InstallReport> {
  const { machine, files } = request;
  const places = installPlaces(machine, request.home);
  const build = await checkBuild(request);
  const { dirname, sep } = pathsOf(machine);
  const directories = await makeDirectories(files, places.hostDirectory, dirname);
  const book = await ReceiptBook.open(machine, files, places.receipt);
  await book.add({ directories, files: [places.launcher, places.hostScript] });
  const host = await writeIfChanged(machine, files, {
    path: places.hostScript,
    content: build.host,
    mode: FILE_MODE,
  });
  const serverScript = pathsOf(machine).join(request.distDirectory, 'index.js');
  const facts = {
    node: request.node,
    hostScript: places.hostScript,
    bridgeDirectory: request.bridgeDirectory,
    serverScript,
  };
  const launcher = await writeLauncher(machine, files, { path: places.launcher, facts });
  const inExtension = places.extensionDirectory + sep;
  const copy = await copyExtension(machine, files, {
    from: build.extension,
    to: places.extensionDirectory,
    earlier: book.files.filter((path) => path.startsWith(inExtension)),
    onCopy: (written) => book.add(written),
  });
  await book.drop((path) => path.startsWith(inExtension) && !copy.files.includes(path));
  const browsers: InstalledBrowser[] = [];
  for (const chosen of await chooseBrowsers(request))
    browsers.push(await installBrowser(request, { places, book }, chosen));
  return {
    home: request.home,
    launcher,
    node: request.node,
    host,
    bridge_directory: request.bridgeDirectory,
    extension: {
      path: places.extensionDirectory,
      action: copy.action,
      id: build.extensionId,
      version: build.extensionVersion,
    },
    browsers,
    client: clientCommand(request.node, serverScript, machine.platform),
  };
}

async function checkBuild(request: InstallRequest) {
  const path = pathsOf(request.machine);
  const hostScript = path.join(request.distDirectory, 'host.js');
  const extension = path.join(request.distDirectory, 'extension');
  const facts = await readExtension(request.machine, request.files, extension);
  const host = await request.files.read(hostScript);
  if (facts === null || host === null)
    throw invalidArgument(
      `The build in ${request.distDirectory} lacks ${host === null ? 'host.js' : 'extension/manifest.json'}.`,
      'Run `npm run build` in the clone, or install the package again.',
    );
  return { host, extension, extensionId: facts.id, extensionVersion: facts.version };
}

interface ChosenBrowser {
  readonly places: BrowserPlaces;
  readonly detected: DetectedBrowser;
  /** Installs even if only a sandboxed one, or none, is there. */
  readonly isForced: boolean;
}

async function chooseBrowsers(request: InstallRequest): Promise<ChosenBrowser[]> {
  const wanted = typeof request.browsers === 'string' ? BROWSER_KINDS : request.browsers;
  const chosen: ChosenBrowser[] = [];
  for (const id of wanted) {
    const places = browserPlaces(request.machine, id);
    const detected = await detectBrowser(request.machine, request.files, places);
    if (request.browsers === 'found' && detected.state === 'absent') continue;
    chosen.push({ places, detected, isForced: request.browsers === 'all' });
  }
  return chosen;
}

async function installBrowser(
  request: InstallRequest,
  { places, book }: { readonly places: InstallPlaces; readonly book: ReceiptBook },
  chosen: ChosenBrowser,
): Promise<InstalledBrowser> {
  const { id, name } = chosen.places;
  const sandboxed = chosen.detected.installations.find((each) => each.packaging !== 'native');
  const advice = sandboxed === undefined ? null : sandboxAdvice(name, sandboxed.packaging);
  const isUnsupported = chosen.detected.state === 'sandboxed';
  if (isUnsupported && !chosen.isForced)
    return { browser: id, name, status: 'unsupported', manifests: [], registry: [], note: advice };
  const written = await writeManifests(request, places, chosen.places);
  const registry = await writeRegistry(request, places, chosen.places);
  await book.add({
    manifests: ownPaths(written),
    registry_keys: ownPaths(registry),
    directories: written.flatMap((each) => [...each.created]),
  });
  const foreign = [...written, ...registry].filter((each) => each.action === 'foreign');
  const note =
    foreign.length === 0
      ? advice
      : `Another product uses the name of the Spillway host in ${foreign.map((each) => each.path).join(', ')}; it was left ` +
        'as it is. Remove it and run `spillway install` again.';
  return {
    browser: id,
    name,
    status: foreign.length > 0 ? 'conflict' : isUnsupported ? 'unsupported' : 'ready',
    manifests: written.map(({ path, action }) => ({ path, action })),
    registry,
    note,
  };
}

function ownPaths(list: readonly Written[]): string[] {
  return list.filter((each) => each.action !== 'foreign').map((each) => each.path);
}

async function writeManifests(request: InstallRequest, places: InstallPlaces, browser: BrowserPlaces) {
  const { machine, files } = request;
  const path = pathsOf(machine);
  const targets =
    machine.platform === 'win32'
      ? [places.windowsManifest]
      : browser.manifestDirectories.map((directory) => path.join(directory, MANIFEST_FILE));
  const written = [];
  for (const target of targets)
    written.push(await writeHostManifest(machine, files, { path: target, launcher: places.launcher }));
  return written;
}

async function writeRegistry(
  request: InstallRequest,
  places: InstallPlaces,
  browser: BrowserPlaces,
): Promise<Written[]> {
  const { machine, run } = request;
  const written: Written[] = [];
  for (const key of browser.registryKeys) {
    const before = parseRegistryValue((await run(registryQuery(machine, key))).stdout);
    if (before === places.windowsManifest) {
      written.push({ path: key, action: 'unchanged' });
      continue;
    }
    if (before !== null && !(await isOursOrGone(request, before))) {
      written.push({ path: key, action: 'foreign' });
      continue;
    }
    const { exitCode } = await run(registryAdd(machine, key, places.windowsManifest));
    if (exitCode !== 0)
      throw invalidArgument(
        `The registry key ${key} could not be written.`,
        'Check that `reg add` is allowed for this user, or whether a policy forbids it.',
      );
    written.push({ path: key, action: before === null ? 'written' : 'updated' });
  }
  return written;
}

/** A key whose manifest no longer exists, or belongs to Spillway from another home, may be taken over. */
async function isOursOrGone(request: InstallRequest, manifest: string): Promise<boolean> {
  const bytes = await request.files.read(manifest);
  if (bytes === null) return true;
  const parsed = parseHostManifest(Buffer.from(bytes).toString('utf8'));
  return parsed === null || isOurManifest(parsed);
}
