import { onTestFinished, vi } from 'vitest';

/** Replaces `webextension-polyfill` in project `fast` by the `chrome` that a test has installed. */
const browser: object = new Proxy(
  {},
  { get: (_target, name) => Reflect.get(Reflect.get(globalThis, 'chrome') ?? {}, name) },
);
export default browser;

/** Gives the extension as much of a browser as a test needs, until the test has finished. */
export function installBrowser(api: object): void {
  vi.stubGlobal('chrome', api);
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** A browser storage area with the contents of `kept`. */
export function storageOf(kept: Record<string, unknown>) {
  return {
    get: (key?: string | null) =>
      Promise.resolve(structuredClone(typeof key === 'string' ? { [key]: kept[key] } : kept)),
    set: (values: object) => Promise.resolve(void Object.assign(kept, structuredClone(values))),
    remove: (key: string) => Promise.resolve(void Reflect.deleteProperty(kept, key)),
  };
}

/** A cookie as the debugger reports it. */
export const COOKIE = {
  ...{ name: 'c', value: '1', domain: 'a.test', path: '/', expires: -1 },
  ...{ size: 2, httpOnly: true, secure: true, session: true },
};
