import * as z from 'zod/mini';
import { delay, withTimeout } from '../../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../../shared/base/errors.ts';
import { hear } from './exchange.ts';
import type { DebuggerLease } from './sessions.ts';

/** The pictures themselves are unused. */
const PICTURES = { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16, everyNthFrame: 1_000 };

/** A cast of a tab, and the leases that need it. */
interface Cast {
  readonly leases: Set<DebuggerLease>;
  started: Promise<unknown>;
}

/** By tab. Losing the attachment also ends its cast. */
const casts = new Map<number, Cast>();

const isNeeded = ({ leases }: Cast): boolean => [...leases].some(({ signal }) => !signal.aborted);

/**
 * Keeps a tab drawing 60 times a second, even while hidden, until the returned function is called. Chromium refuses a
 * second cast of the same tab, so all callers share one.
 * @param timeoutMs of the command
 * @param pictures restarts the cast with these: the first is sent at once
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function castTab(
  lease: DebuggerLease,
  timeoutMs?: number,
  pictures?: typeof PICTURES,
): Promise<() => Promise<void>> {
  const { tabId } = lease;
  const cast = castOf(lease, timeoutMs, pictures);
  cast.leases.add(lease);
  // A failed restart ends the cast: the lease may be in a later one.
  const stop = async (): Promise<void> => {
    const now = casts.get(tabId);
    if (now?.leases.delete(lease) !== true || isNeeded(now)) return;
    casts.delete(tabId);
    await lease.send('Page.stopScreencast').catch(() => undefined);
  };
  const late = (): SpillwayError =>
    new SpillwayError('page_unresponsive', `Tab ${tabId} did not start drawing within ${timeoutMs} ms.`);
  try {
    await withTimeout(cast.started, timeoutMs ?? Infinity, late, lease.signal);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return stop;
}

/** The cast of the lease's tab, which another caller may be starting. */
function castOf(lease: DebuggerLease, timeoutMs: number | undefined, pictures?: typeof PICTURES): Cast {
  const known = casts.get(lease.tabId);
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  if (known !== undefined && isNeeded(known)) {
    if (pictures === undefined) return known;
    // It may be stopped meanwhile.
    const isOn = (): boolean => casts.get(lease.tabId) === known && isNeeded(known);
    const again = async (): Promise<void> => {
      if (isOn()) await lease.send('Page.stopScreencast', {}, options);
      if (isOn()) await start(lease, pictures, options);
    };
    known.started = known.started.catch(() => undefined).then(again);
    return known;
  }
  const cast = { leases: new Set<DebuggerLease>(), started: start(lease, pictures ?? PICTURES, options) };
  casts.set(lease.tabId, cast);
  return cast;
}

const BETWEEN_PAGES = 'Not attached to an active page';
const SWAP_MS = 50;
const SWAPS = 40;

/** A tab has no page while one replaces another: the cast starts in the next. */
async function start(
  lease: DebuggerLease,
  pictures: typeof PICTURES,
  options: { readonly timeoutMs?: number },
): Promise<void> {
  for (let left = SWAPS; ; left -= 1) {
    try {
      await lease.send('Page.startScreencast', pictures, options);
      return;
    } catch (thrown) {
      if (left === 0 || !toSpillwayError(thrown).message.includes(BETWEEN_PAGES)) throw thrown;
      await delay(SWAP_MS, lease.signal);
    }
  }
}

const CastFrame = z.object({
  data: z.string(),
  sessionId: z.int(),
  metadata: z.object({ timestamp: z.optional(z.number()) }),
});

/** A picture of a cast. The browser sends only a few that are not acknowledged. */
export interface CastPicture {
  readonly id: number;
  /** In base64. */
  readonly data: string;
  /** When the page was drawn, as far as the browser knows. */
  readonly atMs: number;
}

export const onCastPicture = (lease: DebuggerLease, listener: (picture: CastPicture) => void): (() => void) =>
  hear(lease, 'Page.screencastFrame', CastFrame, ({ data, sessionId: id, metadata }, session) => {
    if (session !== null) return;
    listener({ id, data, atMs: Math.min(Date.now(), (metadata.timestamp ?? Infinity) * 1_000) });
  });

export const acknowledge = (lease: DebuggerLease, id: CastPicture['id']): void =>
  void lease.send('Page.screencastFrameAck', { sessionId: id }).catch(() => undefined);
