import type { Tabs } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';

/*
 * Containers of Firefox: the tabs of each have cookies and storage of their own, so that a person is signed in to a site
 * once in each.
 */

/**
 * Resolves a container by its name, for a new tab: makes it if no container has that name.
 * @param ask rejects unless the person allows it
 * @throws SpillwayError `unsupported_in_chromium`, before the person is asked
 */
export const openContainer = (
  _name: string,
  _ask: () => Promise<unknown>,
): Promise<Pick<Tabs.CreateCreatePropertiesType, 'cookieStoreId'>> =>
  Promise.reject(
    new SpillwayError('unsupported_in_chromium', 'container: only Firefox has containers of tabs.'),
  );

/** The name of the container of a tab; undefined for a tab in none. */
export const containerOf = (_tab: Tabs.Tab): Promise<string | undefined> => Promise.resolve(undefined);
