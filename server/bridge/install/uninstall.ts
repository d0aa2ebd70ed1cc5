import type { InstallRequest } from './install.ts';
import { allBrowserPlaces, readProfiles } from './browsers.ts';
import {
  listTree,
  type Files,
  pathsOf,
  type Machine,
  hostKey,
  parseRegistryValue,
  registryDelete,
  registryQuery,
} from './machine.ts';
import {
  isOurManifest,
  MANIFEST_FILE,
  parseHostManifest,
  installPlaces,
  type InstallPlaces,
} from './launcher.ts';
import { EMPTY_RECEIPT, readReceipt, type Receipt } from './receipt.ts';

export interface UninstallRequest extends Pick<InstallRequest, 'machine' | 'files' | 'run' | 'home'> {
  readonly purge: boolean;
}

/** `run` contains the secret that hosts and servers share. */
const DATA = [
  'output',
  'home.db',
  'home.db-shm',
  'home.db-wal',
  'runs',
  'journal',
  'ledger',
  'ledger-heads',
  'tmp',
  'run',
  'sessions',
  'pending',
  'human',
  'upstreams',
  'sign-ins',
  'recipes',
  'upstreams.json',
] as const;

/** A file under our name that is not ours to remove. */
interface LeftAlone {
  readonly path: string;
  readonly reason: string;
}

/** Everything that `uninstall` did; `--json` prints it unchanged. */
export interface UninstallReport {
  readonly home: string;
  /** Files, registry keys and folders that no longer exist. */
  readonly removed: readonly string[];
  readonly left: readonly LeftAlone[];
  /** Removed by `purge`. */
  readonly data: readonly StoredData[];
}

interface StoredData {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes everything that `install` wrote, from the receipt and from every place where a manifest of ours may
 * be. Files of another product, or of another Spillway home, stay and are named.
 */
export async function uninstall(request: UninstallRequest): Promise<UninstallReport> {
  const { machine, files, home } = request;
  const places = installPlaces(machine, home);
  const receipt = (await readReceipt(files, places.receipt)) ?? EMPTY_RECEIPT;
  const removed: string[] = [];
  const left: LeftAlone[] = [];
  for (const path of manifestPaths(machine, receipt)) {
    const reason = await reasonToLeave(request, places, path);
    if (reason === 'absent') continue;
    if (reason !== null) left.push({ path, reason });
    else await removeFile(files, path, removed);
  }
  await removeRegistry(request, places, { keys: registryKeys(machine, receipt), removed, left });
  const own = [...receipt.files, places.launcher, places.hostScript, places.windowsManifest, places.receipt];
  const loaded = request.purge ? null : await loadedIn(request, places.extensionDirectory);
  if (loaded !== null) left.push({ path: places.extensionDirectory, reason: loaded });
  const isKept = (path: string): boolean =>
    loaded !== null && (path === places.receipt || path.startsWith(places.extensionDirectory));
  for (const path of new Set(own)) if (!isKept(path)) await removeFile(files, path, removed);
  const data = await findData(request);
  for (const { path } of request.purge ? data : []) {
    await removeTree(request, path);
    removed.push(path);
  }
  const folders = [
    ...new Set([...receipt.directories, places.hostDirectory, ...(request.purge ? [home] : [])]),
  ];
  for (const path of folders.sort((a, b) => b.length - a.length))
    if ((await files.isDirectory(path)) && (await files.removeEmptyDirectory(path))) removed.push(path);
  return { home, removed, left, data };
}

/** Why the extension stays: without its files, its pages are errors of the browser. */
async function loadedIn({ machine, files }: UninstallRequest, folder: string): Promise<string | null> {
  for (const browser of allBrowserPlaces(machine))
    for (const profile of await readProfiles(machine, files, browser))
      if (profile.folder === folder)
        return `${profile.browser} loads it in the profile "${profile.profile}". Remove Spillway in chrome://extensions, and run \`spillway uninstall\` again`;
  return null;
}

async function findData({ machine, files, home }: UninstallRequest): Promise<StoredData[]> {
  const { join } = pathsOf(machine);
  const found: StoredData[] = [];
  for (const path of DATA.map((name) => join(home, name))) {
    if ((await files.mode(path)) === null) continue;
    found.push(await storedBytes({ machine, files }, path));
  }
  return found;
}

/** Files below a folder, and their size. */
export async function storedBytes(
  { machine, files }: Pick<UninstallRequest, 'machine' | 'files'>,
  path: string,
): Promise<StoredData> {
  if (!(await files.isDirectory(path))) return { path, files: 1, bytes: await files.sizeBytes(path) };
  const names = await listTree(machine, files, path);
  const sizes = await Promise.all(names.map((name) => files.sizeBytes(pathsOf(machine).join(path, name))));
  return { path, files: names.length, bytes: sizes.reduce((sum, each) => sum + each, 0) };
}

async function removeTree(request: UninstallRequest, path: string): Promise<void> {
  const { machine, files } = request;
  if (!(await files.isDirectory(path))) return files.removeFile(path);
  for (const name of (await files.list(path)) ?? [])
    await removeTree(request, pathsOf(machine).join(path, name));
  await files.removeEmptyDirectory(path);
}

function manifestPaths(machine: Machine, receipt: Receipt): Set<string> {
  const known = allBrowserPlaces(machine).flatMap((places) =>
    places.manifestDirectories.map((directory) => pathsOf(machine).join(directory, MANIFEST_FILE)),
  );
  const elsewhere = machine.platform === 'win32' ? [] : receipt.manifests;
  return new Set([...elsewhere, ...known]);
}

function registryKeys(machine: Machine, receipt: Receipt): Set<string> {
  return new Set([
    ...receipt.registry_keys,
    ...allBrowserPlaces(machine).flatMap((places) => places.registryKeys),
  ]);
}

/** Null if the manifest belongs to this installation, or points to a launcher that no longer exists. */
async function reasonToLeave(
  { files }: UninstallRequest,
  places: InstallPlaces,
  path: string,
): Promise<string | null> {
  const bytes = await files.read(path);
  if (bytes === null) return 'absent';
  const manifest = parseHostManifest(Buffer.from(bytes).toString('utf8'));
  if (manifest === null) return 'is not a host manifest; delete it if it is not needed';
  if (!isOurManifest(manifest)) return `belongs to another product (starts ${manifest.path})`;
  if (manifest.path === places.launcher || (await files.mode(manifest.path)) === null) return null;
  return `belongs to the Spillway that starts ${manifest.path}`;
}

async function removeRegistry(
  { machine, run }: UninstallRequest,
  places: InstallPlaces,
  work: { readonly keys: ReadonlySet<string>; readonly removed: string[]; readonly left: LeftAlone[] },
): Promise<void> {
  for (const key of work.keys) {
    const value = parseRegistryValue((await run(registryQuery(machine, key))).stdout);
    if (value === null) continue;
    if (value !== places.windowsManifest) {
      work.left.push({ path: hostKey(key), reason: `points to ${value}` });
      continue;
    }
    if ((await run(registryDelete(machine, key))).exitCode === 0) work.removed.push(hostKey(key));
    else work.left.push({ path: hostKey(key), reason: 'could not be deleted' });
  }
}

async function removeFile(files: Files, path: string, removed: string[]): Promise<void> {
  if ((await files.mode(path)) === null) return;
  await files.removeFile(path);
  removed.push(path);
}
