import { resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { bundle } from '../../../scripts/lib/bundle.mjs';
import { QUIET_PLAYWRIGHT } from '../../../scripts/lib/chromium-switches.ts';
import { executable } from '../browser.ts';
import { LAB } from './lab-name.ts';

export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A blank page in a plain browser, with a bundle of test functions in it. */
export interface Lab<F extends Functions> {
  readonly page: Page;
  /** Calls one of the bundle's functions in the page. */
  call<N extends keyof F & string>(name: N, ...args: Parameters<F[N]>): Promise<Awaited<ReturnType<F[N]>>>;
}

/** The bundle of most labs: what reads pages. */
export const PAGE_BUNDLE = resolve(import.meta.dirname, 'page-bundle.ts');

const start = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await executable(), args: [...QUIET_PLAYWRIGHT] });

/** All labs of a process share a browser, which ends with it, and the bundles. */
const KEY = Symbol.for('spillway.labs');
const world = globalThis as typeof globalThis & {
  [KEY]?: { readonly browser: Promise<Browser>; readonly scripts: Map<string, Promise<string>> };
};

/**
 * Opens a separate page for a lab, in an old encoding, without extension and server.
 * @param entry the module to bundle; it exposes its functions as {@link LAB}
 */
export async function startLab<F extends Functions>(entry: string): Promise<Lab<F>> {
  const { browser, scripts } = (world[KEY] ??= { browser: start(), scripts: new Map() });
  const script = scripts.get(entry) ?? bundle(entry);
  scripts.set(entry, script);
  const page = await (await browser).newPage({ viewport: { width: 800, height: 600 } });
  await page.route(
    () => true,
    (route) =>
      route.fulfill({ contentType: 'text/html; charset=windows-1252', body: '<!doctype html><body>' }),
  );
  await page.goto('http://page.test/');
  await page.addScriptTag({ content: await script });
  const call: Lab<F>['call'] = (name, ...args) => {
    const request: { lab: string; name: string; args: readonly unknown[] } = { lab: LAB, name, args };
    return page.evaluate((asked) => {
      const functions: unknown = Reflect.get(globalThis, asked.lab);
      if (typeof functions !== 'object' || functions === null) throw new Error('The bundle has not run.');
      return Reflect.get(functions, asked.name)(...asked.args);
    }, request);
  };
  return { page, call };
}
