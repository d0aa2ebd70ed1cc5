const OFFSCREEN_PAGE = 'offscreen/offscreen.html';

let creating: Promise<void> | null = null;

/**
 * Opens the offscreen document unless there is one. Its port ends when the worker dies, and opening
 * it again is what starts the next worker.
 */
export async function ensureOffscreen(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return;
  creating ??= chrome.offscreen
    .createDocument({
      url: OFFSCREEN_PAGE,
      reasons: [chrome.offscreen.Reason.DOM_PARSER],
      justification: 'Parses pages outside the tabs, and restarts the worker when the browser stops it.',
    })
    .finally(() => (creating = null));
  await creating;
}
