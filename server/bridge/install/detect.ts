import type { BrowserPlaces } from './browsers.ts';
import type { Files } from './files.ts';
import { sandboxOfPath, sandboxOfScript, WRAPPER_BYTES, type Sandbox } from '../chromium.ts';
import { pathsOf, type Machine } from './machine.ts';

/** Snap and flatpak browsers run in a sandbox that cannot start a program of the user. */
export type Packaging = 'native' | Sandbox;

/** One way in which a browser is installed. */
interface Installation {
  readonly path: string;
  readonly packaging: Packaging;
}

/** Whether a browser is on the machine, and in which form. */
export interface DetectedBrowser {
  readonly installations: readonly Installation[];
  /** A person has used it: its user data directory holds something. */
  readonly hasProfile: boolean;
  /** `sandboxed`: installed, but only as snap or flatpak. */
  readonly state: 'found' | 'sandboxed' | 'absent';
}

/** Looks for the browser: executables at their known places and on the PATH, its data, snap and flatpak. */
export async function detectBrowser(
  machine: Machine,
  files: Files,
  places: BrowserPlaces,
): Promise<DetectedBrowser> {
  const installations: Installation[] = [];
  for (const path of [...onPath(machine, places.commands), ...places.executables])
    if (await files.isExecutable(path))
      installations.push({ path, packaging: await packagingOf(machine, files, path) });
  for (const sign of places.sandboxSigns)
    if ((await files.mode(sign.path)) !== null && !installations.some((each) => each.path === sign.path))
      installations.push({ path: sign.path, packaging: sign.kind });
  const hasProfile = await isUsed(files, places.userDataDirectory);
  const isNative = installations.some((each) => each.packaging === 'native');
  const isSandboxed = installations.length > 0 && !isNative;
  // A snap leaves an older package's data behind, so data alone speaks only where no browser does.
  const state = isSandboxed ? 'sandboxed' : isNative || hasProfile ? 'found' : 'absent';
  return { installations, hasProfile, state };
}

export function sandboxAdvice(name: string, packaging: Packaging): string {
  return (
    `${name} is installed as a ${packaging}, whose sandbox cannot start a native messaging host. ` +
    `Install ${name} from its .deb, .rpm or distribution package, or use another browser.`
  );
}

/** How the executable is packaged: by where its links lead, or by what its wrapper script starts. */
async function packagingOf(machine: Machine, files: Files, executable: string): Promise<Packaging> {
  if (machine.platform !== 'linux') return 'native';
  const real = (await files.realPath(executable)) ?? executable;
  const byPath = sandboxOfPath(executable) ?? sandboxOfPath(real);
  if (byPath !== null) return byPath;
  const head = await files.readHead(real, WRAPPER_BYTES);
  return (head === null ? null : sandboxOfScript(Buffer.from(head).toString('latin1'))) ?? 'native';
}

function onPath(machine: Machine, commands: readonly string[]): string[] {
  const folders = (machine.env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return [...new Set(folders)].flatMap((folder) =>
    commands.map((command) => pathsOf(machine).join(folder, command)),
  );
}

/** Our own manifest folder does not make a browser used. */
async function isUsed(files: Files, userDataDirectory: string): Promise<boolean> {
  const entries = await files.list(userDataDirectory);
  return entries !== null && entries.some((entry) => entry !== 'NativeMessagingHosts');
}
