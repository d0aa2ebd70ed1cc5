import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Where Firefox on Linux looks for native hosts, below the home of its environment. */
export const MANIFESTS_BELOW_HOME = '.mozilla/native-messaging-hosts';

/**
 * Runs a program that ends, with all its processes, when the other end of pipe 3 is closed, also by `kill -9` of this
 * process: Firefox watches no pipe.
 */
const WATCHED = '(cat >/dev/null; kill -9 -$$) <&3 & exec "$@" 3<&- 4>&-';

const PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  // Nobody chooses files there.
  'remote.bidi.dismiss_file_pickers.enabled': true,
  'datareporting.policy.dataSubmissionEnabled': false,
  'termsofuse.bypassNotification': true,
};

/** Firefox reads these at its start. @param more of the caller */
export function writePreferences(profile: string, more: Readonly<Record<string, unknown>> = {}): void {
  const lines = Object.entries({ ...PREFERENCES, ...more }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
}

interface FirefoxStart {
  readonly executable: string;
  /** Its home: its profile and the manifest of its native host are below. */
  readonly folder: string;
  readonly profile: string;
  readonly headless: boolean;
  readonly windowSize: string;
  readonly args?: readonly string[] | undefined;
}

/**
 * The command of a Firefox with a profile of its own, which listens for WebDriver BiDi on loopback, and its environment.
 * Start it in a process group of its own, with a pipe as file 3.
 */
export function firefoxCommand({ executable, folder, profile, ...how }: FirefoxStart) {
  const [width = '', height = ''] = how.windowSize.split('x');
  const switches = [
    ...(how.headless ? ['--headless'] : []),
    ...['--no-remote', '--profile', profile, '--width', width, '--height', height],
    '--remote-debugging-port=0',
    ...(how.args ?? []),
  ];
  return {
    command: ['/bin/sh', '-c', WATCHED, 'firefox', executable, ...switches, 'about:blank'],
    env: {
      HOME: folder,
      XAUTHORITY: process.env['XAUTHORITY'] || join(homedir(), '.Xauthority'),
      MOZ_HEADLESS_WIDTH: width,
      MOZ_HEADLESS_HEIGHT: height,
    },
  };
}

const Listening = z.object({ ws_host: z.string(), ws_port: z.int() });

/** The address that a starting Firefox listens at for WebDriver BiDi, once it does. */
export function bidiAddress(profile: string): string | null {
  try {
    const text = readFileSync(join(profile, 'WebDriverBiDiServer.json'), 'utf8');
    const { ws_host: host, ws_port: port } = Listening.parse(JSON.parse(text));
    return `ws://${host}:${port}`;
  } catch {
    // It has not written it yet, or not to its end.
    return null;
  }
}
