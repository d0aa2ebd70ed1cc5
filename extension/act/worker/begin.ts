import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { risksOfAct } from '../../../shared/core/policy/call-risks.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import { isWithoutDebugger } from '../../platform/chromium/debugger/send-command.ts';
import { explainLost } from '../../read/worker/read-tab.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import type { ActDebugger } from './act-debugger.ts';
import { openInput } from './gate.ts';
import { readableOf, shownTo, type ActOptions, type ActServices, deniedIn, readOutline } from './receipt.ts';
import { ActTraffic } from './settle.ts';

type Params = MethodParams<'act.run'>;

/** Writes the ledger while the element is searched for. If a person is asked, the line waits for their approval. */
export async function tellAhead(params: Params, url: string, policy: CallPolicy): Promise<void> {
  const place = { url, tabId: params.tab_id, documentId: null };
  const risks = risksOfAct(params);
  if (siteOf(url) === null || policy.effect(place, risks) !== 'allow') return;
  await policy.expect(place, risks, { asks: false, waits: false });
}

/** Attaches, and records the page before the act. */
export async function begin(
  params: Params,
  services: ActServices,
  signal: AbortSignal,
  ends: (() => void)[],
): Promise<ActOptions> {
  const { tab_id: tabId, caller, show } = params;
  const { requests, openings, downloads } = services;
  ends.push(requests.hold());
  const pending = requests.of(tabId).urls;
  const attaching = attach(tabId, services, signal);
  const opened = openings.watch(tabId);
  // Also reverts lines after a failure.
  ends.push(
    () => void attaching.then((attached) => attached?.release(), ignore),
    () => opened.end(),
  );
  // It may be read before the ledger line is written: the agent sees it only in the receipt.
  const channels = readableOf(services, false);
  const outline = { tabId, channels, shownTo: shownTo(params, services), signal };
  const denied = deniedIn(tabId);
  // Unless the session has already seen the page.
  const seen = show === 'diff' ? readOutline(outline, { diff: true, purpose: 'baseline' }) : null;
  const baseline = Promise.all([seen, denied]).then(ignore, unlessStuck);
  baseline.catch(ignore);
  const attached = await attaching.catch(async (thrown: unknown) => {
    signal.throwIfAborted();
    throw await explainLost(toSpillwayError(thrown), tabId);
  });
  const input = await openInput({ tabId, attached, server: services.server, signal });
  const traffic = new ActTraffic(tabId, pending);
  downloads.begin(tabId, caller.session);
  const stopDownloads = downloads.onBegin((beganIn, url) => {
    if (beganIn === tabId) traffic.leaveOut(url);
  });
  ends.push(() => traffic.stop(), stopDownloads, downloads.hold(tabId));
  return { ...services, attached, input, opened, baseline, denied, traffic, signal };
}

const ignore = (): void => undefined;

/** An act needs no baseline. A page that runs no script has none, and cannot be acted on either. */
function unlessStuck(thrown: unknown): void {
  if (toSpillwayError(thrown).code === 'page_unresponsive') throw thrown;
}

/** Null if the debugger cannot attach; but a person's Cancel is an error. */
async function attach(
  tabId: number,
  { acting }: ActServices,
  signal: AbortSignal,
): Promise<(ActDebugger & { release(): void }) | null> {
  try {
    return await acting.acquire(tabId, signal);
  } catch (thrown) {
    if (signal.aborted || !isWithoutDebugger(toSpillwayError(thrown).code)) throw thrown;
    return null;
  }
}
