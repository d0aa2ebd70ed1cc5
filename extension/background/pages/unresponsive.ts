import type { Tabs } from 'webextension-polyfill';
import { cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { quotePage } from './quote-page.ts';

const URL_UNITS = 200;
const TITLE_UNITS = 120;

/**
 * The error for a page that runs no script. Nothing of its content can be had: the debugger's commands wait
 * for the same thread, and it names only dialogs that open while it is attached.
 */
export function unresponsiveError({ id, url = '', title = '', pendingUrl }: Tabs.Tab): SpillwayError {
  if (url === '')
    return new SpillwayError(
      'page_unresponsive',
      `Tab ${id} has no page yet: ${pendingUrl === undefined ? 'its address' : cutUrl(pendingUrl, URL_UNITS)} has not responded.`,
      { hint: 'Call again when it may have, or load another page with navigate.' },
    );
  return new SpillwayError(
    'page_unresponsive',
    `Tab ${id} (${cutUrl(url, URL_UNITS)}), titled ${quotePage(title, TITLE_UNITS)}, did not answer: its page runs no script. It computes, waits for a response, or has a dialog open.`,
  );
}
