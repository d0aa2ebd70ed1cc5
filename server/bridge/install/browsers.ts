import { z } from 'zod';
import { pathsOf, type Machine, type Files } from './machine.ts';
import { sandboxOfPath, sandboxOfScript, WRAPPER_BYTES, type Sandbox } from '../chromium.ts';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { parseAs } from '../../../shared/json-schema.ts';

/** Other browsers' places that it also reads are in `alsoReads`. */
interface BrowserRow {
  readonly id: string;
  readonly name: string;
  /** Another browser's manifest places that this one also reads. */
  readonly alsoReads?: 'chrome';
  readonly linux: {
    /** User data directory below the configuration directory. */
    readonly profile: string;
    /** Names on the PATH. */
    readonly commands: readonly string[];
    /** Executables outside the PATH. */
    readonly executables: readonly string[];
    /** Manifests and policies for all users. */
    readonly system: string;
    readonly policies: string;
    readonly flatpak: string;
    readonly snap?: string;
  };
  /**
   * `profile`: user data directory below `~/Library/Application Support`. `app`: below `/Applications` or
   * `~/Applications`. `system`: manifests for all users.
   */
  readonly darwin: { readonly profile: string; readonly app: string; readonly system: string };
  /**
   * `folder`: below `%LOCALAPPDATA%`, `%ProgramFiles%` or `%ProgramFiles(x86)%`, and below `HKEY_CURRENT_USER\\SOFTWARE`
   * in the registry. `program`: its executable.
   */
  readonly win32: { readonly folder: string; readonly program: string };
}

const NATIVE_HOSTS = 'NativeMessagingHosts';

/**
 * Sources: developer.chrome.com "Native messaging", learn.microsoft.com "Native messaging" (Edge). Brave on
 * macOS reads Chrome's directory (brave-browser#5074), Brave and Vivaldi on Windows Chrome's key; on Linux
 * they read their own. We write to both places, and `spillway doctor` checks the result.
 */
const ROWS = [
  {
    id: 'chrome',
    name: 'Google Chrome',
    linux: {
      profile: 'google-chrome',
      commands: ['google-chrome', 'google-chrome-stable'],
      executables: ['/opt/google/chrome/chrome'],
      system: '/etc/opt/chrome/native-messaging-hosts',
      policies: '/etc/opt/chrome/policies/managed',
      flatpak: 'com.google.Chrome',
    },
    darwin: { profile: 'Google/Chrome', app: 'Google Chrome', system: '/Library/Google/Chrome' },
    win32: { folder: 'Google\\Chrome', program: 'chrome.exe' },
  },
  {
    id: 'chromium',
    name: 'Chromium',
    linux: {
      profile: 'chromium',
      commands: ['chromium', 'chromium-browser'],
      executables: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser'],
      system: '/etc/chromium/native-messaging-hosts',
      policies: '/etc/chromium/policies/managed',
      flatpak: 'org.chromium.Chromium',
      snap: 'chromium',
    },
    darwin: { profile: 'Chromium', app: 'Chromium', system: '/Library/Application Support/Chromium' },
    win32: { folder: 'Chromium', program: 'chrome.exe' },
  },
  {
    id: 'edge',
    name: 'Microsoft Edge',
    linux: {
      profile: 'microsoft-edge',
      commands: ['microsoft-edge', 'microsoft-edge-stable'],
      executables: ['/opt/microsoft/msedge/msedge'],
      system: '/etc/opt/edge/native-messaging-hosts',
      policies: '/etc/opt/edge/policies/managed',
      flatpak: 'com.microsoft.Edge',
    },
    darwin: { profile: 'Microsoft Edge', app: 'Microsoft Edge', system: '/Library/Microsoft/Edge' },
    win32: { folder: 'Microsoft\\Edge', program: 'msedge.exe' },
  },
  {
    id: 'brave',
    name: 'Brave',
    alsoReads: 'chrome',
    linux: {
      profile: 'BraveSoftware/Brave-Browser',
      commands: ['brave-browser', 'brave-browser-stable', 'brave'],
      executables: ['/opt/brave.com/brave/brave'],
      system: '/etc/opt/chrome/native-messaging-hosts',
      policies: '/etc/brave/policies/managed',
      flatpak: 'com.brave.Browser',
      snap: 'brave',
    },
    darwin: {
      profile: 'BraveSoftware/Brave-Browser',
      app: 'Brave Browser',
      system: '/Library/Google/Chrome',
    },
    win32: { folder: 'BraveSoftware\\Brave-Browser', program: 'brave.exe' },
  },
  {
    id: 'vivaldi',
    name: 'Vivaldi',
    alsoReads: 'chrome',
    linux: {
      profile: 'vivaldi',
      commands: ['vivaldi', 'vivaldi-stable'],
      executables: ['/opt/vivaldi/vivaldi'],
      system: '/etc/opt/chrome/native-messaging-hosts',
      policies: '/etc/opt/vivaldi/policies/managed',
      flatpak: 'com.vivaldi.Vivaldi',
      snap: 'vivaldi',
    },
    darwin: { profile: 'Vivaldi', app: 'Vivaldi', system: '/Library/Google/Chrome' },
    win32: { folder: 'Vivaldi', program: 'vivaldi.exe' },
  },
] as const satisfies readonly BrowserRow[];

