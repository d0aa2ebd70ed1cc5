import { unlinkSync } from 'node:fs';
import { isMissing } from '../machine/errno.ts';

/** Suffixes of what a host keeps in the bridge directory, all with the same random name before. */
export const REGISTRATION_SUFFIX = '.json';
export const SOCKET_SUFFIX = '.sock';
/** A note on an extension that was refused, named after the extension's instance. */
export const REFUSAL_SUFFIX = '.refused';
/** A file that has not got its final name yet. */
export const DRAFT_SUFFIX = '.tmp';

/** Removes a file that may be gone already. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
