import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HOST_NAME } from '../../../shared/bridge/wire.ts';

/** Systems that the bridge can be installed on. */
export type Platform = 'linux' | 'darwin' | 'win32';

/** Everything about the machine that decides where things lie; injected, so that each is tested on any. */
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

/** Runs a command; answers its exit code and standard output. Never throws for a failing command. */
export type RunCommand = (
  command: Command,
) => Promise<{ readonly exitCode: number; readonly stdout: string }>;

const TIMEOUT_MS = 10_000;

/** Runs a command for real. */
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

/** `reg add`: makes the key's default value the manifest's path. No administrator is needed below HKCU. */
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

/** The value that `reg query … /ve` printed, or null. The value's label is translated, its type is not. */
export function parseRegistryValue(stdout: string): string | null {
  return /\bREG_SZ\s+(.*\S)\s*$/m.exec(stdout)?.[1] ?? null;
}

function reg(machine: Machine, args: readonly string[]): Command {
  return { file: `${machine.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`, args };
}
