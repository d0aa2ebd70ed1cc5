import { cutUrl, withoutFragment } from '../../shared/base/cut.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { isPrivateHost, isPrivateIp, parseUrl } from '../../shared/base/private-address.ts';
import { anySignal, delay } from '../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import { CRAWL_BEGIN_URLS } from '../../shared/crawl/crawl.methods.ts';
import type { RunScope } from '../core/runs.ts';
import type { Bridge, BrowserId } from '../core/services.ts';

/** Why an address is not requested, or its content not kept. */
interface RedirectRefusal {
  readonly code: string;
  readonly message: string;
}

/** Whether a redirect may be followed: null if so. */
export type RefuseRedirect = (to: string) => Promise<RedirectRefusal | null>;

/**
 * Keeps redirects and links away from the machine and its network: loopback, private and link-local addresses
 * and names. They stay allowed if the work began at one. A name's address is known only after it answered;
 * then the content is not kept, unless a start is at a private address, too.
 */
export class AddressGuard {
  readonly allowsPrivate: boolean;
  #startsPrivately = false;
  /** Hosts of starts that have not answered yet. */
  readonly #awaited: Set<string>;

  /** @param starts addresses that a person or agent named */
  constructor(starts: readonly string[]) {
    const urls = starts.flatMap((start) => parseUrl(start) ?? []);
    this.#awaited = new Set(urls.map(({ host }) => host));
    this.allowsPrivate = urls.some(({ hostname }) => isPrivateHost(hostname));
  }

  /** Why an address is not requested, by its name alone. */
  refuse(href: string): RedirectRefusal | null {
    const url = parseUrl(href);
    if (url === null || !/^https?:$/.test(url.protocol))
      return refusal(`The page leads to ${short(href)}, which is not an http(s) URL.`);
    if (this.allowsPrivate || !isPrivateHost(url.hostname)) return null;
    return refusal(`The page leads to ${short(href)}, which is an address of this machine or its network.`);
  }

  /** Whether an answer from a private address would be kept. */
  keepsPrivate(href: string): boolean {
    const isStart = this.#awaited.has(parseUrl(href)?.host ?? '');
    return this.allowsPrivate || this.#startsPrivately || isStart;
  }

