import { toSpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import { documentsOfCall } from '../policy/documents.ts';
import { explainLost } from '../pages/read-tab.ts';
import { getReadableTab } from '../pages/targets.ts';
import type { ActDebugger } from './act-debugger.ts';
import { ActTraffic } from './settle.ts';
import { takeBaseline } from './receipt.ts';
import { Act } from './act.ts';
import { shownTo, type ActServices } from './act-options.ts';

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

/**
 * Fills fields and does steps in a tab, one after the other, until one fails or a dialog opens, and reports
 * what was done and what came of it.
 *
 * @throws SpillwayError where nothing could be begun: of a tab that cannot be read, or of the debugger
 */
export async function runAct(params: Params, services: ActServices, signal: AbortSignal): Promise<Result> {
  const { tab_id: tabId } = params;
  const { url: fromUrl = '' } = await getReadableTab(tabId);
  const release = services.requests.hold();
  const pending = services.requests.of(tabId).urls;
  const channels = documentsOfCall(services.channels, services.policy, { risks: ['read'] });
  const outline = { tabId, channels, shownTo: shownTo(params, services), signal };
  const attaching = attach(tabId, services, signal);
  const [attached] = await Promise.all([
    attaching,
    params.show === 'diff' ? takeBaseline(outline).catch(unlessStuck) : undefined,
  ]).catch(async (thrown: unknown) => {
    release();
    void attaching.then(
      (late) => late?.release(),
      () => undefined,
    );
    signal.throwIfAborted();
    throw await explainLost(toSpillwayError(thrown), tabId);
  });
  const opened = await services.openings.watch(tabId).catch((thrown: unknown) => {
    attached?.release();
    release();
    throw thrown;
  });
  const traffic = new ActTraffic(tabId, { pending });
  services.downloads.begin(tabId, params.caller.session);
  const stopDownloads = services.downloads.onBegin((beganIn, url) => {
    if (beganIn === tabId) traffic.leaveOut(url);
  });
  const act = new Act(params, { ...services, attached, opened, traffic, signal });
  try {
    await act.run();
    return await act.result(fromUrl);
  } finally {
    stopDownloads();
    traffic.stop();
    act.stop();
    opened.end();
    attached?.release();
    release();
  }
}

/** An act needs no baseline. A page that runs no script gives none, and cannot be acted on either. */
function unlessStuck(thrown: unknown): void {
  if (toSpillwayError(thrown).code === 'page_unresponsive') throw thrown;
}

/**
 * Null where the debugger cannot attach, for a reason that is not a person's: what they cancelled stays
 * cancelled.
 */
async function attach(
  tabId: number,
  { acting }: ActServices,
  signal: AbortSignal,
): Promise<(ActDebugger & { release(): void }) | null> {
  try {
    return await acting.acquire(tabId, signal);
  } catch (thrown) {
    if (signal.aborted || toSpillwayError(thrown).code !== 'debugger_unavailable') throw thrown;
    return null;
  }
}
