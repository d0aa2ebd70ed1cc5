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
      .filter(({ id, url, finalUrl }) => !taken.has(id) && (isIts(url) || isIts(finalUrl)))
      .toSorted((one, other) => far(one) - far(other))[0] ?? null
  );
}
