import { expect, it } from 'vitest';
import {
  type BrowserKind,
  browserPlaces,
  detectBrowser,
  type DetectedBrowser,
} from '../../../server/core/bridge/browsers.ts';
import { LINUX, MAC, MemoryFiles, WINDOWS } from './memory-files.ts';
import type { Machine } from '../../../server/core/bridge/machine.ts';

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

const detect = (files: MemoryFiles, id: BrowserKind, machine: Machine = LINUX): Promise<DetectedBrowser> =>
  detectBrowser({ machine, files }, browserPlaces(machine, id));

it.each<[string, Machine, BrowserKind, string]>([
  ['on the PATH', LINUX, 'chromium', '/usr/bin/chromium'],
  ['at its own place', LINUX, 'chrome', '/opt/google/chrome/chrome'],
  ['on macOS', MAC, 'vivaldi', browserPlaces(MAC, 'vivaldi').executables[1] ?? ''],
  ['on Windows', WINDOWS, 'brave', browserPlaces(WINDOWS, 'brave').executables[2] ?? ''],
])('detectBrowser finds an executable %s', async (_where, machine, id, path) => {
  expect(await detect(new MemoryFiles(machine).put(path, 'ELF', 0o755), id, machine)).toMatchObject({
    state: 'found',
    installations: [{ path, packaging: 'native' }],
  });
});

it('detectBrowser finds a browser by its data, but not by our own manifest folder', async () => {
  const used = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/Local State');
  expect(await detect(used, 'vivaldi')).toMatchObject({ hasProfile: true, state: 'found' });
  const ours = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/NativeMessagingHosts/x.json');
  expect(await detect(ours, 'vivaldi')).toMatchObject({ hasProfile: false, state: 'absent' });
});
