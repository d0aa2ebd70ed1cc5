import { delay } from '../../../../shared/async/wait.ts';
import { askPage } from '../../../background/pages/ask-page.ts';
import type { PageChannel } from '../../../background/pages/channel.ts';
import type { PageChannels } from '../../../background/pages/channels.ts';
import type { TabTraffic } from './tab-traffic.ts';

/** Without a change of its tree, and without a request for data or code, a page counts as settled. */
const QUIET_MS = 100;
/** A page that never rests is read after this. */
const MOST_MS = 3_000;
const PULSE_MS = 2_000;

export interface Settling {
  readonly channels: PageChannels;
  readonly channel: PageChannel;
  readonly tabId: number;
  readonly traffic: TabTraffic;
  readonly signal: AbortSignal;
}

/**
 * Waits after `load` until a page has settled: its tree was the same for 100 ms and no fetch, script
 * or frame was pending, or 3 s have passed. A page without scripts is settled as it is. The waits
 * are the worker's own: a hidden page's timers cannot be relied on.
 *
 * @throws SpillwayError `page_changed`, `page_unresponsive`, or the signal's reason
 */
export async function settle({ channels, channel, tabId, traffic, signal }: Settling): Promise<void> {
  const endsAt = performance.now() + MOST_MS;
  let before = await pulse(channels, channel, signal);
  while (!before.isStatic && performance.now() < endsAt) {
    await delay(QUIET_MS, signal);
    const now = await pulse(channels, channel, signal);
    if (now.changes === before.changes && !traffic.isBusy(tabId)) return;
    before = now;
  }
}

async function pulse(
  channels: PageChannels,
  channel: PageChannel,
  signal: AbortSignal,
): Promise<{ readonly changes: number; readonly isStatic: boolean }> {
  const asking = { channels, channel, timeoutMs: PULSE_MS, signal };
  return askPage(asking, (id) => ({ type: 'pulse', id }), 'pulsed');
}