/** `chrome`, `chromium`, `edge`, `brave`, `vivaldi`. */
export type BrowserKind = (typeof ROWS)[number]['id'];

/** Every browser that the bridge can be installed for, in the order of listings. */
export const BROWSER_KINDS: readonly BrowserKind[] = ROWS.map((row) => row.id);

/** A path that only exists if the installation cannot start a native host. */
interface SandboxSign {
  readonly kind: 'snap' | 'flatpak';
  readonly path: string;
}

/** One browser's places on one machine. All paths are absolute. */
export interface BrowserPlaces {
  readonly id: BrowserKind;
  readonly name: string;
  readonly userDataDirectory: string;
  /** Names to look up on the PATH; Linux only. */
  readonly commands: readonly string[];
  readonly executables: readonly string[];
  readonly sandboxSigns: readonly SandboxSign[];
  /** Per-user folders for the manifest; none on Windows. */
  readonly manifestDirectories: readonly string[];
  /** Per-user keys whose default value is the manifest's path, host name not included; Windows only. */
  readonly registryKeys: readonly string[];
  /** Folders for all users. We write nothing there, but another product's manifest may be there. */
  readonly systemDirectories: readonly string[];
  /** Folders of JSON policies that can forbid native hosts; Linux only. */
  readonly policyDirectories: readonly string[];
}

/** One browser's places. Pure: looks up nothing on disk. */
export function browserPlaces(machine: Machine, id: BrowserKind): BrowserPlaces {
  const row: BrowserRow = rowOf(id);
  const shared = row.alsoReads === undefined ? [row] : [row, rowOf(row.alsoReads)];
  const common = { id, name: row.name };
  if (machine.platform === 'linux') return { ...common, ...linuxPlaces(machine, row, shared) };
  if (machine.platform === 'darwin') return { ...common, ...darwinPlaces(machine, row, shared) };
  return { ...common, ...windowsPlaces(machine, row, shared) };
}

/** Places of every browser, in the order of {@link BROWSER_KINDS}. */
export function allBrowserPlaces(machine: Machine): readonly BrowserPlaces[] {
  return BROWSER_KINDS.map((id) => browserPlaces(machine, id));
}

type Places = Omit<BrowserPlaces, 'id' | 'name'>;

function rowOf(id: BrowserKind): BrowserRow {
  const row = ROWS.find((candidate) => candidate.id === id);
  if (row === undefined) throw new TypeError(`No browser "${id}".`);
  return row;
}

function linuxPlaces(machine: Machine, row: BrowserRow, shared: readonly BrowserRow[]): Places {
  const path = pathsOf(machine);
  const home = machine.userHome;
  // Chromium's own order (chrome/common/chrome_paths_linux.cc).
  const config =
    given(machine.env['CHROME_CONFIG_HOME']) ??
    given(machine.env['XDG_CONFIG_HOME']) ??
    path.join(home, '.config');
  const { linux } = row;
  const signs: SandboxSign[] = [
    { kind: 'flatpak', path: `/var/lib/flatpak/exports/bin/${linux.flatpak}` },
    { kind: 'flatpak', path: path.join(home, '.local/share/flatpak/exports/bin', linux.flatpak) },
  ];
  if (linux.snap !== undefined) {
    signs.push({ kind: 'snap', path: `/snap/bin/${linux.snap}` });
    signs.push({ kind: 'snap', path: `/var/lib/snapd/snap/bin/${linux.snap}` });
  }
  return {
    userDataDirectory: path.join(config, linux.profile),
    commands: linux.commands,
    executables: linux.executables,
    sandboxSigns: signs,
    manifestDirectories: shared.map((each) => path.join(config, each.linux.profile, NATIVE_HOSTS)),
    registryKeys: [],
    systemDirectories: [...new Set(shared.map((each) => each.linux.system))],
    policyDirectories: [linux.policies],
  };
}

function darwinPlaces(machine: Machine, row: BrowserRow, shared: readonly BrowserRow[]): Places {
  const path = pathsOf(machine);
  const support = path.join(machine.userHome, 'Library/Application Support');
  return {
    userDataDirectory: path.join(support, row.darwin.profile),
    commands: [],
    executables: ['/Applications', path.join(machine.userHome, 'Applications')].map((folder) =>
      path.join(folder, `${row.darwin.app}.app/Contents/MacOS/${row.darwin.app}`),
    ),
    sandboxSigns: [],
    manifestDirectories: shared.map((each) => path.join(support, each.darwin.profile, NATIVE_HOSTS)),
    registryKeys: [],
    systemDirectories: [...new Set(shared.map((each) => `${each.darwin.system}/${NATIVE_HOSTS}`))],
    policyDirectories: [],
  };
}

