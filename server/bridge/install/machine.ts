import { homedir } from 'node:os';
import { posix, win32, type PlatformPath, dirname } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readlink, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { HOST_NAME } from '../../../shared/bridge/wire.ts';

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
  const { platform } = process;
  return {
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    env,
    userHome:
      env['HOME'] !== undefined && env['HOME'] !== '' && platform !== 'win32' ? env['HOME'] : homedir(),
  };
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

/** Runs a command; returns its exit code and standard output. Never throws for a failing command. */
export type RunCommand = (
  command: Command,
) => Promise<{ readonly exitCode: number; readonly stdout: string }>;

const TIMEOUT_MS = 10_000;

export const runCommand: RunCommand = async ({ file, args }) => {
  try {
    const { stdout } = await promisify(execFile)(file, args, { timeout: TIMEOUT_MS, windowsHide: true });
    return { exitCode: 0, stdout };
  } catch {
    return { exitCode: 1, stdout: '' };
  }
};

/** The key whose default value is the path of our manifest. */
export const hostKey = (parent: string): string => `${parent}\\${HOST_NAME}`;

/** `reg add`: makes the key's default value the manifest's path. Below HKCU it needs no administrator. */
export function registryAdd(machine: Machine, parent: string, manifest: string): Command {
  return reg(machine, ['add', hostKey(parent), '/ve', '/t', 'REG_SZ', '/d', manifest, '/f']);
}

/** `reg query`: prints the key's default value. */
export function registryQuery(machine: Machine, parent: string): Command {
  return reg(machine, ['query', hostKey(parent), '/ve']);
}

/** `reg delete`: removes the key. */
export function registryDelete(machine: Machine, parent: string): Command {
  return reg(machine, ['delete', hostKey(parent), '/f']);
}

/** The value that `reg query … /ve` printed, or null. The value's label is translated, but its type is not. */
export function parseRegistryValue(stdout: string): string | null {
  return /\bREG_SZ\s+(.*\S)\s*$/m.exec(stdout)?.[1] ?? null;
}

function reg(machine: Machine, args: readonly string[]): Command {
  return { file: `${machine.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`, args };
}

/** The real file system, as installing needs it; a port, so that tests cover other platforms' paths. */
export const nodeFiles = {
  /** Null if it does not exist or cannot be read. */
  async read(path: string): Promise<Uint8Array | null> {
    return orNull(async () => {
      const file = await open(path, 'r');
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    });
  },

  /** Only the first bytes: an executable may be large. */
  async readHead(path: string, sizeBytes: number): Promise<Uint8Array | null> {
    return orNull(async () => {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    });
  },

  /** Permission bits, or null when there is no such file. */
  async mode(path: string): Promise<number | null> {
    return orNull(async () => (await stat(path)).mode & 0o777);
  },

  /** Size of a file in bytes; 0 if it does not exist. */
  async sizeBytes(path: string): Promise<number> {
    return (await orNull(async () => (await stat(path)).size)) ?? 0;
  },

  async isDirectory(path: string): Promise<boolean> {
    return (await orNull(async () => (await stat(path)).isDirectory())) ?? false;
  },

  /** True for a file that this user may execute. */
  async isExecutable(path: string): Promise<boolean> {
    return (
      (await orNull(async () => {
        await access(path, constants.X_OK);
        return (await stat(path)).isFile();
      })) ?? false
    );
  },

  /** Entry names, or null when it is not a folder that can be read. */
  async list(path: string): Promise<readonly string[] | null> {
    return orNull(async () => (await readdir(path)).sort());
  },

  /** Path with every link resolved, or null. */
  async realPath(path: string): Promise<string | null> {
    return orNull(() => realpath(path));
  },

  /** Null for anything else. */
  async linkTarget(path: string): Promise<string | null> {
    return orNull(() => readlink(path));
  },

  /** Replaces the file atomically. The folder must exist. */
  async write(path: string, content: Uint8Array, mode: number): Promise<void> {
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
  },

  /** Creates the folder and its missing parents, 0700; returns whether it existed. */
  async makeDirectory(path: string): Promise<'created' | 'existed'> {
    if (await this.isDirectory(path)) return 'existed';
    await mkdir(path, { recursive: true, mode: 0o700 });
    return 'created';
  },

  /** Does nothing if it does not exist. */
  async removeFile(path: string): Promise<void> {
    await rm(path, { force: true });
  },

  /** Removes the folder when it is empty; returns whether it was removed. */
  async removeEmptyDirectory(path: string): Promise<boolean> {
    try {
      await rmdir(path);
      return true;
    } catch {
      return !(await this.isDirectory(path));
    }
  },
};

export type Files = typeof nodeFiles;

/** Paths of all files below a folder, relative to it. */
export async function listTree(machine: Machine, files: Files, directory: string): Promise<string[]> {
  const path = pathsOf(machine);
  const found: string[] = [];
  for (const name of (await files.list(directory)) ?? []) {
    const at = path.join(directory, name);
    if (await files.isDirectory(at))
      found.push(...(await listTree(machine, files, at)).map((below) => path.join(name, below)));
    else found.push(name);
  }
  return found;
}

/** Creates a folder and its parents; returns the new ones, outermost first. */
export async function makeDirectories(files: Files, path: string, parentOf = dirname): Promise<string[]> {
  const missing: string[] = [];
  for (let at = path; parentOf(at) !== at && !(await files.isDirectory(at)); at = parentOf(at))
    missing.unshift(at);
  for (const folder of missing) await files.makeDirectory(folder);
  return missing;
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
