import { describe, expect, it } from 'vitest';
import { BROWSER_KINDS, browserPlaces, type BrowserKind } from '../../../server/bridge/install/browsers.ts';
import { LINUX, MAC, WINDOWS } from './memory-files.ts';

const HOSTS = 'NativeMessagingHosts';

describe('where manifests lie', () => {
  const chromeLinux = `/home/ada/.config/google-chrome/${HOSTS}`;
  const chromeMac = `/Users/ada/Library/Application Support/Google/Chrome/${HOSTS}`;
  const chromeKey = `HKCU\\SOFTWARE\\Google\\Chrome\\${HOSTS}`;
  const expected: Record<BrowserKind, { linux: string[]; mac: string[]; windows: string[] }> = {
    chrome: { linux: [chromeLinux], mac: [chromeMac], windows: [chromeKey] },
    chromium: {
      linux: [`/home/ada/.config/chromium/${HOSTS}`],
      mac: [`/Users/ada/Library/Application Support/Chromium/${HOSTS}`],
      windows: [`HKCU\\SOFTWARE\\Chromium\\${HOSTS}`],
    },
    edge: {
      linux: [`/home/ada/.config/microsoft-edge/${HOSTS}`],
      mac: [`/Users/ada/Library/Application Support/Microsoft Edge/${HOSTS}`],
      windows: [`HKCU\\SOFTWARE\\Microsoft\\Edge\\${HOSTS}`],
    },
    brave: {
      linux: [`/home/ada/.config/BraveSoftware/Brave-Browser/${HOSTS}`, chromeLinux],
      mac: [`/Users/ada/Library/Application Support/BraveSoftware/Brave-Browser/${HOSTS}`, chromeMac],
      windows: [`HKCU\\SOFTWARE\\BraveSoftware\\Brave-Browser\\${HOSTS}`, chromeKey],
    },
    vivaldi: {
      linux: [`/home/ada/.config/vivaldi/${HOSTS}`, chromeLinux],
      mac: [`/Users/ada/Library/Application Support/Vivaldi/${HOSTS}`, chromeMac],
      windows: [`HKCU\\SOFTWARE\\Vivaldi\\${HOSTS}`, chromeKey],
    },
  };

  it.each(BROWSER_KINDS)('%s', (id) => {
    expect(browserPlaces(LINUX, id).manifestDirectories).toEqual(expected[id].linux);
    expect(browserPlaces(MAC, id).manifestDirectories).toEqual(expected[id].mac);
    expect(browserPlaces(WINDOWS, id).manifestDirectories).toEqual([]);
    expect(browserPlaces(LINUX, id).registryKeys).toEqual([]);
    expect(browserPlaces(WINDOWS, id).registryKeys).toEqual(expected[id].windows);
  });

  it('follows the variables that move the configuration directory, in the order of Chromium', () => {
    const directoryWith = (env: Record<string, string>): string =>
      browserPlaces({ ...LINUX, env }, 'chromium').userDataDirectory;
    expect(directoryWith({ XDG_CONFIG_HOME: '/cfg' })).toBe('/cfg/chromium');
    expect(directoryWith({ XDG_CONFIG_HOME: '/cfg', CHROME_CONFIG_HOME: '/own' })).toBe('/own/chromium');
    expect(directoryWith({ XDG_CONFIG_HOME: '' })).toBe('/home/ada/.config/chromium');
  });
});

describe('where executables lie', () => {
  it('macOS: for all users and for one', () => {
    expect(browserPlaces(MAC, 'brave').executables).toEqual([
      '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
      '/Users/ada/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
    ]);
  });

  it('Windows: both program folders and the per-user one', () => {
    expect(browserPlaces(WINDOWS, 'edge').executables).toEqual([
      'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
      'C:\\Users\\Ada\\AppData\\Local\\Microsoft\\Edge\\Application\\msedge.exe',
    ]);
  });
});
