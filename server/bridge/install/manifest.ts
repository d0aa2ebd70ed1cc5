import { z } from 'zod';
import { EXTENSION_ID, HOST_NAME } from '../../../shared/bridge/wire.ts';
import { parseAs } from '../../../shared/json-schema.ts';
import { launcherName } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';

/** The origin by which the browser names our extension to a native host. */
export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}/`;

/** File name of the host's manifest, which browsers derive from the host's name. */
export const MANIFEST_FILE = `${HOST_NAME}.json`;

/** The fields of a native messaging host's manifest that browsers read. */
export const HostManifest = z.object({
  name: z.string(),
  description: z.string().optional(),
  path: z.string(),
  type: z.string().optional(),
  allowed_origins: z.array(z.string()).default([]),
});
export type HostManifest = z.infer<typeof HostManifest>;

const DESCRIPTION = 'Spillway: connects the browser extension to local MCP servers';

/** The manifest that lets only our extension start the launcher. */
export function hostManifestText(launcher: string): string {
  const manifest = {
    name: HOST_NAME,
    description: DESCRIPTION,
    path: launcher,
    type: 'stdio',
    allowed_origins: [EXTENSION_ORIGIN],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Null if it is not a host manifest. */
export const parseHostManifest = (text: string): HostManifest | null => parseAs(HostManifest, text);

/**
 * Whether Spillway, from any home, wrote a manifest under our name: it has our description, or starts a file
 * with a launcher's name. It may still name the extension of another build, which `install` repairs.
 */
export function isOurManifest(manifest: HostManifest): boolean {
  const file = manifest.path.split(/[/\\]/).at(-1);
  const isOurs =
    manifest.description === DESCRIPTION || file === launcherName('linux') || file === launcherName('win32');
  return manifest.name === HOST_NAME && isOurs;
}

/**
 * Where Spillway keeps the files of `install`, below a home (`~/.spillway`, `--home`, `SPILLWAY_HOME`). These
 * two folders contain nothing else. Host and extension are copies: a package may move, and package managers
 * clean their caches.
 */
export function installPlaces(machine: Machine, home: string) {
  const path = pathsOf(machine);
  const hostDirectory = path.join(home, 'host');
  return {
    /** Launcher, host and receipt; on Windows also the manifest, which the registry points to. */
    hostDirectory,
    launcher: path.join(hostDirectory, launcherName(machine.platform)),
    /** A copy of the built host, a single file. */
    hostScript: path.join(hostDirectory, 'host.mjs'),
    receipt: path.join(hostDirectory, 'install.json'),
    /** The manifest on Windows, where we choose its folder. */
    windowsManifest: path.join(hostDirectory, MANIFEST_FILE),
    /** A copy of the built extension: the browser remembers its folder. */
    extensionDirectory: path.join(home, 'extension'),
  };
}
export type InstallPlaces = ReturnType<typeof installPlaces>;