function windowsPlaces(machine: Machine, row: BrowserRow, shared: readonly BrowserRow[]): Places {
  const path = pathsOf(machine);
  const { env } = machine;
  const local = given(env['LOCALAPPDATA']) ?? path.join(machine.userHome, 'AppData\\Local');
  const roots = [
    given(env['ProgramFiles']) ?? 'C:\\Program Files',
    given(env['ProgramFiles(x86)']) ?? 'C:\\Program Files (x86)',
    local,
  ];
  return {
    userDataDirectory: path.join(local, row.win32.folder, 'User Data'),
    commands: [],
    executables: roots.map((root) => path.join(root, row.win32.folder, 'Application', row.win32.program)),
    sandboxSigns: [],
    manifestDirectories: [],
    registryKeys: shared.map((each) => `HKCU\\SOFTWARE\\${each.win32.folder}\\${NATIVE_HOSTS}`),
    systemDirectories: [],
    policyDirectories: [],
  };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

/** Snap and flatpak browsers run in a sandbox that cannot start the user's programs. */
export type Packaging = 'native' | Sandbox;

/** One way in which a browser is installed. */
interface Installation {
  readonly path: string;
  readonly packaging: Packaging;
}

/** Whether a browser is on the machine, and in which form. */
export interface DetectedBrowser {
  readonly installations: readonly Installation[];
  /** A person has used it: its user data directory is not empty. */
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
  // A snap leaves an older package's data behind, so data only counts if there is no snap.
  const state = isSandboxed ? 'sandboxed' : isNative || hasProfile ? 'found' : 'absent';
  return { installations, hasProfile, state };
}

export function sandboxAdvice(name: string, packaging: Packaging): string {
  return (
    `${name} is installed as a ${packaging}, whose sandbox cannot start a native messaging host. ` +
    `Install ${name} from its .deb, .rpm or distribution package, or use another browser.`
  );
}

/** How the executable is packaged: by its link's target, or by the program that its wrapper script starts. */
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

/** Our own manifest folder does not count as use. */
async function isUsed(files: Files, userDataDirectory: string): Promise<boolean> {
  const entries = await files.list(userDataDirectory);
  return entries !== null && entries.some((entry) => entry !== 'NativeMessagingHosts');
}

/** Our extension in one browser profile, by the profile's last stored preferences. */
export interface ProfileExtension {
  readonly browser: string;
  readonly profile: string;
  /** Folder of an unpacked extension; null for one from a store. */
  readonly folder: string | null;
  readonly isEnabled: boolean;
  /** Chromium switches unpacked extensions off without developer mode. */
  readonly lacksDeveloperMode: boolean;
}

const Preferences = z.object({
  extensions: z.object({
    settings: z.record(
      z.string(),
      z.object({
        path: z.string().optional(),
        // Chromium writes a number, or since 133 a list of reasons. Older versions write 0 for off here.
        state: z.number().optional(),
        disable_reasons: z.union([z.number(), z.array(z.number())]).optional(),
      }),
    ),
  }),
});

/** Of Chromium's `disable_reason.h`. */
const UNSUPPORTED_DEVELOPER_EXTENSION = 2 ** 24;

const PREFERENCE_FILES = ['Secure Preferences', 'Preferences'] as const;

/** Looks up our extension in every profile of a browser. Browsers write these files with a delay. */
export async function readProfiles(
  machine: Machine,
  files: Files,
  places: BrowserPlaces,
): Promise<ProfileExtension[]> {
  const path = pathsOf(machine);
  const found: ProfileExtension[] = [];
  const names = (await files.list(places.userDataDirectory)) ?? [];
  for (const profile of names.filter((name) => name === 'Default' || name.startsWith('Profile '))) {
    for (const file of PREFERENCE_FILES) {
      const bytes = await files.read(path.join(places.userDataDirectory, profile, file));
      const setting = bytes === null ? null : settingOf(Buffer.from(bytes).toString('utf8'));
      if (setting === null) continue;
      const { path: folder, disable_reasons: written = 0, state } = setting;
      const reasons = Array.isArray(written) ? written.reduce((all, one) => all | one, 0) : written;
      found.push({
        browser: places.name,
        profile,
        folder: folder !== undefined && path.isAbsolute(folder) ? folder : null,
        isEnabled: state !== 0 && reasons === 0,
        lacksDeveloperMode: (reasons & UNSUPPORTED_DEVELOPER_EXTENSION) !== 0,
      });
      break;
    }
  }
  return found;
}

function settingOf(text: string) {
  return parseAs(Preferences, text)?.extensions.settings[EXTENSION_ID] ?? null;
}
