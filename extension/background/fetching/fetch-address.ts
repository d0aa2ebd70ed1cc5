import { cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { FetchJob, FetchedPage, FileHead, FilmStep, PageError } from '../../offscreen/protocol.ts';
import { codeOfNetError, NetworkTrace, type Hop, type Move } from './network-trace.ts';
import { OffscreenJobs, type FilmPort, type RunOptions } from './offscreen-jobs.ts';

/** Created while the worker starts, so as not to miss the offscreen document's port. */
const jobs = new OffscreenJobs();
const trace = new NetworkTrace();

/** @throws SpillwayError as {@link OffscreenJobs.clipboard} */
export const exchangeClipboard = (text: string | null, signal: AbortSignal): Promise<string | null> =>
  jobs.clipboard(text, signal);

/** @throws SpillwayError as {@link OffscreenJobs.film} */
export const beginFilm = (begin: FilmStep, signal: AbortSignal): Promise<FilmPort> =>
  jobs.film(begin, signal);

/** A fetched address and the browser's network facts about it. */
export interface FetchOutcome {
  readonly page: FetchedPage;
  readonly redirects: readonly Hop[];
  /** The target of a redirect that was not followed. */
  readonly movesTo: string | null;
  /** IP address that answered. */
  readonly remoteAddress: string | null;
  readonly error: PageError | null;
}

type Arrival = Pick<FetchedPage, 'isRedirected' | 'finalUrl'>;

export interface FetchOptions extends Omit<RunOptions, 'onHead'> {
  /** Called with the headers of a file and its redirects, before its first bytes are written. */
  readonly onHead?: (head: FileHead, redirects: readonly Hop[]) => Promise<void>;
}

/**
 * Makes the offscreen document fetch an address, and explains its redirects and failures.
 * @throws SpillwayError `url_not_allowed`, the errors of {@link OffscreenJobs.run}
 */
export async function fetchAddress(job: FetchJob, options: FetchOptions): Promise<FetchOutcome> {
  assertFetchable(job.url);
  const id = jobs.nextId();
  trace.begin(id);
  try {
    const hopsTo = async ({ isRedirected, finalUrl }: Arrival): Promise<readonly Hop[]> =>
      isRedirected ? await trace.redirects(id, finalUrl) : [];
    const page = await jobs.run(id, job, {
      ...options,
      onHead: async (head) => options.onHead?.(head, await hopsTo(head)),
    });
    if (page.isMoved) return movedOutcome(page, await trace.move(id));
    await hopsTo(page);
    const error = page.isBroken ? await explain(id, page) : page.error;
    return {
      // A redirect loop's address is where it stopped; an answer has its own.
      page: { ...page, finalUrl: (page.status === null ? trace.target(id) : null) ?? page.finalUrl },
      // Without an answer, the last hop is the end of the trace.
      redirects: [...trace.hops(id)],
      movesTo: null,
      remoteAddress: page.status === null ? null : await trace.remoteAddress(id),
      error,
    };
  } finally {
    trace.end(id);
  }
}

function movedOutcome(page: FetchedPage, move: Move | null): FetchOutcome {
  const nowhere = {
    code: 'navigation_failed',
    message: 'The page redirects; the browser does not say where.',
  };
  return {
    page: { ...page, status: move?.hop.status ?? null },
    redirects: move === null ? [] : [move.hop],
    movesTo: move?.to ?? null,
    remoteAddress: move?.remoteAddress ?? null,
    error: move === null ? nowhere : null,
  };
}

async function explain(id: number, { error }: FetchedPage): Promise<PageError> {
  const reason = await trace.failure(id);
  const message = error?.message ?? 'The request failed';
  if (reason === null)
    return { code: 'navigation_failed', message: `${message}; the browser gives no reason.` };
  // An interrupted body is not an unreachable host, however the connection ended.
  return { code: codeOfNetError(reason), message: `${message} with ${reason}.` };
}

/** @throws SpillwayError `url_not_allowed` */
export function assertFetchable(url: string): void {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : NO_URL;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new SpillwayError(
      'url_not_allowed',
      `url: ${JSON.stringify(cutUrl(url, 200))} is not an http(s) URL.`,
    );
  if (username !== '' || password !== '')
    throw new SpillwayError('url_not_allowed', 'url: a URL with a user name or password is not fetched.');
}

const NO_URL = { protocol: '', username: '', password: '' };
