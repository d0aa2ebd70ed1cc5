import { describe, expect, it } from 'vitest';
import { BROWSER_KINDS, type BrowserKind, browserPlaces } from '../../../server/bridge/install/browsers.ts';
import { LINUX, MAC, MemoryFiles, WINDOWS } from './memory-files.ts';
import { detectBrowser, type DetectedBrowser } from '../../../server/bridge/install/detect.ts';
import type { Machine } from '../../../server/bridge/install/machine.ts';

const HOSTS = 'NativeMessagingHosts';

describe('where manifests lie', () => {
  /** Below `.config`, below `Application Support`, and below the key of software. */
  const PLACES: Readonly<Record<BrowserKind, readonly [string, string, string]>> = {
    chrome: ['google-chrome', 'Google/Chrome', 'Google\\Chrome'],
    chromium: ['chromium', 'Chromium', 'Chromium'],
    edge: ['microsoft-edge', 'Microsoft Edge', 'Microsoft\\Edge'],
    brave: ['BraveSoftware/Brave-Browser', 'BraveSoftware/Brave-Browser', 'BraveSoftware\\Brave-Browser'],
    vivaldi: ['vivaldi', 'Vivaldi', 'Vivaldi'],
  };
  it.each(BROWSER_KINDS)('%s', (id) => {
    // These look where Chrome does, too.
    const kinds = ['brave', 'vivaldi'].includes(id) ? [PLACES[id], PLACES.chrome] : [PLACES[id]];
    expect(browserPlaces(LINUX, id).manifestDirectories).toEqual(
      kinds.map(([folder]) => `/home/ada/.config/${folder}/${HOSTS}`),
    );
    expect(browserPlaces(MAC, id).manifestDirectories).toEqual(
      kinds.map(([, folder]) => `/Users/ada/Library/Application Support/${folder}/${HOSTS}`),
    );
    expect(browserPlaces(WINDOWS, id).manifestDirectories).toEqual([]);
    expect(browserPlaces(LINUX, id).registryKeys).toEqual([]);
    expect(browserPlaces(WINDOWS, id).registryKeys).toEqual(
      kinds.map(([, , key]) => `HKCU\\SOFTWARE\\${key}\\${HOSTS}`),
    );
  });
});

it.each<[string, Machine, BrowserKind, string[]]>([
  ['macOS: for all users and for one', MAC, 'brave', ['/Applications', '/Users/ada/Applications']],
  [
    'Windows: in both program folders and the one of the user',
    WINDOWS,
    'edge',
    ['C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\Users\\Ada\\AppData\\Local'],
  ],
])('executables lie on %s', (_where, machine, id, folders) => {
  const [brave, edge] = [
    '/Brave Browser.app/Contents/MacOS/Brave Browser',
    '\\Microsoft\\Edge\\Application\\msedge.exe',
  ];
  const rest = id === 'brave' ? brave : edge;
  expect(browserPlaces(machine, id).executables).toEqual(folders.map((folder) => `${folder}${rest}`));
});

it('the data of a browser lie where a variable says', () => {
  const env = { XDG_CONFIG_HOME: '/cfg', CHROME_CONFIG_HOME: '/own' };
  expect(browserPlaces({ ...LINUX, env }, 'chromium').userDataDirectory).toBe('/own/chromium');
  expect(browserPlaces({ ...LINUX, env: { XDG_CONFIG_HOME: '/cfg' } }, 'chromium').userDataDirectory).toBe(
    '/cfg/chromium',
  );
});

const detect = (files: MemoryFiles, id: BrowserKind, machine: Machine = LINUX): Promise<DetectedBrowser> =>
  detectBrowser(machine, files, browserPlaces(machine, id));

