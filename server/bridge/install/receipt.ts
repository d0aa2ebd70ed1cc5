import { createHash } from 'node:crypto';
import { z } from 'zod';
import { makeDirectories, type Files, listTree, pathsOf, type Machine } from './machine.ts';
import {
  launcherText,
  type LauncherFacts,
  hostManifestText,
  isOurManifest,
  parseHostManifest,
} from './launcher.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** `foreign`: another product's, left unchanged. */
export type WriteAction = 'written' | 'updated' | 'unchanged' | 'foreign';

export interface Written {
  readonly path: string;
  readonly action: WriteAction;
}

/** Owner only: these files decide which program a browser starts. */
const LAUNCHER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Writes a file unless it already exists with the same bytes and mode. The folder must exist. */
export async function writeIfChanged(
  machine: Machine,
  files: Files,
  wanted: { readonly path: string; readonly content: Uint8Array; readonly mode: number },
): Promise<Written> {
  const { path, content, mode } = wanted;
  const before = await files.read(path);
  const isSameMode = machine.platform === 'win32' || (await files.mode(path)) === mode;
  if (before !== null && isSameMode && Buffer.compare(before, content) === 0)
    return { path, action: 'unchanged' };
  await files.write(path, content, mode);
  return { path, action: before === null ? 'written' : 'updated' };
}

/** Writes the launcher into a folder that exists. */
export function writeLauncher(
  machine: Machine,
  files: Files,
  launcher: { readonly path: string; readonly facts: LauncherFacts },
): Promise<Written> {
  const content = Buffer.from(launcherText(machine.platform, launcher.facts));
  return writeIfChanged(machine, files, { path: launcher.path, content, mode: LAUNCHER_MODE });
}

/**
 * Writes the host manifest at `path`, creating its folder; returns the new folders. Another product's
 * manifest under our name stays and is reported as `foreign`; one that no browser can read is replaced.
 */
export async function writeHostManifest(
  machine: Machine,
  files: Files,
  manifest: { readonly path: string; readonly launcher: string },
): Promise<Written & { readonly created: readonly string[] }> {
  const { path, launcher } = manifest;
  const before = await files.read(path);
  const parsed = before === null ? null : parseHostManifest(Buffer.from(before).toString('utf8'));
  if (parsed !== null && !isOurManifest(parsed)) return { path, action: 'foreign', created: [] };
  const { dirname } = pathsOf(machine);
  const created = await makeDirectories(files, dirname(path), dirname);
  const content = Buffer.from(hostManifestText(launcher));
  return { ...(await writeIfChanged(machine, files, { path, content, mode: FILE_MODE })), created };
}

/** `uninstall` removes exactly these files. Paths are absolute. */
export const Receipt = z.object({
  version: z.literal(1),
  /** Host manifests in browsers' folders. */
  manifests: z.array(z.string()),
  /** Registry keys above the host's own. */
  registry_keys: z.array(z.string()),
  /** Launcher, host, extension files and, on Windows, the manifest. */
  files: z.array(z.string()),
  /** Folders that did not exist before, outermost first. */
  directories: z.array(z.string()),
});
export type Receipt = z.infer<typeof Receipt>;

export const EMPTY_RECEIPT: Receipt = {
  version: 1,
  manifests: [],
  registry_keys: [],
  files: [],
  directories: [],
};

/** The receipt at `path`, or null if it does not exist or cannot be read. */
export async function readReceipt(files: Files, path: string): Promise<Receipt | null> {
  const bytes = await files.read(path);
  return bytes === null ? null : parseAs(Receipt, Buffer.from(bytes).toString('utf8'));
}

/**
 * The receipt during an installation. It is on disk after every step, so that `uninstall` knows the files of
 * an interrupted one.
 */
export class ReceiptBook {
  readonly #machine: Machine;
  readonly #files: Files;
  readonly #path: string;

  private constructor(
    place: { machine: Machine; files: Files; path: string },
    private receipt: Receipt,
  ) {
    this.#machine = place.machine;
    this.#files = place.files;
    this.#path = place.path;
  }

