import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { browserPlaces, packagingOf, type BrowserKind } from './browsers.ts';
import { currentMachine, nodeFiles } from './machine.ts';

/** The result of a search: the browser, and why others were rejected. */
export interface BrowserSearch {
  readonly found: { readonly path: string } | null;
  readonly passedOver: readonly { readonly path: string; readonly reason: string }[];
}

interface ChromiumSearchOptions {
  /** The only executable to try. */
  readonly browserPath?: string | null | undefined;
}

/**
 * The suggestions below the address bar. Each is a page that every window preloads: a third of the CPU time
 * of a start, for a bar that nobody sees in a headless browser.
 */
export const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'] as const;

/** Since this version branded Chrome ignores `--load-extension`. */
const CHROME_WITHOUT_LOAD_EXTENSION = 137;
const VERSION_TIMEOUT_MS = 5_000;

/** An agent may start the server with a bare PATH. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/snap/bin'];
const MAC_TESTING = '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing';
/** Within one revision's folder of Playwright's cache, old and new layouts. */
const PLAYWRIGHT_EXECUTABLES = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
];

/** The executable that a private launch uses, or null. */
export async function findChromium(): Promise<string | null> {
  return (await searchChromium()).found?.path ?? null;
}

/**
 * Looks for a browser, on Linux and macOS, that can load our extension and start its native host: the named
 * one, the one in a variable, else Chromium, that of Playwright, Edge, old Chrome.
 */
export async function searchChromium({ browserPath }: ChromiumSearchOptions = {}): Promise<BrowserSearch> {
  const named = browserPath || process.env['SPILLWAY_CHROMIUM'] || process.env['CHROME_PATH'];
  return searchPlaces(named ? resolve(named) : null, knownPlaces);
}

/** The first browser of these places that can be used: a named one, or known ones. */
export async function searchPlaces(
  named: string | null,
  known: () => readonly string[] | Promise<readonly string[]>,
): Promise<BrowserSearch> {
  const passedOver: { path: string; reason: string }[] = [];
  for (const path of named === null ? new Set(await known()) : [named]) {
    const isExecutable = await nodeFiles.isExecutable(path);
    if (!isExecutable && named === null) continue;
    const reason = isExecutable ? await objection(path) : 'It is not an executable file.';
    if (reason === null) return { found: { path }, passedOver };
    passedOver.push({ path, reason });
  }
  return { found: null, passedOver };
}

/** Why a browser cannot be used for a private launch, or null. */
async function objection(path: string): Promise<string | null> {
  const packaging = await packagingOf(nodeFiles, path);
  if (packaging !== 'native')
    return `It is a ${packaging} package, whose sandbox cannot start a native host; install another.`;
  const isChrome =
    /google[ -]chrome(?! for testing)/i.test(basename(path)) || path.endsWith('/google/chrome/chrome');
  if (!isChrome) return null;
  const version = await majorVersion(path);
  if (version !== null && version < CHROME_WITHOUT_LOAD_EXTENSION) return null;
  return `Google Chrome ${CHROME_WITHOUT_LOAD_EXTENSION} and later ignores --load-extension; use Chromium or Chrome for Testing.`;
}

/** Best first. We test the extension with Chromium proper. */
async function knownPlaces(): Promise<string[]> {
  const { env, userHome } = currentMachine();
  const PATH = [env['PATH'], ...USUAL_FOLDERS].join(':');
  const places = (id: BrowserKind): readonly string[] =>
    (['darwin', 'linux'] as const).flatMap(
      (platform) => browserPlaces({ platform, userHome, env: { ...env, PATH } }, id).executables,
    );
  const testing = [MAC_TESTING, ...(await playwrightBrowsers())];
  return [...places('chromium'), ...testing, ...places('edge'), ...places('chrome')];
}

async function playwrightBrowsers(): Promise<string[]> {
  const { env } = process;
  const isMac = process.platform === 'darwin';
  const cache = isMac
    ? join(homedir(), 'Library/Caches')
    : env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const base = env['PLAYWRIGHT_BROWSERS_PATH'] || join(cache, 'ms-playwright');
  const revisions = ((await nodeFiles.list(base)) ?? [])
    .flatMap((name) => /^chromium-(\d+)$/.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(b) - Number(a));
  return revisions.flatMap((revision) =>
    PLAYWRIGHT_EXECUTABLES.map((executable) => join(base, `chromium-${revision}`, executable)),
  );
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
