import { SpillwayError } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import { askTab, formatTabId, type TabTarget } from '../core/targets.ts';

/** Matches shown of one tab. */
const LINES_MAX = 3;

export interface OpenTab {
  readonly target: TabTarget;
  readonly described: JsonObject & { readonly title: string; readonly url: string };
  /** The session may read it, and it holds its page. */
  readonly isReadable: boolean;
}

interface Searched {
  readonly tabs: JsonObject[];
  /** By tab, the code of why its text was not searched. */
  readonly not_searched?: JsonObject;
}

/** The tabs whose title, address or visible text has the words, with the first matches of the text. */
export async function searchTabs(
  tabs: readonly OpenTab[],
  words: string,
  bridge: Bridge,
  context: CallContext,
): Promise<Searched> {
  const sought = words.toLowerCase();
  const failed = new Map<string, string>();
  const found = await Promise.all(
    tabs.map(async ({ target, described, isReadable }) => {
      const isNamed = [described.title, described.url].some((text) => text.toLowerCase().includes(sought));
      const lines = isReadable ? await findIn(target) : [];
      return isNamed || lines.length > 0 ? { ...described, ...(lines.length > 0 && { found: lines }) } : null;
    }),
  );
  return {
    tabs: found.filter((tab) => tab !== null),
    ...(failed.size > 0 && { not_searched: Object.fromEntries(failed) }),
  };

  async function findIn(target: TabTarget): Promise<readonly string[]> {
    const parts = [{ engine: 'text', body: words }];
    const params = {
      tab_id: target.tabId,
      caller: callerOf(context),
      target: { parts },
      limit: LINES_MAX,
    } as const;
    try {
      return (await askTab({ bridge, target, context }, 'page.find', params)).lines;
    } catch (thrown) {
      if (!(thrown instanceof SpillwayError) || context.signal.aborted) throw thrown;
      failed.set(formatTabId(target), thrown.code);
      return [];
    }
  }
}
