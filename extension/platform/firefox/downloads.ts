import browser, { type Downloads } from 'webextension-polyfill';
import type * as chromium from '../chromium/downloads.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { isSameUrl } from '../../core/navigation/browser-events.ts';
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

const MAX_FOLLOWED = 100;
const STATES = { in_progress: 'in_progress', complete: 'completed', interrupted: 'interrupted' } as const;

function factsOf({ state = 'in_progress', bytesReceived, totalBytes }: Downloads.DownloadItem) {
  const received = state === 'in_progress' && bytesReceived <= 0 ? null : bytesReceived;
  return {
    state: STATES[state],
    received_bytes: received,
    total_bytes: totalBytes < 0 ? null : totalBytes,
  };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');

/**
 * The tab with the document that asked for a download, or with the origin that made the file in the page; null if
 * several tabs have it, or none.
 */
async function tabOf({ url: address, referrer = '' }: Downloads.DownloadItem): Promise<number | null> {
  const origin = address.startsWith('blob:') ? originOf(address) : 'null';
  const asked = (url: string): boolean =>
    referrer === '' ? origin !== 'null' && originOf(url) === origin : isSameUrl(url, referrer);
  const tabs = await browser.tabs.query({});
  const showing = await Promise.all(
    tabs.map(async ({ id = -1 }) => {
      const frames = (await browser.webNavigation.getAllFrames({ tabId: id }).catch(() => null)) ?? [];
      return frames.some(({ url }) => asked(url)) ? [id] : [];
    }),
  );
  const [one = null, ...others] = showing.flat();
  return others.length === 0 ? one : null;
}

export const onAnyDownload: typeof chromium.onAnyDownload = (listener) => {
  const { downloads } = browser;
  const tabs = new BoundedMap<number, Promise<number | null>>(MAX_FOLLOWED);
  const report = async (item: Downloads.DownloadItem): Promise<void> => {
    const tabId = await tabs.get(item.id);
    const name = item.filename.split(/[/\\]/).at(-1) ?? '';
    if (tabId != null) listener(tabId, String(item.id), { name, url: item.url, ...factsOf(item) });
  };
  downloads.onCreated.addListener((item) => {
    tabs.set(item.id, tabOf(item));
    void report(item);
  });
  downloads.onChanged.addListener(({ id }) => {
    if (tabs.has(id)) void downloads.search({ id }).then(([item]) => item && report(item));
  });
};
