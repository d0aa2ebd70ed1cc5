import { basename, resolve } from 'node:path';
import { browserPlaces } from './browsers.ts';
import { searchChromium, searchPlaces, type BrowserSearch } from './chromium.ts';
import { FIREFOX_ROWS } from './firefox.ts';
import type { BrowserFamily } from './launcher.ts';
import { currentMachine } from './machine.ts';

const BY_NAME = new RegExp(`^(?:${Object.keys(FIREFOX_ROWS).join('|')})\\b`, 'i');

/** The browser that `--browser` names. */
export interface NamedBrowser {
  readonly family: BrowserFamily;
  /** Its executable; null to search the machine. */
  readonly path: string | null;
}

/** Reads `firefox`, `firefox:PATH`, or the path of a browser, which is a Firefox by its name. */
export function readBrowser(text: string | null | undefined): NamedBrowser {
  if (!text) return { family: 'chromium', path: null };
  const [, path = null] = /^firefox(?::(.+))?$/s.exec(text) ?? [null, text];
  const isFirefox = path !== text || BY_NAME.test(basename(path));
  return { family: isFirefox ? 'firefox' : 'chromium', path: path === null ? null : resolve(path) };
}

/** The browser that a private launch uses: the named one, else one of its family on this machine. */
export async function searchBrowser({ family, path }: NamedBrowser): Promise<BrowserSearch> {
  if (family === 'chromium') return searchChromium({ browserPath: path });
  const named = path ?? process.env['SPILLWAY_FIREFOX'];
  return searchPlaces(
    named ? resolve(named) : null,
    () => browserPlaces(currentMachine(), 'firefox').executables,
  );
}
