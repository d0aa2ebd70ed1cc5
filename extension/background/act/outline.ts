import type { PageChannels } from '../pages/channels.ts';
import { readTab } from '../pages/read-tab.ts';
import type { ShownTo } from '../pages/ref-book.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { ReadPageOptions } from '../../../shared/tools/read_page/options.ts';

export interface OutlineReader {
  readonly tabId: number;
  readonly channels: PageChannels;
  readonly shownTo: ShownTo;
  readonly signal: AbortSignal;
}

const SNAPSHOT: ReadPageOptions = {
  format: 'snapshot',
  selector: null,
  main_content_only: false,
  include_links: false,
  include_hidden: false,
};

type Read = MethodResult<'page.read'>;

/** Remembers what a page says before an act, unless the session was shown it. */
export async function takeBaseline(reader: OutlineReader): Promise<void> {
  await readOutline(reader, { diff: true, purpose: 'baseline' });
}

/** What a page says after an act: all of it, or what has changed. */
export function readReceipt(
  reader: OutlineReader,
  { diff, budget }: { readonly diff: boolean; readonly budget: number },
): Promise<{ readonly text: string; readonly read: Read }> {
  return readOutline(reader, { diff, budget, purpose: 'receipt' });
}

async function readOutline(
  reader: OutlineReader,
  more: Partial<ReadPageOptions>,
): Promise<{ readonly text: string; readonly read: Read }> {
  let text = '';
  const sink = {
    write: (part: string): Promise<void> => {
      text += part;
      return Promise.resolve();
    },
    flush: () => Promise.resolve(),
  };
  const read = await readTab({ ...reader, options: { ...SNAPSHOT, ...more }, sink });
  return { text, read };
}
