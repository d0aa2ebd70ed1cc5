import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listTree, makeParents, pathsOf, readAs, type MachineFiles } from '../core/bridge/machine.ts';
import {
  HostManifest,
  hostManifestText,
  isOurManifest,
  type BrowserFamily,
} from '../core/bridge/launcher.ts';

/** `foreign`: another product's, left unchanged. `failed`: settings that could not be written. */
type WriteAction = 'written' | 'updated' | 'unchanged' | 'foreign' | 'failed';

export interface Written {
  readonly path: string;
  readonly action: WriteAction;
}

export const FILE_MODE = 0o600;

/** Writes a file unless it already exists with the same bytes and mode. The folder must exist. */
export async function writeIfChanged(
  { machine, files }: MachineFiles,
  path: string,
  content: Uint8Array | string,
  mode: number = FILE_MODE,
): Promise<Written> {
  const before = await files.read(path);
  const isSameMode = machine.platform === 'win32' || (await files.mode(path)) === mode;
  const bytes = Buffer.from(content);
  if (before !== null && isSameMode && before.equals(bytes)) return { path, action: 'unchanged' };
  await files.write(path, bytes, mode);
  return { path, action: before === null ? 'written' : 'updated' };
}

/**
 * Writes the host manifest at `path`, creating its folder; returns the new folders. Another product's
 * manifest under our name stays and is reported as `foreign`; one that no browser can read is replaced.
 */
export async function writeHostManifest(
  place: MachineFiles,
  path: string,
  launcher: string,
  family: BrowserFamily,
): Promise<Written & { readonly created: readonly string[] }> {
  const before = await readAs(place, path, HostManifest);
  if (before !== null && !isOurManifest(before)) return { path, action: 'foreign', created: [] };
  const created = await makeParents(place, path);
  return { ...(await writeIfChanged(place, path, hostManifestText(launcher, family))), created };
}

const Paths = z.array(z.string()).default([]);

/** `uninstall` removes exactly these files. Paths are absolute. */
const Receipt = z.object({
  /** Host manifests in browsers' folders. */
  manifests: Paths,
  /** Registry keys above the host's own. */
  registry_keys: Paths,
  /** Launcher, host, extension files and, on Windows, the manifest. */
  files: Paths,
  /** Folders that did not exist before, outermost first. */
  directories: Paths,
});
export type Receipt = z.infer<typeof Receipt>;

/** The receipt at `path`; empty if it does not exist or cannot be read. */
export const readReceipt = async (place: MachineFiles, path: string): Promise<Receipt> =>
  (await readAs(place, path, Receipt)) ?? Receipt.parse({});

/**
 * Adds files to the receipt at `path`, and drops those that no longer exist. It is on disk after every step,
 * so that `uninstall` knows the files of an interrupted installation.
 */
export async function updateReceipt(
  place: MachineFiles,
  path: string,
  added: Partial<Receipt>,
  isGone: (path: string) => boolean = () => false,
): Promise<void> {
  const before = await readReceipt(place, path);
  const union = (name: keyof Receipt): string[] => [...new Set([...before[name], ...(added[name] ?? [])])];
  const receipt: Receipt = {
    manifests: union('manifests'),
    registry_keys: union('registry_keys'),
    files: union('files').filter((each) => !isGone(each)),
    directories: union('directories'),
  };
  await writeIfChanged(place, path, `${JSON.stringify(receipt, null, 2)}\n`);
}

const ExtensionManifest = z.object({ key: z.string().optional(), version: z.string() });

/**
 * The id that a browser gives to an extension with this `key`: the first 16 bytes of the SHA-256 of
 * the decoded key, each half byte as a letter from a to p (Chromium, components/crx_file/id_util.cc).
 */
function extensionIdOfKey(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
}

/**
 * Reads the extension in a folder; null if its manifest is missing or broken. Its id is derived from the
 * manifest's `key`, and null without one.
 */
export async function readExtension(place: MachineFiles, directory: string) {
  const path = pathsOf(place.machine).join(directory, 'manifest.json');
  const manifest = await readAs(place, path, ExtensionManifest);
  if (manifest === null) return null;
  const { key, version } = manifest;
  return { id: key === undefined ? null : extensionIdOfKey(key), version };
}

interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly receipt: string;
  /** A folder with the scripts and icons that `from` lacks: the package has them once. */
  readonly scripts?: string | null;
}

/** Files that the package has once, for both browsers. */
const SHARED = /^(?:[^/\\]+\.js$|icons[/\\])/;

/**
 * Copies the extension in `from` to `to`, and removes files of an earlier copy that it no longer has; the
 * receipt names every file before it is written. The manifest comes last, since the browser starts from it.
 */
export async function copyExtension(
  place: MachineFiles,
  { from, to, receipt, scripts = null }: CopyRequest,
): Promise<Written> {
  const { join, sep } = pathsOf(place.machine);
  const own = await listTree(place, from);
  const shared = (scripts === null ? [] : await listTree(place, scripts)).filter(
    (name) => SHARED.test(name) && !own.includes(name),
  );
  const names = [...shared, ...own].sort(
    (a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'),
  );
  const targets = new Set(names.map((name) => join(to, name)));
  const directories: string[] = [];
  for (const target of targets) directories.push(...(await makeParents(place, target)));
  await updateReceipt(place, receipt, { files: [...targets], directories });
  const actions = new Set<WriteAction>();
  for (const name of names) {
    const source = join(scripts !== null && shared.includes(name) ? scripts : from, name);
    const content = await place.files.read(source);
    if (content === null) throw new Error(`${source} cannot be read.`);
    actions.add((await writeIfChanged(place, join(to, name), content)).action);
  }
  const isStale = (path: string): boolean => path.startsWith(to + sep) && !targets.has(path);
  for (const stale of (await readReceipt(place, receipt)).files.filter(isStale)) {
    await place.files.removeFile(stale);
    actions.add('updated');
  }
  await updateReceipt(place, receipt, {}, isStale);
  const [action = 'unchanged'] = actions;
  return { path: to, action: actions.size > 1 ? 'updated' : action };
}
