import { launcherName } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';
import { MANIFEST_FILE } from './manifest.ts';

/**
 * Where Spillway keeps what `install` writes. Nothing else lies in these two folders. Host and extension
 * are copies: a package may move, and a package manager's cache is cleaned.
 */
export interface InstallPlaces {
  readonly home: string;
  /** Launcher, host and receipt; on Windows the manifest too, which the registry points to. */
  readonly hostDirectory: string;
  readonly launcher: string;
  /** A copy of the built host, which is one file. */
  readonly hostScript: string;
  readonly receipt: string;
  /** Manifest on Windows, where its folder is free to choose. */
  readonly windowsManifest: string;
  /** A copy of the built extension: the browser remembers its folder. */
  readonly extensionDirectory: string;
}

/** Places below a home (`~/.spillway`, `--home`, `SPILLWAY_HOME`). */
export function installPlaces(machine: Machine, home: string): InstallPlaces {
  const path = pathsOf(machine);
  const hostDirectory = path.join(home, 'host');
  return {
    home,
    hostDirectory,
    launcher: path.join(hostDirectory, launcherName(machine.platform)),
    hostScript: path.join(hostDirectory, 'host.mjs'),
    receipt: path.join(hostDirectory, 'install.json'),
    windowsManifest: path.join(hostDirectory, MANIFEST_FILE),
    extensionDirectory: path.join(home, 'extension'),
  };
}
