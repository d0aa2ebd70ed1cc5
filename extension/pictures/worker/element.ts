import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import type { RefPlace, ShownTo } from '../../core/pages/ref-book.ts';
import { FrameFinder } from '../../core/pages/frame-finder.ts';
import { framesDrawn } from '../../core/in-page/document.ts';
import type { Boxed, BoxTarget } from '../../core/page/protocol.ts';
import type { Area } from './capture.ts';

const DRAWN = 4;
const DRAWN_MS = 8_000;

export interface ElementQuery {
  readonly tabId: number;
  readonly url: string;
  readonly selector: string | null;
  readonly ref: string | null;
  readonly shownTo: ShownTo;
  readonly channels: PageChannels;
  readonly signal: AbortSignal;
}

export interface FoundElement {
  readonly area: Area;
  readonly isClipped: boolean;
  readonly matches: number;
  /**
   * Resolves when its frame has been drawn at its new scroll position: a frame in another process is drawn separately,
   * and later. Bounded.
   */
  drawn(): Promise<unknown>;
  readonly note: string | null;
  /** Lets the page restore its scroll positions. */
  release(): void;
}

/**
 * Finds an element by a CSS selector, or by a ref, which may lead through frames (`f2f1e13`).
 * @throws SpillwayError `selector_invalid`, `selector_not_found`, `ref_not_found`, `stale_ref`, `screenshot_failed` if
 * it is not visible, and the errors of a page that does not answer
 */
export async function findElement(query: ElementQuery): Promise<FoundElement> {
  const search = new Search(query);
  try {
    const { area, boxed, frameId } = await search.find();
    return {
      area,
      isClipped: boxed.isClipped,
      matches: boxed.matches,
      note: boxed.note,
      drawn: () => (frameId === 0 ? Promise.resolve() : drawnIn(query.tabId, frameId)),
      release: () => search.release(),
    };
  } catch (thrown) {
    search.release();
    query.signal.throwIfAborted();
    throw thrown;
  }
}

class Search {
  readonly #asked: { readonly channel: PageChannel; readonly id: number }[] = [];

  constructor(private readonly query: ElementQuery) {}

  async find(): Promise<{ area: Area; boxed: Boxed; frameId: number }> {
    const { tabId, url, selector, ref, shownTo, channels, signal } = this.query;
    const timeoutMs = LIMITS.pageResponseTimeoutMs;
    const place = ref === null ? null : await shownTo.book.find(ref, { tabId, viewer: shownTo.viewer });
    let channel = await channels.connect({ tabId, frameId: 0, url }, { timeoutMs, signal });
    if (selector !== null) return this.#last(channel, { selector }, []);
    if (ref === null || place === null) throw new SpillwayError('internal_error', 'No element was named.');
    const finder = new FrameFinder({ tabId, channels, timeoutMs, signal });
    const frames: Boxed[] = [];
    for (const [, number] of (place.prefix ?? '').matchAll(/f(\d+)/g)) {
      const boxed = await this.#ask(channel, { frame: Number(number) }, frames.length === 0);
      const inner = boxed.frame === null ? null : await finder.find(boxed.frame);
      if (inner === null) throw goneWith(ref);
      frames.push(boxed);
      channel = inner;
    }
    if (channel.documentId !== place.documentId) throw goneWith(ref);
    return this.#last(channel, { ref, place }, frames);
  }

  async #last(
    channel: PageChannel,
    target: { readonly selector: string } | { readonly ref: string; readonly place: RefPlace },
    frames: readonly Boxed[],
  ) {
    const boxed = await this.#ask(channel, target, frames.length === 0);
    let area: Area = boxed.box;
    let { isClipped } = boxed;
    for (const { box, frame } of frames.toReversed()) {
      const { x = 0, y = 0, scale = 1 } = frame ?? {};
      const moved = {
        x: x + area.x * scale,
        y: y + area.y * scale,
        width: area.width * scale,
        height: area.height * scale,
      };
      area = intersect(moved, box);
      isClipped ||= area.width < moved.width - 1 || area.height < moved.height - 1;
    }
    if (area.width <= 0 || area.height <= 0)
      throw new SpillwayError('screenshot_failed', 'The element is clipped by its frame.');
    return { area, boxed: { ...boxed, isClipped }, frameId: channel.frameId };
  }

  async #ask(channel: PageChannel, target: BoxTarget & { place?: RefPlace }, isTop: boolean): Promise<Boxed> {
    const { tabId, url, shownTo, signal } = this.query;
    const { place, ...element } = target;
    // The page names other elements by refs if this one is gone.
    const loan = place === undefined ? null : await shownTo.book.lendFew(channel, { viewer: shownTo.viewer });
    const id = channel.open(loan);
    this.#asked.push({ channel, id });
    channel.post({ type: 'box', id, target: element, isTop, showing: loan?.showing ?? null });
    const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal, name: `Tab ${tabId} (${url})` };
    return (await channel.receiveA('boxed', id, waiting)).boxed;
  }

  release(): void {
    for (const { channel, id } of this.#asked.splice(0).reverse()) channel.release(id);
  }
}

function drawnIn(tabId: number, frameId: number): Promise<unknown> {
  const target = { tabId, frameIds: [frameId] };
  const call = { target, injectImmediately: true, func: framesDrawn, args: [DRAWN] };
  const drawn = browser.scripting.executeScript(call).catch(() => undefined);
  return waitAtMost(drawn, DRAWN_MS);
}

const goneWith = (ref: string): SpillwayError =>
  new SpillwayError('stale_ref', `ref: ${JSON.stringify(cut(ref, 40))} is in a frame that no longer exists.`);

function intersect(a: Area, b: Area): Area {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  };
}
