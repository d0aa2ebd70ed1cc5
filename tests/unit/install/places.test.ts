import { describe, expect, it } from 'vitest';
import { type BrowserKind, browserPlaces } from '../../../server/bridge/install/browsers.ts';
import { LINUX, MAC, MemoryFiles, WINDOWS } from './memory-files.ts';
import { detectBrowser, type DetectedBrowser } from '../../../server/bridge/install/detect.ts';
import type { Machine } from '../../../server/bridge/install/machine.ts';

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
    [
      'a wrapper of a flatpak',
      'chrome',
      'flatpak',
      { '/usr/bin/google-chrome': `${SCRIPT}exec flatpak run com.google.Chrome "$@"\n` },
    ],
    ['a flatpak', 'edge', 'flatpak', { '/var/lib/flatpak/exports/bin/com.microsoft.Edge': SCRIPT }],
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
});
