import { each, gather } from '../../shared/base/queue.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import type { RunChange, RunScope } from '../core/runs.ts';
import type { Clock } from '../core/services.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { CrawlFormat } from '../../shared/crawl/crawl.methods.ts';
import { PageSearch } from '../read/page-search.ts';
import { hashKey, parseAddress, type Address, Scope, type CrawlArgs } from './address.ts';
import { type Entry, Frontier, type WaitingPage, Secrets } from './frontier.ts';
import { type ClosedSpace, ExploredSpaces } from './spaces.ts';
import {
  buildItem,
  linkClassifier,
  type ClassifiedLinks,
  count,
  countClosed,
  countTrap,
  parseTally,
  TALLY_KEY,
  type Tally,
} from './item.ts';
import type { PageError } from './hosts.ts';
import { emptyPage, type PageRead, type SourceNote } from './source.ts';

/**
 * Keeps the parts of a page's content that contain a text, like `find` of `read_page`. The content is
 * redacted first: a part of a secret may not be recognisable as one.
 */
export async function searchPage(
  content: PageRead['content'],
  {
    find,
    format,
    redact,
  }: { readonly find: string; readonly format: CrawlFormat; readonly redact: RunScope['redact'] },
): Promise<{ readonly content: PageRead['content']; readonly matches: number }> {
  const search = new PageSearch(find, format);
  const picked = search.pick(
    typeof content === 'string'
      ? { kind: 'text', mimeType: MIME.text, chunks: each([redact(content)]) }
      : { kind: 'items', mimeType: MIME.json, items: each(content.map((item) => redact(item))) },
  );
  const found = picked.kind === 'items' ? await gather(picked.items) : [];
  const text = picked.kind === 'text' ? (await gather(picked.chunks)).join('') : '';
  return { content: typeof content === 'string' ? text : found, matches: search.counts().matches };
}

/** An entry in progress. */
export interface Dispatched {
  readonly entry: Entry;
  readonly rank: number;
  readonly tries: number;
}

/** A page that was requested, and its error: its own, or one of its host. */
export interface VisitedPage {
  readonly page: PageRead;
  readonly href: string;
  readonly fetchedAtMs: number;
  readonly error: PageError | null;
}

const NO_LINKS: ClassifiedLinks = { follow: [], nofollow: 0, outside: 0, traps: [] };
const MAX_NOTES = 20;

/**
 * Writes a crawl's results: for each page one commit with its item, the mark that it is done, its new links
 * in the frontier, and the counts.
 */
export class Ledger {
  readonly frontier: Frontier;
  readonly secrets: Secrets;
  readonly spaces: ExploredSpaces;
  tally: Tally;
  /** Pages that crashed. They stay in the queue, where a resumed run finds them. */
  readonly crashed: CleanText[] = [];
  readonly scope: Scope;
  readonly #classifier: ReturnType<typeof linkClassifier>;
  /** Content that is being written: hash → address. Written content is in the state as ['h', hash]. */
  readonly #hashes = new Map<string, string>();
  #notes: string[] = [];
  #origins: string[] = [];
  #told: SourceNote = {};

  constructor(
    private readonly args: CrawlArgs,
    private readonly run: RunScope,
    private readonly clock: Clock,
  ) {
    this.frontier = new Frontier(run.state);
    this.secrets = new Secrets(run.redact);
    this.spaces = new ExploredSpaces(run.state, args.format);
    this.scope = new Scope(args);
    this.#classifier = linkClassifier(this.scope, this.secrets, args.respect_robots);
    this.tally = parseTally(run.state.get(TALLY_KEY));
  }

  /** For run_status, until the next one. */
  tell(note: SourceNote): void {
    this.#told = note;
    this.#progress();
  }

  /** A sentence for the coverage, written with the next commit. */
  note(note: string): void {
    this.#notes.push(this.secrets.shown(note));
  }

  /** A start: its links are in scope. */
  addStart(address: Address): void {
    this.scope.addStart(address.url);
    this.#classifier.forget();
  }

