import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listTree, makeDirectories, type Files } from './machine.ts';
import { pathsOf, type Machine } from './machine.ts';
import { FILE_MODE, writeIfChanged, type WriteAction } from './receipt.ts';

export interface ExtensionFacts {
  /** Made from the manifest's `key`; null when it has none. */
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

/** Reads the extension in a folder; null when its manifest is missing or broken. */
export async function readExtension(
  machine: Machine,
  files: Files,
  directory: string,
): Promise<ExtensionFacts | null> {
  const bytes = await files.read(pathsOf(machine).join(directory, 'manifest.json'));
  if (bytes === null) return null;
  try {
    const { key, version } = ExtensionManifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return { id: key === undefined ? null : extensionIdOfKey(key), version };
  } catch {
    return null;
  }
}

/** Files and folders that a step made, absolute; folders outermost first. */
interface CopiedFiles {
  readonly files: string[];
  readonly directories: string[];
}

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** Files of an earlier copy, absolute: those that the extension no longer has are removed. */
  readonly earlier: readonly string[];
  /** Called with the coming files. */
  readonly onCopy: (coming: CopiedFiles) => Promise<void>;
}

/**
 * Makes `to` hold the extension in `from`; answers every file of the copy. The manifest comes last,
 * since the browser starts from it.
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
