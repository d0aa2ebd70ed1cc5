import { cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { WaitUntil } from '../../../shared/tools/navigate/wait-until.ts';
import type { DocumentLoad } from './document-load.ts';

/** Addresses are cut in messages: they can be as long as a page. */
const short = (url: string): string => cutUrl(url, 300);

/** The network, or a policy, kept the document from coming. */
export function failedError(url: string, error: string): SpillwayError {
  return new SpillwayError('navigation_failed', `${short(url)} failed with ${error}.`);
}

/** The navigation ended without a document: no content or a download, which another try would ask for again, or someone stopped it. */
export function abortedError({ url, status }: DocumentLoad): SpillwayError {
  const where = short(url);
  if (status === 204 || status === 205)
    return new SpillwayError(
      'not_a_page',
      `${where} answered ${status} without content (net::ERR_ABORTED): the tab stays where it was.`,
      { hint: 'There is no page to read; the request itself went through.' },
    );
  if (status !== null)
    return new SpillwayError(
      'not_a_page',
      `${where} answered ${status} with a file that the browser downloads (net::ERR_ABORTED): the tab stays where it was.`,
      { hint: 'There is no page to read; the file goes to the downloads folder.' },
    );
  return new SpillwayError(
    'navigation_failed',
    `${where} was stopped before an answer came (net::ERR_ABORTED).`,
    { hint: 'The page, another extension or a person stopped it; call again.' },
  );
}

/** HTTP authentication that nobody answered. */
export function signInError(url: string): SpillwayError {
  return new SpillwayError(
    'navigation_failed',
    `${short(url)} asks for a user name and a password in a dialog of the browser (HTTP authentication, net::ERR_INVALID_AUTH_CREDENTIALS).`,
    { hint: 'Ask the person to sign in in that tab, then call again.' },
  );
}

interface TimeoutFacts {
  readonly waitUntil: WaitUntil;
  readonly timeoutMs: number;
  readonly shown: DocumentLoad | null;
  readonly coming: DocumentLoad | null;
  readonly signInAsked: boolean;
  readonly underWay: readonly string[];
}

/** Says what was reached when the time was over. */
export function timeoutError(facts: TimeoutFacts): SpillwayError {
  const { waitUntil, timeoutMs } = facts;
  return new SpillwayError(
    'navigation_timeout',
    `${waitUntil} was not reached within ${timeoutMs} ms: ${reached(facts)}`,
  );
}

function reached({ shown, coming, signInAsked, underWay }: TimeoutFacts): string {
  if (signInAsked && shown === null)
    return 'the site asks for a user name and a password (HTTP authentication).';
  if (coming !== null && coming.status === null) return `${short(coming.url)} has not answered.`;
  if (coming !== null) return `${short(coming.url)} answered ${coming.status}, but no document has come.`;
  if (shown === null) return 'nothing has started; the page that is open may be asking whether to leave it.';
  const waiting = underWay.length === 0 ? '' : `; ${underWay.length} under way: ${list(underWay)}`;
  if (shown.loaded) return `load was reached at ${short(shown.url)}${waiting}.`;
  if (shown.domContentLoaded) return `domcontentloaded was reached at ${short(shown.url)}${waiting}.`;
  return `the document ${short(shown.url)} has begun to arrive${waiting}.`;
}

function list(urls: readonly string[]): string {
  const named = urls.slice(0, 3).map((url) => cutUrl(url, 100));
  return named.join(', ') + (urls.length > named.length ? ', …' : '');
}