  /** The target of a start's redirect is a start; a resume learns it from the next commit. */
  follow(address: Address): void {
    this.addStart(address);
    this.#origins.push(this.secrets.shown(address.url.origin));
  }

  /** Whether a redirect takes the crawl with it: a person named the page, or the hosts of the sitemap that did. */
  mayFollow(entry: Entry, to: Address): boolean {
    return entry.depth === 0 && (this.args.sitemap === undefined || this.scope.sharesHost(to.url));
  }

  admitsSitemap(href: string): boolean {
    const address = parseAddress(href);
    return address !== null && this.scope.sharesHost(address.url);
  }

  /** Queues starts. */
  async seed(found: readonly WaitingPage[], index: number, isLast: boolean): Promise<void> {
    await this.#commit([], (change, tally) => {
      tally.seeded = isLast;
      tally.queued += this.frontier.admit(change, found, { depth: 0, rank: 0, index });
    });
  }

  /** Writes a page. */
  async read({ entry, rank }: Dispatched, { page, href, fetchedAtMs, error }: VisitedPage): Promise<void> {
    if (this.#hasCrashed(entry, error)) return;
    const { args, run, frontier, secrets, spaces } = this;
    const final = parseAddress(page.facts.final_url);
    const led = page.facts.redirects.length > 0 ? final : null;
    if (led !== null && this.mayFollow(entry, led)) this.follow(led);
    const isWhole = error === null && (page.facts.status ?? 200) < 400;
    const duplicateOf = isWhole ? this.#findDuplicate(page, entry.href) : null;
    const isDuplicate = duplicateOf !== null;
    const links = this.#linksOf(page, { entry, final, isDuplicate });
    // Before any await: the next page of the space may be started then.
    const learn = isWhole ? spaces.learn(entry, page, links.follow) : (): void => undefined;
    const isTooDeep = entry.depth >= args.max_depth;
    const { find, format, main_content_only: isMain } = args;
    const search =
      find === undefined ? null : await searchPage(page.content, { find, format, redact: run.redact });
    const isUnmatched = isWhole && search?.matches === 0;
    const facts = { entry, format, isMain, href, fetchedAtMs, duplicateOf, error };
    const item = buildItem(page, { ...facts, found: search?.content });
    await this.#commit(isUnmatched ? [] : [item], (change, tally) => {
      frontier.markDone(change, entry);
      tally.queued -= 1;
      if (led !== null) frontier.markVisited(change, hashKey(led.identity));
      if (isWhole && page.contentHash !== null && !isDuplicate)
        change.put(['h', page.contentHash], secrets.shown(href));
      learn(change);
      tally.pages += 1;
      tally.rank = Math.max(tally.rank, rank);
      tally.deepest = Math.max(tally.deepest, entry.depth);
      tally.duplicates += Number(isDuplicate);
      tally.failed += Number(!isWhole && !isPartial(page));
      if (error !== null) count(tally.errors, error.code);
      tally.items += Number(!isUnmatched);
      tally.unmatched += Number(isUnmatched);
      tally.matched += Number(search !== null && search.matches > 0);
      tally.nofollow += links.nofollow;
      tally.outside += links.outside;
      for (const { kind, href: trap } of links.traps) countTrap(tally, kind, trap);
      if (isTooDeep) {
        tally.beyondDepth ||= links.follow.some(({ key }) => change.get(['v', key]) === undefined);
      } else tally.queued += frontier.admit(change, links.follow, { depth: entry.depth + 1, rank });
    });
    if (page.contentHash !== null) this.#hashes.delete(page.contentHash);
    frontier.release(entry);
  }

  /** Writes a page that may not be requested. */
  async storeRefused({ entry, rank }: Dispatched, error: PageError): Promise<void> {
    if (this.#hasCrashed(entry, error)) return;
    const { frontier } = this;
    const { format, main_content_only: isMain, max_pages: most } = this.args;
    const isRobots = error.code === 'robots_disallowed';
    const facts = { entry, format, isMain, href: entry.href, duplicateOf: null, error };
    const item = buildItem(emptyPage(entry.href, error), { ...facts, fetchedAtMs: this.clock.now() });
    const isListed = !isRobots || this.tally.disallowed < most;
    await this.#commit(isListed ? [item] : [], (change, tally) => {
      frontier.markDone(change, entry);
      tally.queued -= 1;
      tally.rank = Math.max(tally.rank, rank);
      if (isRobots) tally.disallowed += 1;
      else tally.pages += 1;
      if (!isListed) return;
      tally.items += 1;
      tally.failed += 1;
      count(tally.errors, error.code);
    });
    frontier.release(entry);
  }

  /** Removes entries of closed spaces from the queue. */
  async dropTrapped(
    dropped: readonly { readonly entry: Entry; readonly space: ClosedSpace }[],
  ): Promise<void> {
    await this.#commit([], (change, tally) => {
      for (const { entry, space } of dropped) {
        this.frontier.markDone(change, entry);
        tally.queued -= 1;
        countClosed(tally, space, entry.href);
      }
    });
    for (const { entry } of dropped) this.frontier.release(entry);
  }

  /** Writes notes that arrived after the last page. */
  async close(): Promise<void> {
    if (this.#notes.length > 0) await this.#commit([], () => undefined);
  }

  /** A page that crashed has no item: its entry stays taken, and queued. */
  #hasCrashed({ href }: Entry, error: PageError | null): boolean {
    const hasCrashed = error?.code === 'page_crashed';
    if (hasCrashed) this.crashed.push(href);
    return hasCrashed;
  }

  #linksOf(
    page: PageRead,
    { entry, final, isDuplicate }: { entry: Entry; final: Address | null; isDuplicate: boolean },
  ): ClassifiedLinks {
    const { status, robots } = page.facts;
    if (isDuplicate || page.links.length === 0 || (status !== null && status >= 400)) return NO_LINKS;
    // A page outside is a redirect's target: its links belong to another site.
    if (final !== null && !this.mayFollow(entry, final) && !this.scope.holds(final.url)) return NO_LINKS;
    const isNofollow = robots.some((rule) => /^(?:nofollow|none)$/.test(rule.trim()));
    if (this.args.respect_robots && isNofollow) return { ...NO_LINKS, nofollow: page.links.length };
    return this.#classifier.classify(page.links);
  }

  #findDuplicate(page: PageRead, href: string): string | null {
    if (page.contentHash === null) return null;
    const pending = this.#hashes.get(page.contentHash);
    if (pending !== undefined) return pending;
    const written = this.run.state.get(['h', page.contentHash]);
    if (typeof written === 'string') return written;
    this.#hashes.set(page.contentHash, this.secrets.shown(href));
    return null;
  }

  async #commit(
    items: readonly JsonObject[],
    apply: (change: RunChange, tally: Tally) => void,
  ): Promise<void> {
    const [notes, origins] = [this.#notes, this.#origins];
    this.#notes = [];
    this.#origins = [];
    await this.run.commit({
      items,
      change: (change) => {
        const tally = structuredClone(this.tally);
        for (const note of notes)
          if (tally.notes.length < MAX_NOTES && !tally.notes.includes(note)) tally.notes.push(note);
        for (const origin of origins) change.put(['o', origin], true);
        apply(change, tally);
        change.put(TALLY_KEY, this.run.redact(tally));
        this.tally = tally;
      },
    });
    this.#progress();
  }

  #progress(): void {
    const { items, unmatched, queued, failed } = this.tally;
    this.run.progress({ done: items + unmatched, queued, failed, ...this.#told });
  }
}

/** The part that was received before the limit or the deadline is kept. */
const isPartial = ({ contentHash, facts }: PageRead): boolean =>
  contentHash !== null && (facts.status ?? 200) < 400;
