import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { FindTarget } from '../../../shared/find/find.methods.ts';
import type { AwaitedTarget, FoundInDocument, FrameMark } from '../../core/page/protocol.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { FrameFinder, nameOfFrame } from '../../core/pages/frame-finder.ts';
import { explaining } from '../../read/worker/read-tab.ts';
import type { RefBook } from '../../core/pages/ref-book.ts';
import { getReadableTab } from '../../core/pages/targets.ts';

const ANSWER_MS = 20_000;
const FRAME_MS = 3_000;
const MAX_DEPTH = 16;

export interface FindInTab extends Omit<MethodParams<'page.find'>, 'target'> {
  readonly target: FindTarget | AwaitedTarget;
  readonly channels: PageChannels;
  readonly refs: RefBook;
  readonly signal: AbortSignal;
}

type FoundInTab = MethodResult<'page.find'>;

/**
 * Finds elements in all documents of a tab. The page around a frame knows its path, so a frame that the page
 * itself searches is not asked too.
 * @throws SpillwayError `selector_invalid`, `tab_not_found`, `tab_discarded`, `page_forbidden`,
 *   `page_crashed`, `page_unresponsive`, `page_changed`, or the signal's reason
 */
export async function findInTab(find: FindInTab): Promise<FoundInTab> {
  const { tab_id: tabId, channels, signal } = find;
  const { url = '', title = '' } = await getReadableTab(tabId);
  const finder = new FrameFinder({ tabId, channels, timeoutMs: FRAME_MS, signal });
  const search = new Search(find, finder);
  await explaining(tabId, signal, async () => {
    const channel = await channels.connect({ tabId, frameId: 0, url }, { timeoutMs: ANSWER_MS, signal });
    await search.ask(channel, { prefix: '', depth: 0 });
  });
  return { url, title, ...search.result() };
}

/**
 * Counts a ref's element in the document that showed it: 0 if the page no longer has it.
 * @throws SpillwayError `ref_not_found`, `stale_ref` if the tab has left the document, or as {@link findInTab}
 */
export async function findRef(
  find: Omit<FindInTab, 'target' | 'limit'> & { readonly ref: string },
): Promise<FoundInDocument> {
  const { tab_id: tabId, channels, refs, signal, ref } = find;
  const { session: viewer } = find.caller;
  const { url = '' } = await getReadableTab(tabId);
  const { frameId, documentId, prefix } = await refs.find(ref, { tabId, viewer });
  const timeoutMs = frameId === 0 ? ANSWER_MS : FRAME_MS;
  const channel = await channels.connect({ tabId, frameId, url }, { timeoutMs, signal });
  if (channel.documentId !== documentId)
    throw new SpillwayError('stale_ref', `The page of ref ${ref} was left.`);
  const asked = { target: { ref, viewer }, limit: 0, prefix: prefix ?? '', showing: null };
  const waiting = { timeoutMs, signal };
  return (await channel.ask((id) => ({ type: 'find', id, ...asked }), 'found', waiting)).found;
}

class Search {
  readonly #answers: FoundInDocument[] = [];
  readonly #unread: string[] = [];

  constructor(
    private readonly find: FindInTab,
    private readonly finder: FrameFinder,
  ) {}

  /** Asks a document, and the frames in it that it cannot search. */
  async ask(channel: PageChannel, place: { readonly prefix: string; readonly depth: number }): Promise<void> {
    const { signal, target, limit, refs, caller } = this.find;
    const { prefix, depth } = place;
    // A counting caller sees no refs.
    const loan = limit > 0 ? await refs.lendFew(channel, { viewer: caller.session, prefix }) : null;
    const asked = { target, limit, prefix, showing: loan?.showing ?? null };
    const waiting = { timeoutMs: depth === 0 ? ANSWER_MS : FRAME_MS, signal, borrowed: loan };
    const { found } = await channel.ask((id) => ({ type: 'find', id, ...asked }), 'found', waiting);
    await loan?.stored;
    this.#answers.push(found);
    for (const frame of found.frames) await this.#askFrame(frame, channel, place);
  }

  async #askFrame(
    frame: FrameMark,
    parent: PageChannel,
    { prefix, depth }: { readonly prefix: string; readonly depth: number },
  ): Promise<void> {
    try {
      const channel = depth < MAX_DEPTH ? await this.finder.find(frame) : null;
      if (channel === null) this.#unread.push(frame.src);
      else await this.ask(channel, { prefix: `${prefix}f${frame.number}`, depth: depth + 1 });
    } catch (thrown) {
      this.find.signal.throwIfAborted();
      if (parent.isClosed || toSpillwayError(thrown).code === 'internal_error') throw thrown;
      this.#unread.push(frame.src);
    }
  }

  result(): Omit<FoundInTab, 'url' | 'title'> {
    const hits = this.#answers.flatMap((each) => each.hits).toSorted((a, b) => b.score - a.score);
    const total = (key: 'more' | 'hidden'): number => this.#answers.reduce((sum, each) => sum + each[key], 0);
    const { limit } = this.find;
    return {
      lines: hits.slice(0, limit).map(({ line }) => line),
      more: total('more') + Math.max(0, hits.length - limit),
      is_more_counted: this.#answers.every(({ isCounted }) => isCounted),
      hidden: total('hidden'),
      nearest: hits.length > 0 ? [] : this.#answers.flatMap(({ nearest }) => nearest).slice(0, 3),
      coverage: this.#unread.slice(0, 5).map((src) => ({
        kind: 'closed_frame',
        detail: `${nameOfFrame(src)} could not be searched.`,
      })),
    };
  }
}
