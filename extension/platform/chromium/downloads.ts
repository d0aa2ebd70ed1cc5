import * as z from 'zod/mini';
import type { Download } from '../../../shared/core/downloads.ts';
import { hear } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { listen } from './members.ts';

/**
 * Asks about each file before the browser saves it, until the returned function is called.
 * @param isUnwanted receives the file's address, after redirects; such a file is not saved, and leaves no
 *   trace in the list of downloads. It does not reject.
 */
export function beforeSaving(isUnwanted: (url: string) => Promise<boolean>): () => void {
  const { downloads } = chrome;
  const take = (
    { id, finalUrl }: chrome.downloads.DownloadItem,
    suggest: (suggestion?: chrome.downloads.FilenameSuggestion) => void,
  ): true => {
    void isUnwanted(finalUrl).then((isIt) => {
      // Sequentially: when it is cancelled, the file has no name yet.
      if (isIt)
        void downloads.cancel(id).then(
          () => downloads.erase({ id }),
          () => undefined,
        );
      suggest();
    });
    return true;
  };
  return listen(downloads.onDeterminingFilename, take);
}
/** The page of a tab as an MHTML file; undefined if the browser has none. */
export const saveAsMhtml = (tabId: number): Promise<Blob | undefined> =>
  chrome.pageCapture.saveAsMHTML({ tabId });

/** A download is listed before its tab reports it, or soon after. */
const NEAR_MS = 10_000;

/**
 * The entry of a download in the browser's list; null if it is no longer there.
 * @param taken entries of others, which may have the same address
 */
export async function findSaved(
  isIts: (url: string) => boolean,
  startedAtMs: number,
  taken: ReadonlySet<number>,
): Promise<chrome.downloads.DownloadItem | null> {
  const at = (ms: number): string => new Date(ms).toISOString();
  const near = await chrome.downloads.search({
    startedAfter: at(startedAtMs - NEAR_MS),
    startedBefore: at(startedAtMs + NEAR_MS),
  });
  const far = ({ startTime }: chrome.downloads.DownloadItem): number =>
    Math.abs(Date.parse(startTime) - startedAtMs);
  return (
    near
      .filter(({ id, url, finalUrl }) => !taken.has(id) && (isIts(url) || isIts(finalUrl ?? '')))
      .toSorted((one, other) => far(one) - far(other))[0] ?? null
  );
}

const Began = z.object({ guid: z.string(), url: z.string(), suggestedFilename: z.string() });
const Progress = z.object({
  guid: z.string(),
  totalBytes: z.number(),
  receivedBytes: z.number(),
  state: z.enum(['inProgress', 'completed', 'canceled']),
});
const STATES = { inProgress: 'in_progress', completed: 'completed', canceled: 'interrupted' } as const;

interface DownloadListener {
  onBegun(id: string, download: Download): void;
  onChanged(id: string, change: Omit<Download, 'name' | 'url'>): void;
}

/** Reports downloads of a tab until the lease is released. The Page domain of the tab has to be enabled. */
export function onDownload(lease: DebuggerLease, listener: DownloadListener): void {
  hear(lease, 'Page.downloadWillBegin', Began, ({ guid, url, suggestedFilename: name }) =>
    listener.onBegun(guid, { name, url, state: 'in_progress', received_bytes: 0, total_bytes: null }),
  );
  hear(lease, 'Page.downloadProgress', Progress, ({ guid, state, receivedBytes, totalBytes }) => {
    const total = totalBytes > 0 || state === 'completed' ? totalBytes : null;
    listener.onChanged(guid, { state: STATES[state], received_bytes: receivedBytes, total_bytes: total });
  });
}

/** Reports downloads of all tabs, at first and when they change; null where only the debugger reports them. */
export const onAnyDownload:
  | ((listener: (tabId: number, id: string, download: Download) => void) => void)
  | null = null;
