import { homedir } from 'node:os';
import { posix, win32, type PlatformPath } from 'node:path';

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
