import { SpillwayError } from '../../../shared/base/errors.ts';
import { CLIPBOARD_UNITS } from '../../../shared/files/clipboard.methods.ts';
import { exchangeClipboard } from './fetch-address.ts';
import { cutToFrame } from '../../core/link/frame-room.ts';
import type { Handlers } from '../../core/handler.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import { topOf } from '../../core/policy/documents.ts';

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
