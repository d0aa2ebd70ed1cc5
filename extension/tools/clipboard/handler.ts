import { SpillwayError } from '../../../shared/errors.ts';
import { CLIPBOARD_UNITS } from '../../../shared/tools/clipboard/methods.ts';
import { exchangeClipboard } from '../../background/fetching/fetch-address.ts';
import { cutToFrame } from '../../background/frame-room.ts';
import type { Handlers } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { topOf } from '../../background/policy/documents.ts';

/** The method of `clipboard`. It runs in the offscreen document, so that no page sees the text. */
export const createHandlers = (): Pick<Handlers, 'page.clipboard'> => ({
  'page.clipboard': async ({ tab_id: tabId, text }, { signal, policy }) => {
    await getReadableTab(tabId);
    const top = await topOf(tabId);
    if (top === null) throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
    await policy.expect(top, ['evaluate']);
    signal.throwIfAborted();
    policy.began();
    const taken = await exchangeClipboard(text, signal);
    if (taken === null) throw new SpillwayError('clipboard_refused', 'The browser refused the clipboard.');
    const shown = cutToFrame(taken, CLIPBOARD_UNITS);
    return { url: top.url, text: shown, units: taken.length };
  },
});
