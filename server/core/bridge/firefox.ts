import { posix, win32 } from 'node:path';
import type { Machine } from './machine.ts';

interface FirefoxRow {
  readonly name: string;
  /** `folder`: below the home, with manifests and profiles. `commands`: names on the PATH. `etc`: for all users. */
  readonly linux: {
    readonly folder: string;
    readonly profiles: string;
    readonly commands: readonly string[];
    readonly executables: readonly string[];
    readonly system: readonly string[];
    readonly flatpak: string;
    readonly snap?: string;
  };
  /** `folder` and `profiles`: below `~/Library/Application Support`. `apps`: below `/Applications`. */
  readonly darwin: { readonly folder: string; readonly profiles: string; readonly apps: readonly string[] };
  /** `profiles`: below `%APPDATA%`. `folders`: below the program folders. */
  readonly win32: {
    readonly profiles: string;
    readonly folders: readonly string[];
    readonly program: string;
  };
}

/**
 * Sources: developer.mozilla.org "Native manifests"; LibreWolf and Waterfox read folders of their own names. Firefox 147
 * and newer keep profiles below `~/.config/mozilla`, and still read manifests below `~/.mozilla` alone. On Windows, all of
 * them read Mozilla's key.
 */
export const FIREFOX_ROWS = {
  firefox: {
    name: 'Firefox',
    linux: {
      folder: '.mozilla',
      profiles: '.mozilla/firefox',
      commands: ['firefox', 'firefox-esr', 'firefox-developer-edition'],
      executables: ['/usr/lib/firefox/firefox', '/opt/firefox/firefox'],
      system: ['/usr/lib/mozilla', '/usr/lib64/mozilla', '/usr/share/mozilla'],
      flatpak: 'org.mozilla.firefox',
      snap: 'firefox',
    },
    darwin: { folder: 'Mozilla', profiles: 'Firefox', apps: ['Firefox', 'Firefox Developer Edition'] },
    win32: {
      profiles: 'Mozilla\\Firefox',
      folders: ['Mozilla Firefox', 'Firefox Developer Edition'],
      program: 'firefox.exe',
    },
  },
  librewolf: {
    name: 'LibreWolf',
    linux: {
      folder: '.librewolf',
      profiles: '.librewolf',
      commands: ['librewolf'],
      executables: ['/usr/share/librewolf/librewolf'],
      system: ['/usr/lib/librewolf'],
      flatpak: 'io.gitlab.librewolf-community',
    },
    darwin: { folder: 'LibreWolf', profiles: 'librewolf', apps: ['LibreWolf'] },
    win32: { profiles: 'librewolf', folders: ['LibreWolf'], program: 'librewolf.exe' },
  },
  waterfox: {
    name: 'Waterfox',
    linux: {
      folder: '.waterfox',
      profiles: '.waterfox',
      commands: ['waterfox'],
      executables: ['/opt/waterfox/waterfox'],
      system: ['/usr/lib/waterfox'],
      flatpak: 'net.waterfox.waterfox',
    },
    darwin: { folder: 'Waterfox', profiles: 'Waterfox', apps: ['Waterfox'] },
    win32: { profiles: 'Waterfox', folders: ['Waterfox'], program: 'waterfox.exe' },
  },
} as const satisfies Readonly<Record<string, FirefoxRow>>;

/** Mozilla's key, below which Firefox and its relatives look. */
const KEY = 'HKCU\\SOFTWARE\\Mozilla\\NativeMessagingHosts';

/** The places of Firefox, or of a relative. Pure. */
export function firefoxPlaces({ platform, env, userHome }: Machine, row: FirefoxRow) {
  const { name } = row;
  const { join } = posix;
  if (platform === 'linux') {
    const { linux } = row;
    const paths = new Set((env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')));
    return {
      name,
      userDataDirectory: join(userHome, linux.profiles),
      executables: [
        ...[...paths].flatMap((folder) => linux.commands.map((command) => join(folder, command))),
        ...linux.executables,
      ],
      sandboxSigns: [
        { packaging: 'flatpak' as const, path: join('/var/lib/flatpak/exports/bin', linux.flatpak) },
        ...(linux.snap === undefined
          ? []
          : [{ packaging: 'snap' as const, path: join('/snap/bin', linux.snap) }]),
      ],
      manifestDirectories: [join(userHome, linux.folder, 'native-messaging-hosts')],
      systemDirectories: linux.system.map((folder) => `${folder}/native-messaging-hosts`),
    };
  }
  if (platform === 'darwin') {
    const { folder, profiles, apps } = row.darwin;
    const support = join(userHome, 'Library/Application Support');
    return {
      name,
      userDataDirectory: join(support, profiles),
      executables: ['/Applications', join(userHome, 'Applications')].flatMap((place) =>
        apps.map((app) => join(place, `${app}.app/Contents/MacOS`, row.win32.program.replace('.exe', ''))),
      ),
      manifestDirectories: [join(support, folder, 'NativeMessagingHosts')],
      systemDirectories: [`/Library/Application Support/${folder}/NativeMessagingHosts`],
    };
  }
  const { profiles, folders, program } = row.win32;
  const roots = [
    env['ProgramFiles'] || 'C:\\Program Files',
    env['ProgramFiles(x86)'] || 'C:\\Program Files (x86)',
  ];
  return {
    name,
    userDataDirectory: win32.join(env['APPDATA'] || win32.join(userHome, 'AppData\\Roaming'), profiles),
    executables: roots.flatMap((root) => folders.map((each) => win32.join(root, each, program))),
    registryKeys: [KEY],
  };
}
