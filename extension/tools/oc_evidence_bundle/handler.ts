import type { MethodParams } from '../../../shared/bridge/methods.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Handlers, StreamHandler, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { listCookies } from './cookies.ts';
import type { FactSource } from './fact-source.ts';
import { mhtml } from './mhtml.ts';
import { describePage } from './page-facts.ts';
import { listPerformance } from './performance.ts';
import { listStorage } from './storage.ts';

const SOURCES: Readonly<Record<MethodParams<'page.facts'>['part'], FactSource>> = {
  cookies: listCookies,
  storage: listStorage,
  performance: listPerformance,
  facts: describePage,
};

/** The methods of `oc_evidence_bundle`. */
export function createHandlers({ debuggers }: WorkerServices): Pick<Handlers, 'page.mhtml' | 'page.facts'> {
  const facts: StreamHandler<'page.facts'> = async ({ tab_id: tabId, part }, { signal }, sink) => {
    const { url = '' } = await getReadableTab(tabId);
    const place = { tabId, frameId: 0, url };
    let items = 0;
    const lines: AsyncIterable<JsonObject> = SOURCES[part]({ place, debuggers, signal });
    for await (const line of lines) {
      await sink.write(`${JSON.stringify(line)}\n`);
      items += 1;
    }
    return { items };
  };
  return { 'page.mhtml': mhtml, 'page.facts': facts };
}
