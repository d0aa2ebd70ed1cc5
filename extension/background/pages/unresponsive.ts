import type { Tabs } from 'webextension-polyfill';
import { cut, cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { PageDialog } from '../chromium/debugger/sessions.ts';

/** The dialog that is known to be open in a tab. */
export type DialogOf = (tabId: number) => PageDialog | null;

const URL_UNITS = 200;
const TITLE_UNITS = 120;
const MESSAGE_UNITS = 200;

/** Next to a hint, an agent has to know that this text is the page's. */
const quote = (text: string, mostUnits: number): string =>
  JSON.stringify(cut(text, mostUnits).toWellFormed());

/**
 * The error for a page that runs no script. Nothing of its content can be had: the debugger's commands wait
 * for the same thread, and it names only dialogs that open while it is attached.
 *
 * @param dialog what is known to be open in the tab
 */
export function unresponsiveError(
  { id, url = '', title = '', pendingUrl }: Tabs.Tab,
  dialog: PageDialog | null,
): SpillwayError {
  if (url === '')
    return new SpillwayError(
      'page_unresponsive',
      `Tab ${id} has no page yet: ${pendingUrl === undefined ? 'its address' : cutUrl(pendingUrl, URL_UNITS)} has not responded.`,
      { hint: 'Call again when it may have, or load another page with navigate.' },
    );
  const page = `Tab ${id} (${cutUrl(url, URL_UNITS)}), titled ${quote(title, TITLE_UNITS)}, did not answer`;
  if (dialog === null)
    return new SpillwayError(
      'page_unresponsive',
      `${page}: its page runs no script. It computes, waits for a response, or has a dialog open.`,
    );
  return new SpillwayError(
    'page_unresponsive',
    `${page}: its page has a dialog open (${dialog.type}), which says ${quote(dialog.message, MESSAGE_UNITS)}.`,
    {
      hint: 'Ask the person to answer the dialog, then call again. Or load another page with navigate: a tab that cannot be left is replaced.',
    },
  );
}
