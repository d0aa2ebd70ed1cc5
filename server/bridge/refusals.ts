import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { WorkerHello } from '../../shared/bridge/hello.ts';
import { VERSION } from '../../shared/version.ts';
import { readRegularSync } from '../machine/regular-file.ts';
import { DRAFT_SUFFIX, REFUSAL_SUFFIX, removeFile } from './directory.ts';

const Refusal = z.object({
  message: z.string(),
  host: z.string(),
  extension: z.string(),
  browser: z.string(),
});

/** An extension that a host refused because they share no wire version. */
export type Refusal = z.infer<typeof Refusal> & { readonly at: Date };

const pathOf = (directory: string, { identity }: WorkerHello): string =>
  join(directory, identity.instance + REFUSAL_SUFFIX);

/** Leaves a note for `doctor`: the host that refuses an extension ends, and would leave no trace. */
export function noteRefusal(directory: string, worker: WorkerHello, message: string): void {
  const refusal = {
    message,
    host: VERSION,
    extension: worker.identity.version,
    browser: `${worker.browser.name} ${worker.browser.version}`,
  };
  const path = pathOf(directory, worker);
  writeFileSync(path + DRAFT_SUFFIX, JSON.stringify(refusal), { mode: 0o600 });
  renameSync(path + DRAFT_SUFFIX, path);
}

/** Removes the note of an extension that is now let in. */
export function forgetRefusal(directory: string, worker: WorkerHello): void {
  removeFile(pathOf(directory, worker));
}

/** The refusals that are noted in a folder, newest first. */
export function readRefusals(directory: string): Refusal[] {
  const found: Refusal[] = [];
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(REFUSAL_SUFFIX)) continue;
    try {
      const path = join(directory, name);
      found.push({ ...Refusal.parse(JSON.parse(readRegularSync(path))), at: statSync(path).mtime });
    } catch {
      // Gone meanwhile, or not ours.
    }
  }
  return found.sort((a, b) => b.at.getTime() - a.at.getTime());
}
