import { describe, expect, it } from 'vitest';
import { browserPlaces, type BrowserKind } from '../../../server/bridge/install/browsers.ts';
import { detectBrowser, type DetectedBrowser } from '../../../server/bridge/install/detect.ts';
import type { Machine } from '../../../server/bridge/install/machine.ts';
import { LINUX, MAC, MemoryFiles, WINDOWS } from './memory-files.ts';

const detect = (files: MemoryFiles, id: BrowserKind, machine: Machine = LINUX): Promise<DetectedBrowser> =>
  detectBrowser(machine, files, browserPlaces(machine, id));

describe('detectBrowser', () => {
  it('finds nothing on an empty machine', async () => {
    expect(await detect(new MemoryFiles(LINUX), 'chrome')).toEqual({
      installations: [],
      hasProfile: false,
      state: 'absent',
    });
  });

  it('finds an executable on the PATH, at its own place, on macOS and on Windows', async () => {
    const onPath = new MemoryFiles(LINUX).put('/usr/bin/chromium', '\x7fELF', 0o755);
    expect((await detect(onPath, 'chromium')).installations).toEqual([
      { path: '/usr/bin/chromium', packaging: 'native' },
    ]);
    const inOpt = new MemoryFiles(LINUX).put('/opt/google/chrome/chrome', '\x7fELF', 0o755);
    expect((await detect(inOpt, 'chrome')).state).toBe('found');
    const app = browserPlaces(MAC, 'vivaldi').executables[1] ?? '';
    expect((await detect(new MemoryFiles(MAC).put(app, 'x', 0o755), 'vivaldi', MAC)).state).toBe('found');
    const exe = browserPlaces(WINDOWS, 'brave').executables[2] ?? '';
    expect((await detect(new MemoryFiles(WINDOWS).put(exe, 'x', 0o755), 'brave', WINDOWS)).state).toBe(
      'found',
    );
  });

  it('finds a browser by its data, but not by our own manifest folder', async () => {
    const used = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/Local State');
    expect(await detect(used, 'vivaldi')).toMatchObject({ hasProfile: true, state: 'found' });
    const ours = new MemoryFiles(LINUX).put('/home/ada/.config/vivaldi/NativeMessagingHosts/x.json');
    expect(await detect(ours, 'vivaldi')).toMatchObject({ hasProfile: false, state: 'absent' });
  });

  const wrappers: [string, BrowserKind, 'snap' | 'flatpak', (files: MemoryFiles) => void][] = [
    [
      'a link to the snap command',
      'chromium',
      'snap',
      (files) => {
        files.put('/usr/bin/snap', '\x7fELF', 0o755).put('/snap/bin/chromium', '', 0o755);
        files.links.set('/snap/bin/chromium', '/usr/bin/snap');
      },
    ],
    [
      'a wrapper that starts a snap',
      'chromium',
      'snap',
      (files) => {
        files.put('/usr/bin/chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n', 0o755);
      },
    ],
    [
      'a link below /var/lib/snapd',
      'brave',
      'snap',
      (files) => {
        files.put('/var/lib/snapd/snap/bin/brave', '', 0o755);
      },
    ],
    [
      'a link into a snap',
      'chromium',
      'snap',
      (files) => {
        files.put('/snap/chromium/3000/bin/chromium', '\x7fELF', 0o755);
        files.links.set('/usr/bin/chromium', '/snap/chromium/3000/bin/chromium');
      },
    ],
    [
      'a wrapper that runs a flatpak',
      'chrome',
      'flatpak',
      (files) => {
        files.put('/usr/bin/google-chrome', '#!/bin/sh\nexec flatpak run com.google.Chrome "$@"\n', 0o755);
      },
    ],
    [
      'a flatpak of the machine',
      'edge',
      'flatpak',
      (files) => {
        files.put('/var/lib/flatpak/exports/bin/com.microsoft.Edge', '#!/bin/sh\n', 0o755);
      },
    ],
    [
      'a flatpak of the user',
      'vivaldi',
      'flatpak',
      (files) => {
        files.put('/home/ada/.local/share/flatpak/exports/bin/com.vivaldi.Vivaldi', '#!/bin/sh\n', 0o755);
      },
    ],
  ];

  it.each(wrappers)('sees through %s', async (_name, id, packaging, arrange) => {
    const files = new MemoryFiles(LINUX);
    arrange(files);
    // An older package's data must not make the sandboxed browser count as supported.
    files.put(`${browserPlaces(LINUX, id).userDataDirectory}/Local State`);
    const detected = await detect(files, id);
    expect(detected.state).toBe('sandboxed');
    expect(detected.installations.map((each) => each.packaging)).toEqual([packaging]);
  });

  it('takes a wrapper that starts neither for what it is, and prefers it to a snap next to it', async () => {
    const files = new MemoryFiles(LINUX)
      .put(
        '/usr/bin/chromium',
        '#!/bin/sh\n# a snapshot of flags\nexec /usr/lib/chromium/chromium "$@"\n',
        0o755,
      )
      .put('/snap/bin/chromium', '', 0o755);
    const detected = await detect(files, 'chromium');
    expect(detected.state).toBe('found');
    expect(detected.installations).toEqual([
      { path: '/usr/bin/chromium', packaging: 'native' },
      { path: '/snap/bin/chromium', packaging: 'snap' },
    ]);
  });
});
