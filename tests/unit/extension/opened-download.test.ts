import { expect, test } from 'vitest';
import type { Download } from '../../../shared/act/downloads.ts';
import { followOpenedTab } from '../../../extension/background/act/downloads.ts';
import type {
  FileFacts,
  NavigationEvent,
  NavigationListener,
} from '../../../extension/background/navigation/events.ts';

const CSV: FileFacts = { name: 'a.csv', contentType: 'text/csv', isAttachment: false, sizeBytes: 400 };
const url = 'https://a.test/a.csv';
const asked: NavigationEvent = { tabId: 7, type: 'request', id: '1', url, main: true, longLived: false };
const failed: NavigationEvent = { tabId: 7, type: 'failed', url, error: 'net::ERR_ABORTED' };
const removed: NavigationEvent = { tabId: 7, type: 'tab_removed' };
const answered = (file: Partial<FileFacts>, status = 200): NavigationEvent => ({
  tabId: 7,
  type: 'response',
  id: '1',
  status,
  longLived: false,
  file: { ...CSV, ...file },
});
const ended = (hasFailed = false, tabId = 7): NavigationEvent => ({
  tabId,
  type: 'request_ended',
  id: '1',
  hasFailed,
});

/** What was reported at last, and whether it still listens. */
function follow(events: readonly NavigationEvent[]): { last: Download | null; isListening: boolean } {
  let last: Download | null = null;
  let listener: NavigationListener | null = null;
  followOpenedTab(
    7,
    (added) => {
      listener = added;
      return () => (listener = null);
    },
    (_id, download) => (last = download),
  );
  for (const event of events) (listener as NavigationListener | null)?.(event);
  return { last, isListening: listener !== null };
}

const csv = { name: 'a.csv', url, total_bytes: 400 };
const begun = { ...csv, state: 'in_progress', received_bytes: null } as const;
const whole = { ...csv, state: 'completed', received_bytes: 400 } as const;
const page = answered({ contentType: 'text/html' });
const shown: NavigationEvent = { tabId: 7, type: 'committed', url, isHistoryStep: false };
const elsewhere = [asked, failed, removed].map((event) => ({ ...event, tabId: 8 }));

test.each<[string, NavigationEvent[], Partial<Download> | null, boolean]>([
  ['a file', [asked, answered({}), failed], begun, true],
  ['a file whose request ends first', [asked, answered({}), ended(), failed], whole, false],
  ['a file that breaks off', [asked, answered({}), failed, ended(true)], { state: 'interrupted' }, false],
  ['a page', [asked, page, shown], null, false],
  ['nothing', [asked, answered({}, 204), failed, ended()], null, true],
  ['what happens in other tabs', elsewhere, null, true],
])('%s', (_name, events, download, isListening) => {
  const { last, isListening: listens } = follow(events);
  if (download === null) expect(last).toBeNull();
  else expect(last).toMatchObject(download);
  expect(listens).toBe(isListening);
});
