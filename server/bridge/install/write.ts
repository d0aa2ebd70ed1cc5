import { makeDirectories, type Files } from './files.ts';
import { launcherText, type LauncherFacts } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';
import { hostManifestText, isOurManifest, parseHostManifest } from './manifest.ts';

/** What became of one file. `foreign`: another product's, left as it was. */
export type WriteAction = 'written' | 'updated' | 'unchanged' | 'foreign';

/** One file and what became of it. */
export interface Written {
  readonly path: string;
  readonly action: WriteAction;
}

/** Owner only: what lies there decides which program a browser starts. */
const LAUNCHER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Writes a file unless it is there already with the same bytes and mode. The folder must exist. */
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
 * Writes the host manifest at `path`, creating its folder; returns the folders that it created.
 * Another product's manifest under our name stays and is answered as `foreign`; one that no browser
 * can read is replaced.
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
