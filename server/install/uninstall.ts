import type { InstallRequest } from './install.ts';
import { allBrowserPlaces, readProfiles } from '../core/bridge/browsers.ts';
import {
  hostKey,
  listTree,
  pathsOf,
  readAs,
  registryOf,
  type Machine,
  type MachineFiles,
} from '../core/bridge/machine.ts';
import { HostManifest, installPlaces, isOurManifest, MANIFEST_FILE } from '../core/bridge/launcher.ts';
import { readReceipt, type Receipt } from './receipt.ts';

export interface UninstallRequest extends Pick<InstallRequest, 'machine' | 'files' | 'run' | 'home'> {
  readonly purge: boolean;
}

/** `run` contains the secret that hosts and servers share; docs/clients.md proposes `token`. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  'stored answers': ['output'],
  'runs and settings': ['home.db', 'home.db-shm', 'home.db-wal', 'runs'],
  'what agents did, and who decided': ['journal', 'ledger', 'ledger-heads'],
  'recipes that you saved': ['recipes'],
  'other servers that you accepted': ['upstreams', 'sign-ins', 'upstreams.json'],
  'keys, and what is at work': ['tmp', 'run', 'sessions', 'pending', 'human', 'queue', 'token'],
};

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
  /** For people. */
  readonly what?: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes everything that `install` wrote, from the receipt and from every place where a manifest of ours may
 * be. Files of another product, or of another Spillway home, stay and are named.
 */
export async function uninstall(request: UninstallRequest): Promise<UninstallReport> {
  const { machine, files, home, purge } = request;
  const places = installPlaces(machine, home);
  const receipt = await readReceipt(request, places.receipt);
  const removed: string[] = [];
  const left: LeftAlone[] = [];
  const remove = async (path: string): Promise<void> => {
    if ((await files.mode(path)) === null) return;
    await files.removeFile(path);
    removed.push(path);
  };
  for (const path of manifestPaths(machine, receipt)) {
    const reason = await reasonToLeave(request, path, places.launcher);
    if (reason === null) await remove(path);
    else if (reason !== 'absent') left.push({ path, reason });
  }
  const windowsManifests = Object.values(places.windowsManifests);
  const keys = [
    ...receipt.registry_keys,
    ...allBrowserPlaces(machine).flatMap(({ registryKeys }) => registryKeys),
  ];
  for (const key of new Set(keys)) {
    const found = await removeKey(request, key, windowsManifests);
    if (found === 'removed') removed.push(hostKey(key));
    else if (found !== null) left.push({ path: hostKey(key), reason: found });
  }
  const loaded = purge ? null : await describeLoadedIn(request, places.extensionDirectory);
  if (loaded !== null) left.push({ path: places.extensionDirectory, reason: loaded });
  const isKept = (path: string): boolean =>
    loaded !== null && (path === places.receipt || path.startsWith(places.extensionDirectory));
  const own = [...receipt.files, places.launcher, places.hostScript, ...windowsManifests, places.receipt];
  for (const path of new Set(own.filter((each) => !isKept(each)))) await remove(path);
  const data = await findData(request);
  for (const { path } of purge ? data : []) {
    await removeTree(request, path);
    removed.push(path);
  }
  const folders = [...new Set([...receipt.directories, places.hostDirectory, ...(purge ? [home] : [])])];
  for (const path of folders.sort((a, b) => b.length - a.length))
    if (await files.removeEmptyDirectory(path)) removed.push(path);
  left.push(...(await strangersIn(request)));
  return { home, removed, left, data };
}

/** Files that a purge leaves in the home. */
async function strangersIn({ machine, files, home, purge }: UninstallRequest): Promise<LeftAlone[]> {
  if (!purge) return [];
  const reason = 'Spillway did not write it';
  const names = (await files.list(home)) ?? [];
  return names.map((name) => ({ path: pathsOf(machine).join(home, name), reason }));
}

function manifestPaths(machine: Machine, receipt: Receipt): Set<string> {
  const known = allBrowserPlaces(machine).flatMap(({ manifestDirectories }) =>
    manifestDirectories.map((directory) => pathsOf(machine).join(directory, MANIFEST_FILE)),
  );
  return new Set([...(machine.platform === 'win32' ? [] : receipt.manifests), ...known]);
}

/** Null without a value; `removed`, or why it stays. */
async function removeKey(
  request: UninstallRequest,
  key: string,
  manifests: readonly string[],
): Promise<string | null> {
  const registry = registryOf(request);
  const value = await registry.read(key);
  if (value === null) return null;
  if (!manifests.includes(value)) return `points to ${value}`;
  return (await registry.remove(key)) ? 'removed' : 'could not be deleted';
}

/** Why the extension stays: without its files, its pages are errors of the browser. */
async function describeLoadedIn(place: MachineFiles, folder: string): Promise<string | null> {
  for (const browser of allBrowserPlaces(place.machine))
    for (const profile of await readProfiles(place, browser))
      if (profile.folder === folder)
        return `${profile.browser} loads it in the profile "${profile.profile}". Remove Spillway in chrome://extensions, and run \`spillway uninstall\` again`;
  return null;
}

async function findData(request: UninstallRequest): Promise<StoredData[]> {
  const { join } = pathsOf(request.machine);
  const found: StoredData[] = [];
  for (const [what, names] of Object.entries(DATA))
    for (const path of names.map((name) => join(request.home, name)))
      if ((await request.files.mode(path)) !== null)
        found.push({ ...(await storedBytes(request, path)), what });
  return found;
}

/** Files below a folder, and their size. */
export async function storedBytes(place: MachineFiles, path: string): Promise<StoredData> {
  const { machine, files } = place;
  if (!(await files.isDirectory(path))) return { path, files: 1, bytes: await files.sizeBytes(path) };
  const names = await listTree(place, path);
  const sizes = await Promise.all(names.map((name) => files.sizeBytes(pathsOf(machine).join(path, name))));
  return { path, files: names.length, bytes: sizes.reduce((sum, each) => sum + each, 0) };
}

async function removeTree(place: MachineFiles, path: string): Promise<void> {
  if (!(await place.files.isDirectory(path))) return place.files.removeFile(path);
  for (const name of (await place.files.list(path)) ?? [])
    await removeTree(place, pathsOf(place.machine).join(path, name));
  await place.files.removeEmptyDirectory(path);
}

/** Null for a manifest of this installation, or one whose launcher no longer exists. */
async function reasonToLeave(place: MachineFiles, path: string, launcher: string): Promise<string | null> {
  if ((await place.files.read(path)) === null) return 'absent';
  const manifest = await readAs(place, path, HostManifest);
  if (manifest === null) return 'is not a host manifest; delete it if it is not needed';
  if (!isOurManifest(manifest)) return `belongs to another product (starts ${manifest.path})`;
  if (manifest.path === launcher || (await place.files.mode(manifest.path)) === null) return null;
  return `belongs to the Spillway that starts ${manifest.path}`;
}
