import { cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { FetchJob, FetchedPage, FileHead, FilmStep, PageError } from '../../core/offscreen/protocol.ts';
import { codeOfNetError, NetworkTrace, type Hop, type Trace } from './network-trace.ts';
import { OffscreenJobs, type FilmPort, type RunOptions } from '../../core/pages/offscreen-jobs.ts';

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
      isRedirected ? ((await trace.until(id, ({ to }) => to === finalUrl))?.hops ?? []) : [];
    const page = await jobs.run(id, job, {
      ...options,
      onHead: async (head) => options.onHead?.(head, await hopsTo(head)),
    });
    if (page.isMoved) return movedOutcome(page, await trace.until(id, ({ to }) => to !== null));
    await hopsTo(page);
    const error = page.isBroken ? await explain(id, page) : page.error;
    const { hops = [], to = null } = trace.of(id) ?? {};
    // Without an answer, the last hop is the end of the trace.
    const redirects = [...hops];
    const isAnswered = page.status !== null;
    const answered = isAnswered ? await trace.until(id, ({ remoteAddress }) => remoteAddress !== null) : null;
    return {
      // A redirect loop's address is where it stopped; an answer has its own.
      page: { ...page, finalUrl: (isAnswered ? null : to) ?? page.finalUrl },
      redirects,
      movesTo: null,
      remoteAddress: answered?.remoteAddress ?? null,
      error,
    };
  } finally {
    trace.end(id);
  }
}

function movedOutcome(
  page: FetchedPage,
  { hops = [], to = null, remoteAddress = null }: Partial<Trace> = {},
): FetchOutcome {
  const hop = hops.at(-1);
  if (hop !== undefined && to !== null)
    return {
      page: { ...page, status: hop.status },
      redirects: [hop],
      movesTo: to,
      remoteAddress,
      error: null,
    };
  const message = 'The page redirects; the browser does not say where, or not to a web address.';
  const error = { code: 'navigation_failed', message };
  return { page: { ...page, status: null }, redirects: [], movesTo: null, remoteAddress: null, error };
}

async function explain(id: number, { error }: FetchedPage): Promise<PageError> {
  const reason = (await trace.until(id, (known) => known.error !== null))?.error ?? null;
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
