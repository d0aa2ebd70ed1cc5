import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HANDLE_PATTERN } from '../../shared/output/descriptor.ts';
import { MIME, type MimeType } from '../../shared/mime.ts';
import type { ProcessIdentity } from '../machine/process-identity.ts';

/*
 * Names in the store:
 *   <home>/output/<YYYY-MM-DD>/<handle>.json | .bin    the payload
 *                              <handle>.index          where items end, for items only
 *                              <handle>.meta.json      its existence is the handle's existence
 *                              <handle>.deleted        empty: a person deleted it
 *                              <any of the first three>.<pid>-<start>.tmp   being written by that process
 *   <home>/output/kept/<handle>/                          kept: links to the first three, and <handle>.note
 *                         <handle>.person               empty: a person keeps it
 *   <home>/output/kept/<handle>.<pid>-<start>-<n>.tmp/      a kept one that this process makes, or takes away
 */

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/;
const KEPT_FOLDER = 'kept';
const KEPT_PATTERN = /^(oh_[A-Z2-7]{12})(?:\.(\d{1,10})-(\d{1,20})-\d{1,10}\.tmp)?$/;
const FILE_PATTERN =
  /^(oh_[A-Z2-7]{12})\.(json|bin|index|meta\.json|deleted|note)(?:\.(\d{1,10})-(\d{1,20})\.tmp)?$/;

type FileRole = 'payload' | 'index' | 'meta' | 'deleted' | 'note';

const ROLES: Readonly<Record<string, FileRole>> = {
  index: 'index',
  'meta.json': 'meta',
  deleted: 'deleted',
  note: 'note',
};

/** What the name of a folder of a kept output says. */
export interface KeptName {
  readonly handle: string;
  /** Set for a temporary folder. */
  readonly owner?: ProcessIdentity;
}

/** What a file name in a date folder says. */
export interface StoreName {
  readonly name: string;
  readonly handle: string;
  readonly role: FileRole;
  /** Set for a temporary file. */
  readonly owner?: ProcessIdentity;
}

/** The three paths of one handle. */
export interface HandlePaths {
  readonly folder: string;
  readonly payload: string;
  readonly index: string;
  readonly meta: string;
}

/** `oh_` and 60 random bits, five to a character of RFC 4648 base32. */
export function createHandle(): string {
  let handle = 'oh_';
  for (const byte of randomBytes(12)) handle += BASE32.charAt(byte & 31);
  return handle;
}

export const isHandle = (text: string): boolean => HANDLE_PATTERN.test(text);
export const isDateFolder = (name: string): boolean => DATE_PATTERN.test(name);

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59);

/** UTC, whole seconds, `Z`; a clock outside the four-digit years is held at their edge. */
export function formatSeconds(timeMs: number): string {
  const held = Math.min(Math.max(Math.floor(timeMs / 1000) * 1000, 0), LAST_SECOND);
  return new Date(held).toISOString().replace('.000Z', 'Z');
}

/** The folder of a day: `2026-05-19`. */
export const dateFolder = (timeMs: number): string => formatSeconds(timeMs).slice(0, 10);

const payloadExtension = (mimeType: MimeType): 'json' | 'bin' => (mimeType === MIME.json ? 'json' : 'bin');

/** Paths of a handle whose pattern was checked before. */
export function handlePaths(folder: string, handle: string, mimeType: MimeType): HandlePaths {
  return {
    folder,
    payload: join(folder, `${handle}.${payloadExtension(mimeType)}`),
    index: join(folder, `${handle}.index`),
    meta: join(folder, `${handle}.meta.json`),
  };
}

export const metaPath = (folder: string, handle: string): string => join(folder, `${handle}.meta.json`);
export const deletedPath = (folder: string, handle: string): string => join(folder, `${handle}.deleted`);
export const notePath = (folder: string, handle: string): string => join(folder, `${handle}.note`);
export const personPath = (folder: string, handle: string): string => join(folder, `${handle}.person`);
/** Of all kept outputs. A server of an earlier build looks into folders of dates alone. */
export const keptRoot = (root: string): string => join(root, KEPT_FOLDER);
export const keptFolder = (root: string, handle: string): string => join(keptRoot(root), handle);
let temporaries = 0;
/** One of its own for each change. */
export function temporaryKeptFolder(
  root: string,
  handle: string,
  { pid, startTime }: ProcessIdentity,
): string {
  temporaries += 1;
  return `${keptFolder(root, handle)}.${pid}-${startTime}-${temporaries}.tmp`;
}
export const isKeptFolder = (name: string): boolean => name === KEPT_FOLDER;
export const temporaryPath = (path: string, owner: ProcessIdentity): string =>
  `${path}.${owner.pid}-${owner.startTime}.tmp`;

/** Undefined for a file that the store did not name. */
export function parseName(name: string): StoreName | undefined {
  const match = FILE_PATTERN.exec(name);
  const [, handle, extension, pid, startTime] = match ?? [];
  if (handle === undefined || extension === undefined) return undefined;
  const role = ROLES[extension] ?? 'payload';
  if (pid === undefined || startTime === undefined) return { name, handle, role };
  return { name, handle, role, owner: { pid: Number(pid), startTime } };
}

/** Undefined for a folder that the store did not name. */
export function parseKeptName(name: string): KeptName | undefined {
  const [, handle, pid, startTime] = KEPT_PATTERN.exec(name) ?? [];
  if (handle === undefined) return undefined;
  if (pid === undefined || startTime === undefined) return { handle };
  return { handle, owner: { pid: Number(pid), startTime } };
}
