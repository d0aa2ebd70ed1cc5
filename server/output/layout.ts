import { randomBytes } from 'node:crypto';
import { HANDLE_PATTERN } from '../../shared/output/descriptor.ts';
import { ownProcess, type ProcessIdentity } from '../machine/process-identity.ts';

/*
 * Names in `<home>/output`; what is known of them is in the database of the home:
 *   <handle>.<pid>-<start>         the payload, written by that process
 *   <handle>.<pid>-<start>.index   where items end, for items only
 */

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const FILE_PATTERN = /^(oh_[A-Z2-7]{12}\.(\d{1,10})-(\d{1,20}))(?:\.index)?$/;

/** `oh_` and 60 random bits, five to a character of RFC 4648 base32. */
export function createHandle(): string {
  let handle = 'oh_';
  for (const byte of randomBytes(12)) handle += BASE32.charAt(byte & 31);
  return handle;
}

export const isHandle = (text: string): boolean => HANDLE_PATTERN.test(text);

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59);

/** UTC, whole seconds, `Z`; a clock outside the four-digit years is held at their edge. */
export function formatSeconds(timeMs: number): string {
  const held = Math.min(Math.max(Math.floor(timeMs / 1000) * 1000, 0), LAST_SECOND);
  return new Date(held).toISOString().replace('.000Z', 'Z');
}

/** The name of a payload that this process writes. */
export function fileOf(handle: string): string {
  const { pid, startTime } = ownProcess();
  return `${handle}.${pid}-${startTime}`;
}

export const indexOf = (payload: string): string => `${payload}.index`;

/** Undefined for a file that the store did not name. */
export function parseName(
  name: string,
): { readonly file: string; readonly owner: ProcessIdentity } | undefined {
  const [, file, pid, startTime] = FILE_PATTERN.exec(name) ?? [];
  if (file === undefined || pid === undefined || startTime === undefined) return undefined;
  return { file, owner: { pid: Number(pid), startTime } };
}
