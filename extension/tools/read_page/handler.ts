import type { StreamHandler } from '../../background/handler.ts';
import { readTab, type ReadTimes } from '../../background/pages/read-tab.ts';
import type { PageChannels } from '../../background/pages/channels.ts';

/** Makes the handler of `page.read`: see {@link readTab} for what it throws. */
export function createReadPage(
  channels: PageChannels,
  times: Partial<ReadTimes> = {},
): StreamHandler<'page.read'> {
  return ({ tab_id: tabId, ...options }, { signal }, sink) =>
    readTab({ tabId, options, channels, signal, sink, times });
}
