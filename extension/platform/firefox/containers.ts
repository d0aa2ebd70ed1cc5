import browser from 'webextension-polyfill';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type * as chromium from '../chromium/containers.ts';

const NAME_UNITS = 100;
/** The look of a container that an agent has named. */
const LOOK = { color: 'turquoise', icon: 'circle' } as const;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const openContainer: typeof chromium.openContainer = async (name, ask) => {
  const all = await browser.contextualIdentities.query({}).catch(() => {
    throw new SpillwayError('unsupported_in_firefox', 'container: containers are off in this Firefox.', {
      hint: 'Ask the person to switch on container tabs in the settings of Firefox, or open the tab without container.',
    });
  });
  await ask();
  const found = all.find((one) => isSame(one.name, name));
  const { cookieStoreId } = found ?? (await browser.contextualIdentities.create({ name, ...LOOK }));
  return { cookieStoreId };
};

export const containerOf: typeof chromium.containerOf = async ({ cookieStoreId }) => {
  // Tabs in no container, and private ones, have a store of another name.
  if (cookieStoreId === undefined || !cookieStoreId.startsWith('firefox-container-')) return undefined;
  const found = await browser.contextualIdentities.get(cookieStoreId).catch(() => null);
  return found === null ? undefined : cut(found.name, NAME_UNITS).toWellFormed();
};
