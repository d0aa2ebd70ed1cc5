import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readlink, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { HOST_NAME } from '../../../shared/core/bridge/wire.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { parseAs } from '../../../shared/base/json-schema.ts';
import { openRegular } from '../machine/files.ts';
import { messageOf } from '../../../shared/base/message-of.ts';

/** Systems that the bridge can be installed on. */
export type Platform = 'linux' | 'darwin' | 'win32';

/** Everything about the machine that determines paths; injected, so that tests cover every platform. */
export interface Machine {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home directory. */
  readonly userHome: string;
}

/** The machine that this process runs on. Any other system counts as Linux. */
export function currentMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return { platform, env, userHome: (platform !== 'win32' && env['HOME']) || homedir() };
}

/** Path rules of the machine's platform. */
export function pathsOf(machine: Machine): PlatformPath {
  return machine.platform === 'win32' ? win32 : posix;
}

/** A program and its arguments; never passed through a shell. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Runs a command; returns its standard output, or null if it fails. */
export type RunCommand = (command: Command) => Promise<string | null>;

const TIMEOUT_MS = 10_000;

export const runCommand: RunCommand = async ({ file, args }) => {
  const running = promisify(execFile)(file, args, { timeout: TIMEOUT_MS, windowsHide: true });
  return (await orNull(running))?.stdout ?? null;
};

/** The key whose default value is the path of our manifest. */
export const hostKey = (parent: string): string => `${parent}\\${HOST_NAME}`;

/** Our values in the registry, by the keys of browsers below HKCU, which need no administrator. */
export function registryOf({ machine, run }: { readonly machine: Machine; readonly run: RunCommand }) {
  const file = `${machine.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`;
  const reg = (...args: readonly string[]): Promise<string | null> => run({ file, args });
  return {
    /** The path of a manifest, or null. `reg` translates the value's label, but not its type. */
    read: async (parent: string): Promise<string | null> => {
      const printed = await reg('query', hostKey(parent), '/ve');
      return /\bREG_SZ\s+(.*\S)\s*$/m.exec(printed ?? '')?.[1] ?? null;
    },
    /** Returns whether it succeeded. */
    write: async (parent: string, manifest: string): Promise<boolean> =>
      (await reg('add', hostKey(parent), '/ve', '/t', 'REG_SZ', '/d', manifest, '/f')) !== null,
    remove: async (parent: string): Promise<boolean> => (await reg('delete', hostKey(parent), '/f')) !== null,
  };
}

/** Without a permission, or on a full disk, the error names the path. */
const onDisk = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new SpillwayError('invalid_argument', `${path} cannot be changed: ${messageOf(cause)}.`, {
      cause,
      hint: 'Make its folder writable for your user, or make room on the disk; then run the command again.',
    });
  });

/** Links are followed: people keep their settings elsewhere. A pipe or a device is not read: it may never end. */
async function readPlain(path: string): Promise<Buffer> {
  const file = await openRegular(await realpath(path));
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

async function replaceFile(path: string, content: Uint8Array, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      // The umask may have cleared bits that the browser needs.
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The real file system, as installing needs it; a port, so that tests cover other platforms' paths. */
export const nodeFiles = {
  /** Null if it does not exist or cannot be read. */
  read: (path: string): Promise<Buffer | null> => orNull(readPlain(path)),

  /** Permission bits, or null when there is no such file. */
  mode: async (path: string): Promise<number | null> => {
    const found = await orNull(stat(path));
    return found === null ? null : found.mode & 0o777;
  },

  /** Size of a file in bytes; 0 if it does not exist. */
  sizeBytes: async (path: string): Promise<number> => (await orNull(stat(path)))?.size ?? 0,

  isDirectory: async (path: string): Promise<boolean> => (await orNull(stat(path)))?.isDirectory() ?? false,

  /** True for a file that this user may execute. */
  isExecutable: async (path: string): Promise<boolean> =>
    (await orNull(access(path, constants.X_OK))) !== null && (await stat(path)).isFile(),

  /** Entry names, or null when it is not a folder that can be read. */
  list: async (path: string): Promise<readonly string[] | null> =>
    (await orNull(readdir(path)))?.sort() ?? null,

  /** Path with every link resolved, or null. */
  realPath: (path: string): Promise<string | null> => orNull(realpath(path)),

  /** Null for anything else. */
  linkTarget: (path: string): Promise<string | null> => orNull(readlink(path)),

  /** Replaces the file atomically. The folder must exist. */
  write: (path: string, content: Uint8Array, mode: number): Promise<void> =>
    onDisk(path, replaceFile(path, content, mode)),

  /** Creates a folder, 0700, in one that exists. */
  makeDirectory: (path: string): Promise<unknown> =>
    onDisk(path, mkdir(path, { recursive: true, mode: 0o700 })),

  /** Does nothing if it does not exist. */
  removeFile: (path: string): Promise<void> => onDisk(path, rm(path, { force: true })),

  /** Removes the folder when it is empty; returns whether it was removed. */
  removeEmptyDirectory: (path: string): Promise<boolean> =>
    rmdir(path).then(
      () => true,
      () => false,
    ),
};

export type Files = typeof nodeFiles;

/** A machine and its disk. */
export interface MachineFiles {
  readonly machine: Machine;
  readonly files: Files;
}

/** A JSON file; null if it is missing or has another shape. */
export async function readAs<T>(
  { files }: Pick<MachineFiles, 'files'>,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const bytes = await files.read(path);
  return bytes === null ? null : parseAs(schema, bytes.toString());
}

/** Paths of all files below a folder, relative to it. */
export async function listTree(place: MachineFiles, directory: string): Promise<string[]> {
  const path = pathsOf(place.machine);
  const found: string[] = [];
  for (const name of (await place.files.list(directory)) ?? []) {
    const at = path.join(directory, name);
    if (await place.files.isDirectory(at))
      found.push(...(await listTree(place, at)).map((below) => path.join(name, below)));
    else found.push(name);
  }
  return found;
}

/** Creates the folder of a file, and its parents; returns the new ones, outermost first. */
export async function makeParents({ machine, files }: MachineFiles, path: string): Promise<string[]> {
  const { dirname } = pathsOf(machine);
  const missing: string[] = [];
  for (let at = dirname(path); dirname(at) !== at && !(await files.isDirectory(at)); at = dirname(at))
    missing.unshift(at);
  for (const folder of missing) await files.makeDirectory(folder);
  return missing;
}
