import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { WaitUntil } from '../../../shared/tabs/navigate.methods.ts';
import { isPage, type DocumentLoad, type FileFacts } from '../../core/navigation/browser-events.ts';

/** Addresses are cut in messages: they can be as long as a page. */
const short = (url: string): string => cutUrl(url, 300);

const NAME_UNITS = 120;

/** The network, or a policy, kept the document from arriving. */
export function failedError(url: string, error: string): SpillwayError {
  if (/CLIENT_AUTH/.test(error))
    return new SpillwayError('navigation_failed', `${short(url)} asks for a client certificate (${error}).`, {
      hint: 'Ask the person to open it in that tab and to choose a certificate, then call again.',
    });
  if (error === 'net::ERR_CACHE_MISS')
    return new SpillwayError(
      'navigation_failed',
      `${short(url)} is the answer to a form, and the browser has not kept it (${error}).`,
      { hint: 'Load another page; if the form has to be sent again, fill it in again.' },
    );
  return new SpillwayError('navigation_failed', `${short(url)} failed with ${error}.`);
}

/** The browser reports neither a failure nor a page. */
export const unenteredError = (url: string): SpillwayError =>
  new SpillwayError(
    'navigation_failed',
    `${short(url)} shows no page that extensions may enter: an error page of Firefox, for a blocked port for example, or a site that Firefox keeps from them.`,
  );

/** Whether it was redirected to an address such as `mailto:`, for which the browser opens another program. */
export const isOfProgram = ({ url, redirects }: DocumentLoad): boolean =>
  redirects.length > 0 && !/^https?:/.test(url);

/**
 * The navigation ended without a document: no content, a download or an address such as `mailto:`, which another try
 * would request again, or someone stopped it.
 */
export function abortedError(load: DocumentLoad): SpillwayError {
  const { url, status, file } = load;
  const where = short(url);
  const isOther = isOfProgram(load);
  if (isOther || status === 204 || status === 205) {
    const why = isOther ? 'is for another program' : `answered ${status} without content`;
    return new SpillwayError('not_a_page', `${where} ${why} (net::ERR_ABORTED); the tab did not navigate.`, {
      hint: 'There is no page to read; the request itself succeeded.',
    });
  }
  if (status !== null && !isPage(load))
    return new SpillwayError(
      'not_a_page',
      `${where} answered ${status} with a file, which was not saved (net::ERR_ABORTED)${formatFileFacts(file)}; the tab did not navigate.`,
    );
  return new SpillwayError(
    'navigation_failed',
    status === null
      ? `${where} was stopped before a response arrived (net::ERR_ABORTED).`
      : `${where} answered ${status}, but was stopped before its page was shown (net::ERR_ABORTED).`,
    { hint: 'The page, another extension or a person stopped it; call again.' },
  );
}

/** A size missing from the headers is not guessed. */
function formatFileFacts(file: FileFacts | null): string {
  if (file === null) return '';
  const facts = [
    ...(file.name === null ? [] : [`"${cut(file.name, NAME_UNITS)}"`]),
    file.contentType === null ? 'no content type' : cut(file.contentType, NAME_UNITS),
    file.sizeBytes === null ? 'size unknown' : `${file.sizeBytes} bytes`,
  ];
  return `: ${facts.join(', ')}`;
}

/** HTTP authentication without an answer. */
export function signInError(url: string): SpillwayError {
  return new SpillwayError(
    'navigation_failed',
    `${short(url)} asks for a user name and password in a browser dialog (HTTP authentication, net::ERR_INVALID_AUTH_CREDENTIALS).`,
    {
      hint: 'Call find_tools with select ["intercept"] and add a rule with a login from --secrets, or ask the person to sign in in that tab; then call again.',
    },
  );
}

interface TimeoutFacts {
  readonly isReload: boolean;
  readonly waitUntil: WaitUntil;
  readonly timeoutMs: number;
  readonly shown: DocumentLoad | null;
  readonly coming: DocumentLoad | null;
  readonly signInAsked: boolean;
  readonly inFlight: readonly string[];
}

/** Reports the state at the time-out. */
export function timeoutError(facts: TimeoutFacts): SpillwayError {
  const { waitUntil, timeoutMs, isReload, shown, coming } = facts;
  const message = `${waitUntil} was not reached within ${timeoutMs} ms: ${reached(facts)}`;
  const isHeld = isReload && shown === null && coming === null;
  const hint = 'Load its url with action "goto", or ask the person to answer in that tab.';
  return new SpillwayError('navigation_timeout', message, isHeld ? { hint } : {});
}

function reached({ isReload, shown, coming, signInAsked, inFlight }: TimeoutFacts): string {
  if (signInAsked && shown === null)
    return 'the site asks for a user name and password (HTTP authentication): add a rule with intercept, whose login answers it from --secrets.';
  if (coming !== null && coming.status === null) return `${short(coming.url)} has not responded.`;
  if (coming !== null)
    return `${short(coming.url)} responded with ${coming.status}, but no document has arrived.`;
  if (shown === null && isReload)
    return 'no navigation has started; the browser may be asking whether to send the form of this page again, or the page whether to leave it.';
  if (shown === null)
    return 'no navigation has started; the open page may be asking for confirmation before it unloads.';
  const waiting = inFlight.length === 0 ? '' : `; ${inFlight.length} pending: ${list(inFlight)}`;
  if (shown.loaded) return `load was reached at ${short(shown.url)}${waiting}.`;
  if (shown.domContentLoaded) return `domcontentloaded was reached at ${short(shown.url)}${waiting}.`;
  return `the document ${short(shown.url)} has started to load${waiting}.`;
}

function list(urls: readonly string[]): string {
  const named = urls.slice(0, 3).map((url) => cutUrl(url, 100));
  return named.join(', ') + (urls.length > named.length ? ', …' : '');
}