  /** Why an answer is not kept. The first answer of a start shows where it is. */
  refuseAnswer(href: string, remoteAddress: string | null): RedirectRefusal | null {
    if (remoteAddress === null) return null;
    const isStart = this.#awaited.delete(parseUrl(href)?.host ?? '');
    if (!isPrivateIp(remoteAddress)) return null;
    this.#startsPrivately ||= isStart;
    if (this.allowsPrivate || this.#startsPrivately) return null;
    return refusal(`${short(href)} is at ${remoteAddress}, an address of this machine or its network.`);
  }
}

const refusal = (message: string): RedirectRefusal => ({ code: 'redirect_refused', message });
const short = (href: string): string => cutUrl(href, 300);

export interface Arrived {
  readonly final_url: string;
  readonly moves_to: string | null;
  readonly remote_address: string | null;
  readonly redirects?: readonly Redirect[];
}

interface Redirect {
  readonly url: string;
  readonly status: number;
}

interface Following<T> {
  readonly guard: AddressGuard;
  readonly refuse?: RefuseRedirect | undefined;
  readonly ask: (href: string) => Promise<T>;
  readonly factsOf: (answer: T) => Arrived;
}

/**
 * Requests an address and follows its redirects, each after a check.
 * @returns the last answer, the redirects before it, and why it is not to be kept, or null
 */
export async function followRedirects<T>(
  start: string,
  { guard, refuse, ask, factsOf }: Following<T>,
): Promise<{
  readonly answer: T;
  readonly redirects: readonly Redirect[];
  readonly error: RedirectRefusal | null;
}> {
  const redirects: Redirect[] = [];
  for (let href = start; ;) {
    const answer = await ask(href);
    const { final_url: landed, moves_to: to, remote_address: remoteAddress, ...facts } = factsOf(answer);
    redirects.push(...(facts.redirects ?? []));
    const end = (error: RedirectRefusal | null) => ({ answer, redirects, error });
    const unkept = guard.refuseAnswer(href, remoteAddress);
    if (unkept !== null) return end(unkept);
    if (to === null) {
      // A rendered page follows redirects by itself within its origin.
      const isElsewhere = landed !== withoutFragment(href);
      return end(isElsewhere ? ((await refuse?.(landed)) ?? null) : null);
    }
    if (redirects.length > LIMITS.redirects)
      return end({
        code: 'redirect_loop',
        message: `${short(start)} failed with net::ERR_TOO_MANY_REDIRECTS.`,
      });
    const refused = guard.refuse(to) ?? (await refuse?.(to)) ?? null;
    if (refused !== null) return end(refused);
    href = to;
  }
}

/**
 * Checks a browser's rules for a crawl that begins at these addresses, one per site.
 * @throws SpillwayError `approval_required` if a person is asked, `policy_denied`, `ledger_unavailable`
 */
export async function expectToCrawl(
  bridge: Pick<Bridge, 'request'>,
  browser: BrowserId,
  starts: readonly string[],
  by: { readonly call: CallScope | null; readonly signal: AbortSignal },
): Promise<void> {
  const { allowsPrivate } = new AddressGuard(starts);
  const ofSites = new Map(starts.toReversed().map((url) => [parseUrl(url)?.origin ?? url, url]));
  const urls = [...ofSites.values()].toReversed();
  for (let from = 0; from === 0 || from < urls.length; from += CRAWL_BEGIN_URLS) {
    const some = urls.slice(from, from + CRAWL_BEGIN_URLS);
    try {
      await bridge.request(browser, 'crawl.begin', { urls: some, allow_private: allowsPrivate }, by);
    } catch (thrown) {
      // An extension of the previous version judges the first page instead.
      if (thrown instanceof SpillwayError && thrown.code === 'api_not_found') return;
      throw thrown;
    }
  }
}

type Browsers = Pick<Bridge, 'browsers' | 'request'>;
type By = Parameters<typeof expectToCrawl>[3];

/** The same for work on workers: rules and the ledger are in browsers, so those that are there are asked. */
export async function expectOnWorkers(bridge: Browsers, starts: readonly string[], by: By): Promise<void> {
  const carried = by.call?.call.sources?.find((source) => source.is_private);
  if (carried !== undefined && !bridge.browsers().some(({ connected }) => connected))
    throw new SpillwayError('approval_required', `The addresses have text read from ${carried.site}.`, {
      hint: 'No browser is connected in which a person could be asked.',
    });
  for (const { id, connected } of bridge.browsers())
    if (connected) await expectToCrawl(bridge, id, starts, by);
}

/** A browser that fails, or whose agent is paused, does not end work on workers. @throws SpillwayError `agent_stopped` */
async function expectNotStopped(bridge: Browsers, by: By): Promise<void> {
  const connected = bridge.browsers().filter((browser) => browser.connected);
  await Promise.all(
    connected.map(({ id }) =>
      expectToCrawl(bridge, id, [], by).catch((thrown: unknown) => {
        if (toSpillwayError(thrown).code === 'agent_stopped') throw thrown;
      }),
    ),
  );
}

/** How often the browsers are asked: they do not report a Stop to each server. */
const ASK_MS = 1_000;

/** Work on workers, which ends when the person stops its agent. @throws SpillwayError `agent_stopped`, or the work's */
export async function untilStopped<T>(
  bridge: Browsers,
  scope: RunScope,
  work: (scope: RunScope) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const { signal, release } = anySignal([scope.signal, ended.signal]);
  const watch = async (): Promise<never> => {
    for (;;) {
      await delay(ASK_MS, signal);
      await expectNotStopped(bridge, { call: scope.call, signal });
    }
  };
  watch().catch((thrown: unknown) => ended.abort(thrown));
  try {
    const done = await work({ ...scope, signal });
    // A crawl that is stopped has an outcome, too.
    ended.signal.throwIfAborted();
    return done;
  } finally {
    ended.abort();
    release();
  }
}