describe('detectBrowser', () => {
  it.each<[string, Machine, BrowserKind, string]>([
    ['on the PATH', LINUX, 'chromium', '/usr/bin/chromium'],
    ['at its own place', LINUX, 'chrome', '/opt/google/chrome/chrome'],
    ['on macOS', MAC, 'vivaldi', browserPlaces(MAC, 'vivaldi').executables[1] ?? ''],
    ['on Windows', WINDOWS, 'brave', browserPlaces(WINDOWS, 'brave').executables[2] ?? ''],
  ])('finds an executable %s', async (_where, machine, id, path) => {
    const files = new MemoryFiles(machine).put(path, 'ELF', 0o755);
    expect(await detect(files, id, machine)).toMatchObject({
      state: 'found',
      installations: [{ path, packaging: 'native' }],
    });
  });

  it('finds a browser by its data, but not by our own manifest folder', async () => {
    const used = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/Local State');
    expect(await detect(used, 'vivaldi')).toMatchObject({ hasProfile: true, state: 'found' });
    const ours = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/NativeMessagingHosts/x.json');
    expect(await detect(ours, 'vivaldi')).toMatchObject({ hasProfile: false, state: 'absent' });
  });

  const SCRIPT = '#!/bin/sh\n';
  const FLATPAKS = '/home/ada/.local/share/flatpak/exports/bin';
  type Texts = Record<string, string>;
  it.each<[string, BrowserKind, 'snap' | 'flatpak', Texts, Texts?]>([
    [
      'a link to the snap command',
      'chromium',
      'snap',
      { '/usr/bin/snap': 'ELF', '/snap/bin/chromium': '' },
      { '/snap/bin/chromium': '/usr/bin/snap' },
    ],
    [
      'a wrapper of a snap',
      'chromium',
      'snap',
      { '/usr/bin/chromium-browser': `${SCRIPT}exec /snap/bin/chromium "$@"\n` },
    ],
    ['a link below /var/lib/snapd', 'brave', 'snap', { '/var/lib/snapd/snap/bin/brave': '' }],
    [
      'a link into a snap',
      'chromium',
      'snap',
      { '/snap/chromium/3000/bin/chromium': 'ELF' },
      { '/usr/bin/chromium': '/snap/chromium/3000/bin/chromium' },
    ],
    [
      'a wrapper of a flatpak',
      'chrome',
      'flatpak',
      { '/usr/bin/google-chrome': `${SCRIPT}exec flatpak run com.google.Chrome "$@"\n` },
    ],
    ['a flatpak', 'edge', 'flatpak', { '/var/lib/flatpak/exports/bin/com.microsoft.Edge': SCRIPT }],
    ['a flatpak of the user', 'vivaldi', 'flatpak', { [`${FLATPAKS}/com.vivaldi.Vivaldi`]: SCRIPT }],
  ])('sees through %s', async (_name, id, packaging, programs, links = {}) => {
    const files = new MemoryFiles(LINUX);
    for (const [path, text] of Object.entries(programs)) files.put(path, text, 0o755);
    for (const [path, target] of Object.entries(links)) files.links.set(path, target);
    // An older package's data must not make the sandboxed browser count as supported.
    files.put(`${browserPlaces(LINUX, id).userDataDirectory}/Local State`);
    const detected = await detect(files, id);
    expect(detected.state).toBe('sandboxed');
    expect(detected.installations.map((each) => each.packaging)).toEqual([packaging]);
  });

  it('takes a wrapper that starts neither for what it is, and prefers it to a snap next to it', async () => {
    const script = `${SCRIPT}# a snapshot of flags\nexec /usr/lib/chromium/chromium "$@"\n`;
    const files = new MemoryFiles(LINUX)
      .put('/usr/bin/chromium', script, 0o755)
      .put('/snap/bin/chromium', '', 0o755);
    expect(await detect(files, 'chromium')).toMatchObject({
      state: 'found',
      installations: [
        { path: '/usr/bin/chromium', packaging: 'native' },
        { path: '/snap/bin/chromium', packaging: 'snap' },
      ],
    });
  });
});
