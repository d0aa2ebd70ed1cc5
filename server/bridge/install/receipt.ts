import { z } from 'zod';
import type { Files } from './files.ts';

/** What `install` wrote, so that `uninstall` removes exactly that. Paths are absolute. */
export const Receipt = z.object({
  version: z.literal(1),
  /** Host manifests in browsers' folders. */
  manifests: z.array(z.string()),
  /** Registry keys above the host's own. */
  registry_keys: z.array(z.string()),
  /** Launcher, extension files and, on Windows, the manifest. */
  files: z.array(z.string()),
  /** Folders that were not there before, outermost first. */
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

/** The receipt at `path`, or null when there is none that can be read. */
export async function readReceipt(files: Files, path: string): Promise<Receipt | null> {
  const bytes = await files.read(path);
  if (bytes === null) return null;
  try {
    return Receipt.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}

/** Both receipts in one, without repeats. */
export function mergeReceipts(earlier: Receipt, later: Receipt): Receipt {
  const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
  return {
    version: 1,
    manifests: union(earlier.manifests, later.manifests),
    registry_keys: union(earlier.registry_keys, later.registry_keys),
    files: union(earlier.files, later.files),
    directories: union(earlier.directories, later.directories),
  };
}
