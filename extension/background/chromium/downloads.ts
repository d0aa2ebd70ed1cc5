/**
 * Asks about each file before the browser saves it, until the returned function is called.
 *
 * @param isUnwanted receives the file's address, after redirects; such a file is not saved, and leaves no trace in the list of
 * downloads
 */
export function beforeSaving(isUnwanted: (url: string) => boolean): () => void {
  const { downloads } = chrome;
  const take = (
    { id, finalUrl }: chrome.downloads.DownloadItem,
    suggest: (suggestion?: chrome.downloads.FilenameSuggestion) => void,
  ): void => {
    // One command after the other: the file has no name yet when it is cancelled.
    if (isUnwanted(finalUrl))
      void downloads.cancel(id).then(
        () => downloads.erase({ id }),
        () => undefined,
      );
    suggest();
  };
  downloads.onDeterminingFilename.addListener(take);
  return () => downloads.onDeterminingFilename.removeListener(take);
}
/** The page of a tab as MHTML, in a file of the browser; undefined when the browser gives none. */
export const saveAsMhtml = (tabId: number): Promise<Blob | undefined> =>
  chrome.pageCapture.saveAsMHTML({ tabId });
