import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from './end-of-file.ts';
import { REMOVED } from './home.ts';

export function testFolder(within = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(within, 'spillway-test-')));
  atEndOfFile(() => rmSync(folder, REMOVED));
  return folder;
}

/** The same with a file of these secrets. */
export function secretsFolder(text: string): { readonly folder: string; readonly secrets: string } {
  const folder = testFolder();
  const secrets = join(folder, 'secrets.env');
  writeFileSync(secrets, text, { mode: 0o600 });
  return { folder, secrets };
}
