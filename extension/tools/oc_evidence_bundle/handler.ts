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
export function createHandlers({
  debuggers,
  personTabs,
}: WorkerServices): Pick<Handlers, 'page.mhtml' | 'page.facts'> {
  const facts: StreamHandler<'page.facts'> = async ({ tab_id: tabId, part }, { signal, policy }, sink) => {
    const { url = '' } = await getReadableTab(tabId);
    const place = { tabId, frameId: 0, url };
    const written: string[] = [];
    const lines: AsyncIterable<JsonObject> = SOURCES[part]({ place, debuggers, personTabs, signal });
    for await (const line of lines) written.push(`${JSON.stringify(line)}\n`);
    // The page may have gone elsewhere meanwhile.
    await policy.expectTab(tabId, ['read']);
    for (const line of written) await sink.write(line);
    return { items: written.length };
  };
  return { 'page.mhtml': mhtml, 'page.facts': facts };
}
