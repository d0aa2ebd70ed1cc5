import type { Bridge } from '../core/services.ts';
import { browserHops, browserLine, type BrowserLine, type HopSource } from '../crawl/source.ts';
import type { Answer, Asked } from './wire.ts';
import type { Readers } from './worker.ts';

/** How long a crawl may keep a browser for which another crawl waits: each change starts a browser. */
const SLICE_MS = 3_000;

interface Waiter {
  readonly crawl: string;
  readonly take: (slot: Slot) => void;
}

interface Opened {
  readonly bridge: Bridge;
  readonly line: BrowserLine;
}

/** A browser and the crawl that it serves: '' for one that did not start, null for one that has seen no site. */
class Slot {
  crawl: string | null = null;
  active = 0;
  /** When the crawl got it, and when it last had an answer from it. */
  sinceMs = 0;
  leftMs = 0;
  /** Of the last request of its crawl. */
  hops: HopSource | null = null;
  /** Settles when the browser has started. */
  fresh = Promise.resolve();

  constructor(public opened: Opened) {}
}

/**
 * Private browsers. Each serves one crawl at a time and starts afresh for the next: what sites have stored for one crawl
 * is not there in another.
 */
export class BrowserPool {
  readonly #slots: readonly Slot[];
  /** Requests of crawls without a browser, the oldest first. */
  readonly #waiting: Waiter[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    count: number,
    private readonly start: () => Bridge,
  ) {
    this.#slots = Array.from({ length: count }, () => new Slot(this.#open()));
  }

  /** @throws SpillwayError `browser_launch_failed` */
  async ready(): Promise<void> {
    for (const { opened } of this.#slots) await opened.bridge.ready();
  }

  readonly reader: Readers = async (crawl) => {
    const slot = await new Promise<Slot>((take) => {
      this.#waiting.push({ crawl, take });
      this.#assign();
    });
    try {
      await slot.fresh;
    } catch (thrown) {
      Object.assign(slot, { crawl: '', sinceMs: 0 });
      this.#leave(slot);
      throw thrown;
    }
    return {
      read: (asked, signal) => {
        slot.hops = hopsIn(slot.opened, asked);
        return readBy(slot.hops, asked, signal);
      },
      leave: () => this.#leave(slot),
    };
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(
      this.#slots.map(async ({ opened, fresh }) => {
        await opened.bridge.close();
        await fresh.catch(() => undefined);
      }),
    );
  }

  #open(): Opened {
    const bridge = this.start();
    return { bridge, line: browserLine({ bridge, instance: null }) };
  }

  #leave(slot: Slot): void {
    slot.active -= 1;
    slot.leftMs = performance.now();
    if (slot.active === 0) void slot.hops?.release();
    this.#assign();
  }

  /** Gives browsers to the requests that may have one now. */
  #assign(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const now = performance.now();
    for (const waiter of [...this.#waiting]) {
      const slot = this.#slotFor(waiter.crawl, now);
      if (slot === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      slot.active += 1;
      waiter.take(slot);
    }
    if (this.#waiting.length === 0) return;
    const leftMs = this.#slots.map(({ sinceMs }) => sinceMs + SLICE_MS - now).filter((ms) => ms > 0);
    if (leftMs.length > 0) this.#timer = setTimeout(() => this.#assign(), Math.min(...leftMs));
  }

  #slotFor(crawl: string, now: number): Slot | undefined {
    const isOver = ({ sinceMs }: Slot): boolean => now - sinceMs >= SLICE_MS;
    const first = this.#waiting[0]?.crawl;
    const own = this.#slots.filter(
      (slot) => slot.crawl === null || (slot.crawl === crawl && (first === crawl || !isOver(slot))),
    );
    const [least] = own.toSorted((one, other) => one.active - other.active);
    if (least?.active === 0) return this.#begin(least, crawl, now);
    const idle = this.#slots.filter((slot) => slot.active === 0 && isOver(slot));
    // A crawl without a browser gets one from another crawl; any other gets only what nobody uses.
    const free = least === undefined ? idle[0] : idle.find(({ leftMs }) => now - leftMs >= SLICE_MS);
    if (free === undefined) return least;
    const old = free.opened.bridge;
    free.opened = this.#open();
    const { bridge } = free.opened;
    free.fresh = old.close().then(() => bridge.ready());
    free.fresh.catch(() => undefined);
    Object.assign(free, { crawl: null, hops: null });
    return this.#begin(free, crawl, now);
  }

  #begin(slot: Slot, crawl: string, now: number): Slot {
    if (slot.crawl === null) Object.assign(slot, { crawl, sinceMs: now });
    return slot;
  }
}

const hopsIn = (opened: Opened, asked: Asked): HopSource => {
  const page = asked.kind === 'page' ? asked : null;
  return browserHops({
    ...opened,
    crawl: asked.crawl,
    call: null,
    render: page?.render ?? 'never',
    format: page?.format ?? 'text',
    mainContentOnly: page?.main_content_only ?? false,
    extract: page?.extract ?? undefined,
    allowPrivate: asked.allow_private,
    maxBytes: asked.max_bytes,
  });
};

async function readBy(hops: HopSource, asked: Asked, signal: AbortSignal): Promise<Answer> {
  const { kind, href, max_bytes: maxBytes } = asked;
  if (kind === 'page') return { kind, ...(await hops.hop(href, signal)) };
  return { kind, ...(await hops.resource({ href, maxBytes, signal })) };
}
