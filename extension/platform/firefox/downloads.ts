import browser, { type Downloads } from 'webextension-polyfill';
import type * as chromium from '../chromium/downloads.ts';
import { listen } from './members.ts';
import { unsupportedInFirefox } from './unsupported.ts';

export { findSaved, onDownload } from '../chromium/downloads.ts';

/** Firefox reports a file when it has begun to save it. */
export const beforeSaving: typeof chromium.beforeSaving = (isUnwanted) =>
  listen(browser.downloads.onCreated, ({ id, url }: Downloads.DownloadItem) => {
    void isUnwanted(url).then((isIt) => (isIt ? discard(id) : undefined));
  });

async function discard(id: number): Promise<void> {
  const ignore = (): void => undefined;
  await browser.downloads.cancel(id).catch(ignore);
  // A small file is complete by then.
  await browser.downloads.removeFile(id).catch(ignore);
  await browser.downloads.erase({ id }).catch(ignore);
}

export const saveAsMhtml: typeof chromium.saveAsMhtml = () =>
  Promise.reject(unsupportedInFirefox('A page as MHTML'));
