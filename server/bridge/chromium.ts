import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { listDirectory } from './registrations.ts';

/** A package whose sandbox cannot start the user's programs, such as a native host. */
export type Sandbox = 'snap' | 'flatpak';

export const WRAPPER_BYTES = 16_384;

/** By the path, or by its link's target: `/snap/bin/chromium` links to the snap command itself. */
export function sandboxOfPath(path: string): Sandbox | null {
  if (/^\/snap\/|^\/var\/lib\/snapd\/|\/bin\/snap$/.test(path)) return 'snap';
  return path.includes('/flatpak/') || path.endsWith('/bin/flatpak') ? 'flatpak' : null;
}

/** By the program that a wrapper script starts: Ubuntu's `/usr/bin/chromium-browser` runs the snap. */
export function sandboxOfScript(text: string): Sandbox | null {
  if (!text.startsWith('#!')) return null;
  if (/\/snap\/bin\/|\bsnap\s+run\b/.test(text)) return 'snap';
  return /\bflatpak\s+run\b|\/flatpak\/exports\//.test(text) ? 'flatpak' : null;
}

type ChromiumKind = 'chromium' | 'chrome-for-testing' | 'edge' | 'chrome' | 'unknown';

/** The result of a search: the browser, and why others were rejected. */
export interface ChromiumSearch {
  readonly found: { readonly path: string; readonly kind: ChromiumKind } | null;
  readonly passedOver: readonly { readonly path: string; readonly reason: string }[];
}

interface ChromiumSearchOptions {
  /** The only executable to try. */
  readonly browserPath?: string | null | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The suggestions below the address bar. Each is a page that every window preloads: a third of the CPU time
 * of a start, for a bar that nobody sees in a headless browser.
 */
export const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'] as const;

/** Either names an executable outright, in this order. */
const PATH_VARIABLES = ['SPILLWAY_CHROMIUM', 'CHROME_PATH'] as const;
/** Since this version branded Chrome ignores `--load-extension`. */
const CHROME_WITHOUT_LOAD_EXTENSION = 137;
const VERSION_TIMEOUT_MS = 5_000;

const COMMANDS = ['chromium', 'chromium-browser', 'microsoft-edge', 'microsoft-edge-stable', 'google-chrome'];
const MAC_APPS = ['Chromium', 'Google Chrome for Testing', 'Microsoft Edge', 'Google Chrome'];
/** Within one revision's folder of Playwright's cache, old and new layouts. */
const PLAYWRIGHT_EXECUTABLES = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
];

/** The executable that a private launch uses, or null. */
export async function findChromium(options: ChromiumSearchOptions = {}): Promise<string | null> {
  return (await searchChromium(options)).found?.path ?? null;
}

/**
 * Looks for a browser, on Linux and macOS, that can load our extension and start its native host: the named
 * one, the one in the variables, else Chromium, Chrome for Testing, Edge, old Chrome; system installations
 * before Playwright's.
 */
export async function searchChromium(options: ChromiumSearchOptions = {}): Promise<ChromiumSearch> {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const named = options.browserPath ?? PATH_VARIABLES.map((name) => env[name]).find(Boolean);
  const passedOver: { path: string; reason: string }[] = [];
  const candidates = named ? [resolve(named)] : [...knownPlaces(env, platform)].filter(isExecutable);
  for (const path of byPreference(candidates)) {
    const kind = kindOf(path);
    const reason = isExecutable(path) ? await objection(path, kind) : 'It is not an executable file.';
    if (reason === null) return { found: { path, kind }, passedOver };
    passedOver.push({ path, reason });
  }
  return { found: null, passedOver };
}

/** Why a browser cannot be used for a private launch, or null. */
async function objection(path: string, kind: ChromiumKind): Promise<string | null> {
  const sandbox = sandboxOf(path);
  if (sandbox !== null)
    return `It is a ${sandbox} package, whose sandbox cannot start a native host; install another Chromium.`;
  if (kind !== 'chrome') return null;
  const version = await majorVersion(path);
  if (version !== null && version < CHROME_WITHOUT_LOAD_EXTENSION) return null;
  return `Google Chrome ${CHROME_WITHOUT_LOAD_EXTENSION} and later ignores --load-extension; use Chromium or Chrome for Testing.`;
}

function* knownPlaces(
  env: NonNullable<ChromiumSearchOptions['env']>,
  platform: NodeJS.Platform,
): Generator<string> {
  const home = homedir();
  if (platform === 'darwin')
    for (const base of ['/Applications', join(home, 'Applications')])
      for (const app of MAC_APPS) yield join(base, `${app}.app`, 'Contents', 'MacOS', app);
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  // An agent may start the server with a bare PATH.
  folders.push('/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/snap/bin');
  for (const folder of new Set(folders)) for (const command of COMMANDS) yield join(folder, command);
  yield* playwrightBrowsers(env, platform);
}

function* playwrightBrowsers(
  env: NonNullable<ChromiumSearchOptions['env']>,
  platform: NodeJS.Platform,
): Generator<string> {
  const home = homedir();
  const cache =
    platform === 'darwin' ? join(home, 'Library', 'Caches') : (env['XDG_CACHE_HOME'] ?? join(home, '.cache'));
  const base = env['PLAYWRIGHT_BROWSERS_PATH'] || join(cache, 'ms-playwright');
  const revisions = listDirectory(base)
    .flatMap((name) => /^chromium-(\d+)$/.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(b) - Number(a));
  for (const revision of revisions)
    for (const executable of PLAYWRIGHT_EXECUTABLES) yield join(base, `chromium-${revision}`, executable);
}

/** Chromium proper first, because we test the extension with it. Otherwise in the order found. */
function byPreference(paths: readonly string[]): string[] {
  const rank: Record<ChromiumKind, number> = {
    chromium: 0,
    'chrome-for-testing': 0,
    unknown: 0,
    edge: 1,
    chrome: 2,
  };
  return [...new Set(paths)].sort((a, b) => rank[kindOf(a)] - rank[kindOf(b)]);
}

/** By the file's name; if that is only `chrome`, by the vendor's folders. */
function kindOf(path: string): ChromiumKind {
  const [name = '', ...folders] = path.split(/[\\/]/).reverse();
  if (/chromium/i.test(name)) return 'chromium';
  if (/for testing/i.test(name)) return 'chrome-for-testing';
  if (/edge/i.test(name)) return 'edge';
  if (/google[ -]chrome/i.test(name)) return 'chrome';
  const near = folders.slice(0, 3).reverse().join('/');
  if (/Google\/Chrome\/Application$/i.test(near)) return 'chrome';
  if (/Chromium\/Application$/i.test(near)) return 'chromium';
  return /chrome-(linux|win|mac)[^/]*$/.test(near) ? 'chrome-for-testing' : 'unknown';
}

function sandboxOf(path: string): Sandbox | null {
  const real = realPath(path);
  return sandboxOfPath(path) ?? sandboxOfPath(real) ?? sandboxOfScript(readScript(real));
}

function readScript(path: string): string {
  try {
    return statSync(path).size > WRAPPER_BYTES ? '' : readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

async function majorVersion(path: string): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const major = /(\d+)\.\d+/.exec(stdout)?.[1];
    return major === undefined ? null : Number(major);
  } catch {
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
