import { describe, expect, it } from 'vitest';
import { BROWSER_KINDS, browserPlaces, type BrowserKind } from '../../../server/bridge/install/browsers.ts';
import { LINUX, MAC, WINDOWS } from './memory-files.ts';

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
