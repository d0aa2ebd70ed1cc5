import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { pathsOf, readAs, type Files, type Machine, type MachineFiles } from './machine.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { FIREFOX_ROWS, firefoxPlaces } from './firefox.ts';
import type { BrowserFamily } from './launcher.ts';

interface BrowserRow {
  readonly name: string;
  /** Another browser's manifest places that this one also reads. */
  readonly alsoReads?: 'chrome';
  /**
   * `profile`: user data directory below the configuration directory. `commands`: names on the PATH.
   * `executables`: outside the PATH. `etc`: manifests and policies for all users.
   */
  readonly linux: {
    readonly profile: string;
    readonly commands: readonly string[];
    readonly executables: readonly string[];
    readonly etc: string;
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
const ROWS = {
  chrome: {
    name: 'Google Chrome',
    linux: {
      profile: 'google-chrome',
      commands: ['google-chrome', 'google-chrome-stable'],
      executables: ['/opt/google/chrome/chrome'],
      etc: '/etc/opt/chrome',
      flatpak: 'com.google.Chrome',
    },
    darwin: { profile: 'Google/Chrome', app: 'Google Chrome', system: '/Library/Google/Chrome' },
    win32: { folder: 'Google\\Chrome', program: 'chrome.exe' },
  },
  chromium: {
    name: 'Chromium',
    linux: {
      profile: 'chromium',
      commands: ['chromium', 'chromium-browser'],
      executables: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser'],
      etc: '/etc/chromium',
      flatpak: 'org.chromium.Chromium',
      snap: 'chromium',
    },
    darwin: { profile: 'Chromium', app: 'Chromium', system: '/Library/Application Support/Chromium' },
    win32: { folder: 'Chromium', program: 'chrome.exe' },
  },
  edge: {
    name: 'Microsoft Edge',
    linux: {
      profile: 'microsoft-edge',
      commands: ['microsoft-edge', 'microsoft-edge-stable'],
      executables: ['/opt/microsoft/msedge/msedge'],
      etc: '/etc/opt/edge',
      flatpak: 'com.microsoft.Edge',
    },
    darwin: { profile: 'Microsoft Edge', app: 'Microsoft Edge', system: '/Library/Microsoft/Edge' },
    win32: { folder: 'Microsoft\\Edge', program: 'msedge.exe' },
  },
  brave: {
    name: 'Brave',
    alsoReads: 'chrome',
    linux: {
      profile: 'BraveSoftware/Brave-Browser',
      commands: ['brave-browser', 'brave-browser-stable', 'brave'],
      executables: ['/opt/brave.com/brave/brave'],
      etc: '/etc/brave',
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
  vivaldi: {
    name: 'Vivaldi',
    alsoReads: 'chrome',
    linux: {
      profile: 'vivaldi',
      commands: ['vivaldi', 'vivaldi-stable'],
      executables: ['/opt/vivaldi/vivaldi'],
      etc: '/etc/opt/vivaldi',
      flatpak: 'com.vivaldi.Vivaldi',
      snap: 'vivaldi',
    },
    darwin: { profile: 'Vivaldi', app: 'Vivaldi', system: '/Library/Google/Chrome' },
    win32: { folder: 'Vivaldi', program: 'vivaldi.exe' },
  },
} as const satisfies Readonly<Record<string, BrowserRow>>;

type ChromiumKind = keyof typeof ROWS;
/** `chrome`, `chromium`, `edge`, `brave`, `vivaldi`, `firefox`, `librewolf`, `waterfox`. */
export type BrowserKind = ChromiumKind | keyof typeof FIREFOX_ROWS;

const isChromium = (name: string): name is ChromiumKind => Object.hasOwn(ROWS, name);
const isBrowserKind = (name: string): name is BrowserKind =>
  isChromium(name) || Object.hasOwn(FIREFOX_ROWS, name);

/** Every browser that the bridge can be installed for, in the order of listings. */
export const BROWSER_KINDS: readonly BrowserKind[] = Object.keys({ ...ROWS, ...FIREFOX_ROWS }).filter(
  isBrowserKind,
);

/** One browser's places on one machine. All paths are absolute. */
export interface BrowserPlaces {
  readonly id: BrowserKind;
  readonly name: string;
  readonly family: BrowserFamily;
  readonly userDataDirectory: string;
  /** On Linux, first those on the PATH. */
  readonly executables: readonly string[];
  /** Paths that only exist if the installation cannot start a native host. */
  readonly sandboxSigns: readonly Installation[];
  /** Per-user folders for the manifest; none on Windows. */
  readonly manifestDirectories: readonly string[];
  /** Per-user keys whose default value is the manifest's path, host name not included; Windows only. */
  readonly registryKeys: readonly string[];
  /** Folders for all users. We write nothing there, but another product's manifest may be there. */
  readonly systemDirectories: readonly string[];
  /** The folder of JSON policies that can forbid native hosts; Linux only. */
  readonly policyDirectory: string | null;
}

/** One browser's places. Pure: looks up nothing on disk. */
export function browserPlaces(machine: Machine, id: BrowserKind): BrowserPlaces {
  if (!isChromium(id)) return { ...NONE, id, family: 'firefox', ...firefoxPlaces(machine, FIREFOX_ROWS[id]) };
  const row: BrowserRow = ROWS[id];
  const shared = row.alsoReads === undefined ? [row] : [row, ROWS[row.alsoReads]];
  const placesOn = { linux: linuxPlaces, darwin: darwinPlaces, win32: windowsPlaces }[machine.platform];
  return { ...NONE, id, family: 'chromium', name: row.name, ...placesOn(machine, row, shared) };
}

/** Places of every browser, in the order of {@link BROWSER_KINDS}. */
export function allBrowserPlaces(machine: Machine): readonly BrowserPlaces[] {
  return BROWSER_KINDS.map((id) => browserPlaces(machine, id));
}

const NONE = {
  sandboxSigns: [],
  manifestDirectories: [],
  registryKeys: [],
  systemDirectories: [],
  policyDirectory: null,
};

function linuxPlaces({ env, userHome }: Machine, { linux }: BrowserRow, shared: readonly BrowserRow[]) {
  const { join } = posix;
  // Chromium's own order (chrome/common/chrome_paths_linux.cc).
  const config = env['CHROME_CONFIG_HOME'] || env['XDG_CONFIG_HOME'] || join(userHome, '.config');
  const folders = new Set((env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')));
  const signs = (packaging: Sandbox, name: string | undefined, ...exports: readonly string[]) =>
    name === undefined ? [] : exports.map((folder) => ({ packaging, path: join(folder, name) }));
  return {
    userDataDirectory: join(config, linux.profile),
    executables: [
      ...[...folders].flatMap((folder) => linux.commands.map((command) => join(folder, command))),
      ...linux.executables,
    ],
    sandboxSigns: [
      ...signs(
        'flatpak',
        linux.flatpak,
        '/var/lib/flatpak/exports/bin',
        join(userHome, '.local/share/flatpak/exports/bin'),
      ),
      ...signs('snap', linux.snap, '/snap/bin', '/var/lib/snapd/snap/bin'),
    ],
    manifestDirectories: shared.map((each) => join(config, each.linux.profile, NATIVE_HOSTS)),
    // A browser that reads Chrome's manifests has no folder of its own for all users.
    systemDirectories: shared.slice(-1).map((each) => `${each.linux.etc}/native-messaging-hosts`),
    policyDirectory: `${linux.etc}/policies/managed`,
  };
}

function darwinPlaces({ userHome }: Machine, { darwin }: BrowserRow, shared: readonly BrowserRow[]) {
  const { join } = posix;
  const support = join(userHome, 'Library/Application Support');
  return {
    userDataDirectory: join(support, darwin.profile),
    executables: ['/Applications', join(userHome, 'Applications')].map((folder) =>
      join(folder, `${darwin.app}.app/Contents/MacOS/${darwin.app}`),
    ),
    manifestDirectories: shared.map((each) => join(support, each.darwin.profile, NATIVE_HOSTS)),
    systemDirectories: [...new Set(shared.map((each) => `${each.darwin.system}/${NATIVE_HOSTS}`))],
  };
}

function windowsPlaces(
  { env, userHome }: Machine,
  { win32: own }: BrowserRow,
  shared: readonly BrowserRow[],
) {
  const { join } = win32;
  const local = env['LOCALAPPDATA'] || join(userHome, 'AppData\\Local');
  const roots = [
    env['ProgramFiles'] || 'C:\\Program Files',
    env['ProgramFiles(x86)'] || 'C:\\Program Files (x86)',
    local,
  ];
  return {
    userDataDirectory: join(local, own.folder, 'User Data'),
    executables: roots.map((root) => join(root, own.folder, 'Application', own.program)),
    registryKeys: shared.map((each) => `HKCU\\SOFTWARE\\${each.win32.folder}\\${NATIVE_HOSTS}`),
  };
}

/** A package whose sandbox cannot start the user's programs, such as a native host. */
type Sandbox = 'snap' | 'flatpak';

/** One way in which a browser is installed. */
interface Installation {
  readonly path: string;
  readonly packaging: 'native' | Sandbox;
}

/** Whether a browser is on the machine, and in which form. */
export interface DetectedBrowser {
  readonly installations: readonly Installation[];
  /** A person has used it: its user data directory is not empty. */
  readonly hasProfile: boolean;
  /** `sandboxed`: installed, but only as snap or flatpak. */
  readonly state: 'found' | 'sandboxed' | 'absent';
  /** For the person with a snap or flatpak; null without one. */
  readonly advice: string | null;
}

/** Looks for the browser: executables at their known places and on the PATH, its data, snap and flatpak. */
export async function detectBrowser(place: MachineFiles, places: BrowserPlaces): Promise<DetectedBrowser> {
  const { machine, files } = place;
  const installations: Installation[] = [];
  for (const path of places.executables)
    if (await files.isExecutable(path)) {
      const packaging = machine.platform === 'linux' ? await packagingOf(files, path) : 'native';
      installations.push({ path, packaging });
    }
  for (const sign of places.sandboxSigns)
    if ((await files.mode(sign.path)) !== null && !installations.some((each) => each.path === sign.path))
      installations.push(sign);
  // Our own manifest folder does not count as use.
  const hasProfile = ((await files.list(places.userDataDirectory)) ?? []).some(
    (name) => name !== NATIVE_HOSTS,
  );
  const isNative = installations.some((each) => each.packaging === 'native');
  const isSandboxed = installations.length > 0 && !isNative;
  // A snap leaves an older package's data behind, so data only counts if there is no snap.
  const state = isSandboxed ? 'sandboxed' : isNative || hasProfile ? 'found' : 'absent';
  const sandboxed = installations.find((each) => each.packaging !== 'native');
  const advice =
    sandboxed === undefined
      ? null
      : `${places.name} is installed as a ${sandboxed.packaging}, whose sandbox cannot start a native messaging host. ` +
        `Install ${places.name} from its .deb, .rpm or distribution package, or use another browser.`;
  return { installations, hasProfile, state, advice };
}

/** Wrapper scripts are shorter. */
const WRAPPER_BYTES = 16_384;

/**
 * How an executable is packaged: by its path, by its link's target (`/snap/bin/chromium` links to the snap
 * command itself), or by the program that its wrapper script starts (Ubuntu's `/usr/bin/chromium-browser`
 * runs the snap).
 */
export async function packagingOf(files: Files, executable: string): Promise<Installation['packaging']> {
  const real = (await files.realPath(executable)) ?? executable;
  const isSmall = (await files.sizeBytes(real)) <= WRAPPER_BYTES;
  const text = (isSmall ? await files.read(real) : null)?.toString('latin1') ?? '';
  const script = text.startsWith('#!') ? text : '';
  if ([executable, real].some((path) => /^\/snap\/|^\/var\/lib\/snapd\/|\/bin\/snap$/.test(path)))
    return 'snap';
  if ([executable, real].some((path) => /\/flatpak\/|\/bin\/flatpak$/.test(path))) return 'flatpak';
  if (/\/snap\/bin\/|\bsnap\s+run\b/.test(script)) return 'snap';
  return /\bflatpak\s+run\b|\/flatpak\/exports\//.test(script) ? 'flatpak' : 'native';
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

/**
 * Looks up our extension in every profile of a browser. Browsers write these files with a delay, and Firefox none about
 * a temporary extension.
 */
export async function readProfiles(place: MachineFiles, places: BrowserPlaces): Promise<ProfileExtension[]> {
  const path = pathsOf(place.machine);
  const found: ProfileExtension[] = [];
  const names = (await place.files.list(places.userDataDirectory)) ?? [];
  for (const profile of names.filter((name) => name === 'Default' || name.startsWith('Profile '))) {
    const settingIn = async (file: string) => {
      const preferences = await readAs(
        place,
        path.join(places.userDataDirectory, profile, file),
        Preferences,
      );
      return preferences?.extensions.settings[EXTENSION_ID];
    };
    const setting = (await settingIn('Secure Preferences')) ?? (await settingIn('Preferences'));
    if (setting === undefined) continue;
    const { path: folder, disable_reasons: written = 0, state } = setting;
    const reasons = Array.isArray(written) ? written.reduce((all, one) => all | one, 0) : written;
    found.push({
      browser: places.name,
      profile,
      folder: folder !== undefined && path.isAbsolute(folder) ? folder : null,
      isEnabled: state !== 0 && reasons === 0,
      lacksDeveloperMode: (reasons & UNSUPPORTED_DEVELOPER_EXTENSION) !== 0,
    });
  }
  return found;
}
