import { gather, withResult } from '../../shared/base/queue.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { FoundRecord, type TriedStrategy } from '../../shared/libraries/values/request.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { parseJsonLines, explainTab, askTab, type TabTarget } from '../core/targets.ts';
import { cutUrl } from '../../shared/base/cut.ts';
import type { Bridge } from '../core/services.ts';
import { MergedReads, Scrolling, type ScrollOptions } from '../read/scroll-through.ts';
import type { ExtractArgs, ExtractJob } from './job.ts';

/** Records with the same values have the same digest. */
function digestOf({ fields }: FoundRecord): string {
  const values = Object.entries(fields).map(([name, { value }]) => [name, value]);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64').slice(0, 20);
}

/**
 * Distinguishes new records from those seen on an earlier page. A record that one page has twice stays twice;
 * one that reappears on the next page, or in the part of a growing page that was already read, is dropped.
 * Remembers a digest per record.
 */
class SeenRecords {
  readonly #counts = new Map<string, number>();
  #countsOfPage = new Map<string, number>();

  nextPage(): void {
    this.#countsOfPage = new Map();
  }

  addIfNew(record: FoundRecord): boolean {
    const digest = digestOf(record);
    const here = (this.#countsOfPage.get(digest) ?? 0) + 1;
    this.#countsOfPage.set(digest, here);
    if (here <= (this.#counts.get(digest) ?? 0)) return false;
    this.#counts.set(digest, here);
    return true;
  }
}

/** Time for a page to load more after a request, and the bridge's extra time. */
const MORE_TIMEOUT_MS = 5_000;
const GRACE_MS = 5_000;
/** Time for a page to load after a click that led to it. */
const CLICKED_LOAD_MS = 15_000;
const LOOK_MS = 100;
const URL_UNITS = 120;

/** Maximum pages to go back in the history; beyond that, the first address is opened again. */
const MAX_BACK = 5;

type PageResult = MethodResult<'page.extract'>;
type Paginate = NonNullable<ExtractArgs['paginate']>;

export interface WalkOptions {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly job: ExtractJob;
  readonly paginate: Paginate | null;
  /** Scrolls the page to its end first; null does not. */
  readonly scroll: Pick<ScrollOptions, 'maxScrolls' | 'maxPages'> | null;
  readonly context: CallContext;
  /** A walk over pages ends by then, with its records so far. */
  readonly deadlineMs: number;
}

/** The records of a tab's page, and of the pages after it: one page at a time, keeping only digests. */
export class PageWalk {
  readonly coverage: string[] = [];
  tried: readonly TriedStrategy[] = [];
  hiddenRecords = 0;
  /** Pages whose records were taken. */
  pages = 0;
  page: PageResult['page'] | null = null;

  constructor(private readonly options: WalkOptions) {}

  /**
   * @throws SpillwayError of the first page; a failure of a later one ends the walk and is noted
   */
  async *records(): AsyncGenerator<FoundRecord, void> {
    const { paginate, scroll } = this.options;
    if (scroll !== null) return yield* this.#scrolled(scroll);
    if (paginate === null) return yield* this.#read(undefined, () => true);
    try {
      yield* this.#walk(paginate);
    } finally {
      await this.#return();
    }
  }

  /** The address at which the walk began, and how often it left it. */
  #start: string | null = null;
  #moves = 0;
  #hasClicked = false;
  #isUnfinished = false;

  /** Takes the tab back to its first page: by its history, which restores the position as well. */
  async #return(): Promise<void> {
    const start = this.#start;
    if (start === null || this.#isUnfinished || this.options.context.signal.aborted) return;
    if (this.#moves === 0 && this.page?.url === start) return;
    try {
      let at: string | null = null;
      if (!this.#hasClicked && this.#moves <= MAX_BACK)
        for (let step = 0; step < this.#moves; step += 1)
          at = (await this.#navigate({ action: 'back' })).tab.url ?? null;
      if (at === start) return;
      await this.#navigate({ action: 'goto', url: start });
      this.coverage.push(`${cutUrl(start, URL_UNITS)} was opened again, so it is scrolled to its top.`);
    } catch (thrown) {
      if (this.options.context.signal.aborted) return;
      const { code } = toSpillwayError(thrown);
      this.coverage.push(
        `The tab could not go back to ${cutUrl(start, URL_UNITS)} (${code}); list its address with tabs.`,
      );
    }
  }

  /** Scrolls to the end first. If a page keeps only the visible rows, the records of all windows are merged. */
  async *#scrolled(bounds: NonNullable<WalkOptions['scroll']>): AsyncGenerator<FoundRecord, void> {
    const merged = new MergedReads<FoundRecord>(digestOf);
    let hiddenRecords = 0;
    const readWindow = async (): Promise<number> => {
      this.hiddenRecords = 0;
      const records = await gather(this.#read(undefined, () => true));
      hiddenRecords = Math.max(hiddenRecords, this.hiddenRecords);
      return merged.add(records).reduce((sum, record) => sum + JSON.stringify(record).length, 0);
    };
    const { isLossy, notes } = await new Scrolling({ ...this.options, ...bounds, readWindow }).run();
    if (!isLossy) {
      this.coverage.push(...notes);
      return yield* this.#read(undefined, () => true);
    }
    this.pages = 1;
    this.hiddenRecords = hiddenRecords;
    // The rows that this note misses are here.
    const others = this.coverage.splice(0).filter((note) => !note.startsWith('virtual_list:'));
    this.coverage.push(...notes, ...others);
    yield* merged.entries;
  }

  async *#walk(paginate: Paginate): AsyncGenerator<FoundRecord, void> {
    const { context } = this.options;
    const fresh = new SeenRecords();
    const visited = new Set<string>();
    for (;;) {
      let found = 0;
      fresh.nextPage();
      try {
        for await (const record of this.#read(paginate.next ?? null, (each) => fresh.addIfNew(each))) {
          found += 1;
          yield record;
        }
      } catch (thrown) {
        if (!this.#isEnd(thrown)) throw thrown;
        return;
      }
      context.progress({ done: this.pages, total: paginate.max_pages, message: `${this.pages} pages read` });
      if (this.page !== null) visited.add(this.page.url);
      this.#start ??= this.page?.url ?? null;
      if (found === 0)
        return this.#stop(this.pages === 1 ? 'it contains no records' : 'it contained nothing new');
      if (this.#isOver(paginate)) return;
      if (!(await this.#advance(paginate, visited))) return;
    }
  }

  /** Stops at a bound of pages or time. */
  #isOver({ max_pages }: Paginate): boolean {
    const { context, deadlineMs } = this.options;
    if (this.pages >= max_pages) {
      this.#stop(`max_pages is ${max_pages}`);
      return true;
    }
    if (context.clock.monotonic() <= deadlineMs) return false;
    this.#isUnfinished = true;
    this.#stop(
      'the time limit of one call was reached; call again to continue from the page that the tab shows',
    );
    return true;
  }

  /**
   * A failure after the first page ends the walk with the records so far. A question about the document where it began
   * does not: the call waits, and starts again there. A yes for a later document would not outlast the way back.
   */
  #isEnd(thrown: unknown): boolean {
    if (this.pages === 0 || this.options.context.signal.aborted) return false;
    const { code, message, questionId } = toSpillwayError(thrown);
    if (questionId !== undefined && this.#moves === 0 && !this.#hasClicked) return false;
    this.#stop(`${code}: ${message}`);
    return true;
  }

  #stop(why: string): void {
    const pages = this.pages === 1 ? '1 page' : `${this.pages} pages`;
    this.coverage.push(`Stopped after ${pages}: ${why}.`);
  }

  #next: PageResult['next'] = null;

  /** One page. `keep` says whether a record is new. */
  async *#read(
    next: string | null | undefined,
    keep: (record: FoundRecord) => boolean,
  ): AsyncGenerator<FoundRecord, void> {
    const { bridge, target, job, context } = this.options;
    const params = { tab_id: target.tabId, request: job.request, ...(next === undefined ? {} : { next }) };
    const stream = bridge.stream(target.browser, 'page.extract', params, context);
    const { values, result } = withResult(stream);
    try {
      for await (const line of parseJsonLines(values)) {
        const record = parseFound(line);
        if (keep(record)) yield record;
      }
      this.#account(result());
    } catch (thrown) {
      throw explainTab(thrown, target, context);
    }
  }

  #account(result: PageResult): void {
    this.pages += 1;
    this.page = result.page;
    this.hiddenRecords += result.hidden_records;
    this.#next = result.next;
    if (this.pages === 1) this.tried = result.tried;
    this.#note(result.coverage);
  }

  #note(coverage: PageResult['coverage']): void {
    for (const { kind, detail } of coverage)
      if (!this.coverage.includes(`${kind}: ${detail}`)) this.coverage.push(`${kind}: ${detail}`);
  }

  /** Goes to the next page, or makes this one load more; false when the walk is over. */
  async #advance(paginate: Paginate, visited: ReadonlySet<string>): Promise<boolean> {
    try {
      const next = this.#next;
      if (next === null) {
        this.#stop(
          paginate.next === undefined
            ? 'no link to a next page was found'
            : 'paginate.next no longer matches',
        );
        return false;
      }
      if (next.url === null)
        return await this.#more(next.selector, `a click on "${next.text}" changed nothing`);
      if (visited.has(next.url)) {
        this.#stop(`the next page is ${cutUrl(next.url, URL_UNITS)}, which was read before`);
        return false;
      }
      await this.#go(next.url);
      return true;
    } catch (thrown) {
      if (!this.#isEnd(thrown)) throw thrown;
      return false;
    }
  }

  async #go(url: string): Promise<void> {
    // A page that fails is in the tab's history too.
    this.#moves += 1;
    const { status } = await this.#navigate({ action: 'goto', url });
    if (status !== null && status >= 400)
      throw new SpillwayError(
        'navigation_failed',
        `${cutUrl(url, URL_UNITS)} answers with status ${status}.`,
        { quotes: url },
      );
  }

  async #navigate(
    where: { readonly action: 'back' } | { readonly action: 'goto'; readonly url: string },
  ): Promise<MethodResult<'page.navigate'>> {
    const { target, context } = this.options;
    const timeoutMs = LIMITS.navigateTimeoutMs;
    const tab = { tab_id: target.tabId, caller: callerOf(context) };
    const params = { ...tab, ...where, wait_until: 'load', timeout_ms: timeoutMs } as const;
    return askTab(this.options, 'page.navigate', params, timeoutMs + GRACE_MS);
  }

  async #more(click: string, otherwise: string): Promise<boolean> {
    const { target, context } = this.options;
    const params = { tab_id: target.tabId, caller: callerOf(context), click, timeout_ms: MORE_TIMEOUT_MS };
    const waitMs = MORE_TIMEOUT_MS + LIMITS.pageResponseTimeoutMs + GRACE_MS;
    try {
      const { grew, coverage } = await askTab(this.options, 'page.more', params, waitMs);
      this.#note(coverage);
      if (!grew) this.#stop(otherwise);
      return grew;
    } catch (thrown) {
      // A click may lead to another page: then this one disappeared, and that one has to load.
      if (toSpillwayError(thrown).code !== 'page_changed') throw thrown;
      this.#hasClicked = true;
      await this.#awaitLoaded();
      return true;
    }
  }

  async #awaitLoaded(): Promise<void> {
    const { target, context } = this.options;
    const until = context.clock.monotonic() + CLICKED_LOAD_MS;
    for (;;) {
      const { tab } = await askTab(this.options, 'tabs.get', { tab_id: target.tabId });
      if (tab.status === 'complete') return;
      if (context.clock.monotonic() > until)
        throw new SpillwayError(
          'navigation_timeout',
          `The page that the click led to did not load within ${CLICKED_LOAD_MS} ms.`,
        );
      await delay(LOOK_MS, undefined, { signal: context.signal });
    }
  }
}

function parseFound(line: unknown): FoundRecord {
  const parsed = FoundRecord.safeParse(line);
  if (!parsed.success)
    throw new SpillwayError('stream_corrupt', 'A record of the page is malformed.', { cause: parsed.error });
  return parsed.data;
}