  /** Continues the receipt of an earlier installation, or starts one. */
  static async open(machine: Machine, files: Files, path: string): Promise<ReceiptBook> {
    return new ReceiptBook({ machine, files, path }, (await readReceipt(files, path)) ?? EMPTY_RECEIPT);
  }

  get files(): readonly string[] {
    return this.receipt.files;
  }

  /** Adds the written files and stores the receipt. */
  async add(written: Partial<Omit<Receipt, 'version'>>): Promise<void> {
    this.receipt = mergeReceipts(this.receipt, { ...EMPTY_RECEIPT, ...written });
    await this.#save();
  }

  /** Forgets files that no longer exist and stores the receipt. */
  async drop(isGone: (path: string) => boolean): Promise<void> {
    this.receipt = { ...this.receipt, files: this.receipt.files.filter((path) => !isGone(path)) };
    await this.#save();
  }

  async #save(): Promise<void> {
    await writeIfChanged(this.#machine, this.#files, {
      path: this.#path,
      content: Buffer.from(`${JSON.stringify(this.receipt, null, 2)}\n`),
      mode: FILE_MODE,
    });
  }
}

/** Merges both receipts, without repeats. */
function mergeReceipts(earlier: Receipt, later: Receipt): Receipt {
  const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
  return {
    version: 1,
    manifests: union(earlier.manifests, later.manifests),
    registry_keys: union(earlier.registry_keys, later.registry_keys),
    files: union(earlier.files, later.files),
    directories: union(earlier.directories, later.directories),
  };
}

export interface ExtensionFacts {
  /** Derived from the manifest's `key`; null if it has none. */
  readonly id: string | null;
  readonly version: string;
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

/** Reads the extension in a folder; null if its manifest is missing or broken. */
export async function readExtension(
  machine: Machine,
  files: Files,
  directory: string,
): Promise<ExtensionFacts | null> {
  const bytes = await files.read(pathsOf(machine).join(directory, 'manifest.json'));
  if (bytes === null) return null;
  const manifest = parseAs(ExtensionManifest, Buffer.from(bytes).toString('utf8'));
  if (manifest === null) return null;
  const { key, version } = manifest;
  return { id: key === undefined ? null : extensionIdOfKey(key), version };
}

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** Files of an earlier copy, absolute: those that the extension no longer has are removed. */
  readonly earlier: readonly string[];
  /** Called with the files about to be written. */
  readonly onCopy: (coming: { readonly files: string[]; readonly directories: string[] }) => Promise<void>;
}

/**
 * Copies the extension in `from` to `to`; returns every file of the copy. The manifest comes last, since the
 * browser starts from it.
 */
export async function copyExtension(
  machine: Machine,
  files: Files,
  copy: CopyRequest,
): Promise<{ readonly action: WriteAction; readonly files: readonly string[] }> {
  const path = pathsOf(machine);
  const names = (await listTree(machine, files, copy.from)).sort(
    (a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'),
  );
  const targets = names.map((name) => path.join(copy.to, name));
  const directories: string[] = [];
  for (const target of targets)
    directories.push(...(await makeDirectories(files, path.dirname(target), path.dirname)));
  await copy.onCopy({ files: targets, directories });
  const actions = new Set<WriteAction>();
  for (const [at, target] of targets.entries()) {
    const source = path.join(copy.from, names[at] ?? '');
    const content = await files.read(source);
    if (content === null) throw new Error(`${source} cannot be read.`);
    actions.add((await writeIfChanged(machine, files, { path: target, content, mode: FILE_MODE })).action);
  }
  for (const stale of copy.earlier.filter((each) => !targets.includes(each))) {
    await files.removeFile(stale);
    actions.add('updated');
  }
  return { action: summarize(actions), files: targets };
}

function summarize(actions: ReadonlySet<WriteAction>): WriteAction {
  if (actions.size === 1) return [...actions][0] ?? 'unchanged';
  return actions.size === 0 ? 'unchanged' : 'updated';
}
