import { deadlineSignal } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { ActPage } from '../act/act-page.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { RefBook } from '../pages/ref-book.ts';

/** A page that is slower than this is not waited for: a ref of it is not found then. */
const MOST_MS = 2_000;

interface ShareOptions {
  readonly channels: PageChannels;
  readonly refBook: RefBook;
}

/** Lets a session use the refs that another one was shown: it continues what that one began. Never rejects. */
export async function shareRefs(
  { from, to }: { readonly from: string; readonly to: string },
  { channels, refBook: book }: ShareOptions,
): Promise<void> {
  const late = (): SpillwayError => new SpillwayError('timeout', 'The page did not answer in time.');
  const limited = deadlineSignal(MOST_MS, late);
  try {
    const shown = await book.share(from, to);
    const asking = shown.map(async ({ tabId, frameId, documentId }) => {
      const address = { tabId, frameId, url: '' };
      const channel = await channels.connect(address, { timeoutMs: MOST_MS, signal: limited.signal });
      if (channel.documentId !== documentId) return;
      const page = new ActPage({ address, channels, channel, shownTo: { book, viewer: to } });
      await page.ask({ do: 'share', from }, limited.signal);
    });
    await Promise.allSettled(asking);
  } catch {
    // The call that is continued says which ref it does not know.
  } finally {
    limited.release();
  }
}
