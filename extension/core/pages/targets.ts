import browser, { type Scripting, type Tabs } from 'webextension-polyfill';
import { withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { isPending } from '../../platform/chromium/members.ts';
import { loaded, replacementOf } from '../tabs/tab-info.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';

/*
 * Pages that no tool reads, opens, photographs or debugs, in one table. Anything not known to be a site's
 * page is forbidden, so that new browser schemes are too.
 */

/** Pages of sites, local files, and documents that pages of sites make. */
const PAGES: ReadonlySet<string> = new Set(['http', 'https', 'file', 'ftp', 'data']);
/** Documents of the origin named after the scheme. */
const MADE_BY: ReadonlySet<string> = new Set(['blob', 'filesystem']);
const ABOUT = /^about:(?:blank|srcdoc)(?:[?#]|$)/i;
const ERROR_PAGE = /^chrome-error:/i;
const EXTENSION = /^(?:chrome-extension|moz-extension|extension|safari-web-extension):/i;
const SOURCE = /^view-source:/i;
/** Hosts of extension stores, and the store's path on each. */
const STORES: readonly (readonly [string, RegExp])[] = [
  ['addons.mozilla.org', /^/],
  ['chromewebstore.google.com', /^/],
  ['chrome.google.com', /^\/webstore(?:[/?#]|$)/i],
  ['microsoftedge.microsoft.com', /^\/addons(?:[/?#]|$)/i],
];

/** A scheme and a host end long before; `data:` addresses are megabytes. */
const READ_UNITS = 8_192;

/** In the form that browsers read: without leading spaces and controls, and without line breaks. */
function clean(url: string): string {
  const text = url.slice(0, READ_UNITS).replaceAll(/[\t\n\r]/g, '');
  let start = 0;
  while (text.charCodeAt(start) <= 32) start += 1;
  return text.slice(start);
}

function isStore(address: string): boolean {
  const [, authority = '', path = ''] = /^https?:[/\\]*([^/\\?#]*)(.*)$/is.exec(address) ?? [];
  const host = authority.replace(/^.*@/s, '').replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return STORES.some(([store, pattern]) => host === store && pattern.test(path === '' ? '/' : path));
}

/**
 * The kind of a forbidden page, for a message; null for one that may be read. An empty address belongs to a
 * tab that has no page yet.
 */
export function forbiddenPage(url: string): string | null {
  const address = clean(url);
  if (address === '' || ABOUT.test(address) || ERROR_PAGE.test(address)) return null;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(address)?.[0].toLowerCase() ?? '';
  if (MADE_BY.has(scheme)) {
    const maker = address.slice(scheme.length + 1);
    // `blob:null/…` belongs to a sandboxed page.
    return /^null(?:\/|$)/i.test(maker) ? null : forbiddenPage(maker);
  }
  if (isStore(address)) return 'an extension store';
  if (PAGES.has(scheme)) return null;
  if (EXTENSION.test(address)) return 'a page of an extension';
  return SOURCE.test(address) ? 'the source of a page' : 'a page of the browser itself';
}

/**
 * The tab, if it can be read at all.
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`
 */
export const getReadableTab = async (tabId: number): Promise<Tabs.Tab> =>
  readable(tabId, await browser.tabs.get(tabId).catch(() => null));

/** The same for a tab that was just looked up; null if there is none. @throws SpillwayError as {@link getReadableTab} */
export function readable(tabId: number, tab: Tabs.Tab | null): Tabs.Tab {
  if (tab === null) throw missingError(tabId);
  // A discarded tab answers a script with the text of a forbidden page: check for it first.
  if (tab.discarded) throw new SpillwayError('tab_discarded', `Tab ${tabId} was discarded to save memory.`);
  const { url = '' } = tab;
  const what = forbiddenPage(url);
  if (what !== null) throw new SpillwayError('page_forbidden', `Tab ${tabId} shows ${url}, ${what}.`);
  // Neither loading nor loaded, yet not discarded: its process has exited.
  if (tab.status === 'unloaded') throw new SpillwayError('page_crashed', `Tab ${tabId} has crashed.`);
  return tab;
}

function missingError(tabId: number): SpillwayError {
  const now = replacementOf(tabId);
  if (now === null) return new SpillwayError('tab_not_found', `Tab ${tabId} does not exist.`);
  return new SpillwayError(
    'tab_discarded',
    `Tab ${tabId} was discarded to save memory, and is tab ${now} now.`,
    {
      tabId: now,
      hint: 'Call navigate with the tab that the message names, and action "reload", to wake it.',
    },
  );
}

/** Chrome's messages about refused injections, and their meanings. */
const INJECTION_ERRORS: readonly (readonly [RegExp, ErrorCode, meaning: string, hint?: string])[] = [
  [/no tab with id|tab was closed/i, 'tab_not_found', 'no longer exists'],
  [/showing error page/i, 'navigation_failed', "shows the browser's error page"],
  // Of a tab without a page yet, too.
  [
    /missing host permission/i,
    'navigation_failed',
    'shows no page that Firefox lets extensions enter, as its viewers of PDF and JSON are',
    'Call fetch with the address of a file. A page that has not responded yet can be read later.',
  ],
  [
    /frame .*(?:was removed|does not exist)|no frame with id|no document with id|navigat/i,
    'page_changed',
    'navigated',
  ],
  [
    /cannot (?:access|be scripted)|must request permission|blocked/i,
    'page_forbidden',
    'does not allow extensions',
  ],
  [/crash|render(?:er)? process/i, 'page_crashed', 'has crashed'],
];

/** The coded error of a failed injection. */
export function injectionError(thrown: unknown, tabId: number, url: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const reason = messageOf(thrown);
  for (const [pattern, code, meaning, hint] of INJECTION_ERRORS)
    if (pattern.test(reason))
      return new SpillwayError(code, `Tab ${tabId} (${url}) ${meaning}.`, {
        ...forFiles(code, url),
        ...(hint !== undefined && { hint }),
      });
  return new SpillwayError('internal_error', `Tab ${tabId} could not be read: ${reason}`, { cause: thrown });
}

/** A busy page never answers: only a deadline ends the wait for it. */
export const lateError = (tabId: number, url: string, timeoutMs: number): SpillwayError =>
  new SpillwayError('page_unresponsive', `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`);

interface InPage<Args extends unknown[]> extends Pick<Scripting.ScriptInjection, 'target' | 'world'> {
  /** For messages. */
  readonly url: string;
  readonly func: (...args: Args) => unknown;
  readonly args?: Args;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/**
 * Runs a function in a document, which sees only its own arguments, and returns its answer.
 * @throws SpillwayError `page_unresponsive`, the {@link injectionError} of a refusal, or the signal's reason
 */
export async function runInPage<Args extends unknown[]>(inPage: InPage<Args>): Promise<unknown> {
  const { url, signal, timeoutMs = LIMITS.pageResponseTimeoutMs, ...call } = inPage;
  signal?.throwIfAborted();
  const { tabId } = call.target;
  const injected = browser.scripting
    .executeScript({ ...call, injectImmediately: true })
    .catch((thrown: unknown) => Promise.reject(injectionError(thrown, tabId, url)));
  const [answer] = await withTimeout(injected, timeoutMs, () => lateError(tabId, url, timeoutMs), signal);
  return answer?.result;
}

function forFiles(code: ErrorCode, url: string): { hint?: string } {
  if (code !== 'page_forbidden' || !url.startsWith('file:')) return {};
  return { hint: 'Turn on "Allow access to file URLs" for Spillway in the browser\'s extension settings.' };
}

/** Text of a page for a message: in quotes, so that an agent does not take it for Spillway's. */
export const quotePage = (text: string, maxUnits: number): string =>
  JSON.stringify(cut(text, maxUnits).toWellFormed());

const URL_UNITS = 200;
const TITLE_UNITS = 120;

/**
 * The error for a page that runs no script. None of its content is available: the debugger's commands wait for the same
 * thread, and it reports only dialogs that open while it is attached.
 */
export function unresponsiveError(tab: Tabs.Tab): SpillwayError {
  const { id, url = '', title = '', pendingUrl } = tab;
  if (url === '' || hasNoPage(tab))
    return new SpillwayError(
      'page_unresponsive',
      `Tab ${id} has no page yet: ${pendingUrl === undefined ? 'its address' : cutUrl(pendingUrl, URL_UNITS)} has not responded.`,
      { hint: 'Call again later, or load another page with navigate.' },
    );
  return new SpillwayError(
    'page_unresponsive',
    `Tab ${id} (${cutUrl(url, URL_UNITS)}), titled ${quotePage(title, TITLE_UNITS)}, did not answer: its scripts are blocked. It is computing, waiting for a response, or showing a dialog.`,
  );
}

/** Whether a tab shows nothing or a page of the browser, and its address has not responded. */
export const hasNoPage = (tab: Tabs.Tab): boolean =>
  isPending(tab) && (tab.url === undefined || tab.url === '' || forbiddenPage(tab.url) !== null);

/** How long a call waits for a new tab. A page that has begun to load by then is read as it is. */
const FIRST_PAGE_MS = 5_000;

/** Waits for the first page of a tab. @throws SpillwayError `page_unresponsive`, `tab_not_found`, or the signal's reason */
export async function firstPage(tabId: number, signal: AbortSignal): Promise<void> {
  await loaded(tabId, FIRST_PAGE_MS, signal).catch(() => signal.throwIfAborted());
  const tab = await browser.tabs.get(tabId).catch(() => null);
  if (tab !== null && hasNoPage(tab)) throw unresponsiveError(tab);
}

/** A page that is being replaced or busy may answer a moment later. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['page_changed', 'page_unresponsive', 'navigation_failed']);

/** Null while the page is being replaced, or too busy to answer. */
export async function unlessReplaced<T>(
  { signal }: { readonly signal: AbortSignal },
  find: () => Promise<T>,
): Promise<T | null> {
  try {
    return await find();
  } catch (thrown) {
    signal.throwIfAborted();
    if (PASSING.has(toSpillwayError(thrown).code)) return null;
    throw thrown;
  }
}
