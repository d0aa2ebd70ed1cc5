import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { PageChannel } from '../../background/pages/channel.ts';
import type { PageChannels } from '../../background/pages/channels.ts';
import { FrameFinder } from '../../background/pages/frame-finder.ts';
import type { Boxed, BoxTarget } from '../../page/protocol.ts';
import type { Area } from './picture-size.ts';

export interface ElementQuery {
  readonly tabId: number;
  readonly url: string;
  readonly selector: string | null;
  readonly ref: string | null;
  readonly channels: PageChannels;
  readonly signal: AbortSignal;
}

/** Where an element shows in the top document. */
export interface FoundElement {
  readonly area: Area;
  readonly isClipped: boolean;
  readonly matches: number;
  /** Lets the page put back what it scrolled. */
  release(): void;
}

const REF = /^((?:f\d+)*)(e\d+)$/;

/**
 * Finds an element by a CSS selector, or by a ref, which may lead through frames (`f2f1e13`).
 *
 * @throws SpillwayError `selector_invalid`, `selector_not_found`, `ref_not_found`,
 * `screenshot_failed` when it does not show, and what a page that does not answer throws
 */
export async function findElement(query: ElementQuery): Promise<FoundElement> {
  const search = new Search(query);
  try {
    const { area, boxed } = await search.find();
    return {
      area,
      isClipped: boxed.isClipped,
      matches: boxed.matches,
      release: () => search.release(),
    };
  } catch (thrown) {
    search.release();
    query.signal.throwIfAborted();
    throw thrown;
  }
}

class Search {
  readonly #query: ElementQuery;
  readonly #asked: { readonly channel: PageChannel; readonly id: number }[] = [];

  constructor(query: ElementQuery) {
    this.#query = query;
  }

  async find(): Promise<{ area: Area; boxed: Boxed }> {
    const { tabId, url, selector, ref, channels, signal } = this.#query;
    const timeoutMs = LIMITS.pageResponseTimeoutMs;
    let channel = await channels.connect({ tabId, frameId: 0, url }, { timeoutMs, signal });
    const [, path = '', own = ''] = ref === null ? [] : (REF.exec(ref) ?? []);
    if (selector !== null) return this.#last(channel, { selector }, []);
    if (own === '') throw refNotFound(ref, 'is not a snapshot ref such as e13');
    const finder = new FrameFinder({ tabId, channels, timeoutMs, signal });
    const frames: Boxed[] = [];
    for (const [, number] of path.matchAll(/f(\d+)/g)) {
      const boxed = await this.#ask(channel, { frame: Number(number) }, frames.length === 0);
      const inner = boxed.frame === null ? null : await finder.find(boxed.frame, channel);
      if (inner === null) throw refNotFound(ref, 'is in a frame that no longer exists');
      frames.push(boxed);
      channel = inner;
    }
    return this.#last(channel, { ref: own }, frames);
  }

  async #last(channel: PageChannel, target: BoxTarget, frames: readonly Boxed[]) {
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
    return { area, boxed: { ...boxed, isClipped } };
  }

  async #ask(channel: PageChannel, target: BoxTarget, isTop: boolean): Promise<Boxed> {
    const { tabId, url, channels, signal } = this.#query;
    const timeoutMs = LIMITS.pageResponseTimeoutMs;
    const id = channels.nextId();
    channel.open(id);
    this.#asked.push({ channel, id });
    channel.post({ type: 'box', id, target, isTop });
    const message = `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`;
    const answer = await channel.receive(id, { timeoutMs, signal, code: 'page_unresponsive', message });
    if (answer.type === 'boxed') return answer.boxed;
    throw new SpillwayError('internal_error', `The page answered ${answer.type} instead of a box.`);
  }

  release(): void {
    for (const { channel, id } of this.#asked.splice(0).reverse()) channel.release(id);
  }
}

const refNotFound = (ref: string | null, why: string): SpillwayError =>
  new SpillwayError('ref_not_found', `ref: ${JSON.stringify(cut(ref ?? '', 40))} ${why}.`);

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
