import browser from 'webextension-polyfill';
import { withDeadline } from '../../core/link/interrupt.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { connectPage } from '../../act/worker/act-page.ts';
import type { WorkerServices } from '../../core/handler.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { framesOf } from '../../core/policy/documents.ts';
import type { Box, PageAnswers } from '../../core/ports/page-answers.ts';

/** The concealed parts of a tab; `isDenied`: the rules keep a frame of it from the agent. */
export interface Look {
  readonly isDenied: boolean;
  /** Where the page is. */
  readonly url: string;
  readonly covers: readonly Box[];
  readonly view: PageAnswers['concealed']['view'];
}

interface Looking extends Pick<WorkerServices, 'channels' | 'refBook'> {
  readonly tabId: number;
  readonly policy: Pick<CallPolicy, 'passes'>;
  readonly signal: AbortSignal;
}

/** A slower page is asked again for the next picture. */
const LOOK_MS = 1_500;

/** Where the fields with secrets are, in the tab's viewport; null if the page does not say. */
export async function look(looking: Looking): Promise<Look | null> {
  const { tabId, policy, signal } = looking;
  const places = await framesOf(tabId);
  const [top] = places;
  if (top === undefined) return null;
  const { url } = top;
  if (!places.every((place) => policy.passes(place, ['read'])))
    return { isDenied: true, url, covers: [], view: { width: 1, height: 1, scale: 1 } };
  const late = (): SpillwayError => new SpillwayError('page_unresponsive', `Tab ${tabId} did not answer.`);
  return withDeadline(LOOK_MS, late, (limited) => lookAt(looking, url, limited), signal);
}

async function lookAt(looking: Looking, url: string, signal: AbortSignal): Promise<Look | null> {
  const { tabId } = looking;
  const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
  const asked = frames.map(async ({ frameId, url: at }) => {
    const page = await connectPage(looking, { tabId, frameId, url: at }, { timeoutMs: LOOK_MS, signal });
    return page.ask({ do: 'concealed' }, signal);
  });
  const answers = await Promise.all(asked.map((one) => one.catch(() => null)));
  const page = answers[frames.findIndex(({ frameId }) => frameId === 0)];
  if (page == null) return null;
  // A frame that the page cannot enter is painted over as a whole.
  const isHidden = answers.some(
    (answer) => answer === null || (!answer.isInTab && answer.secrets.length > 0),
  );
  return {
    isDenied: false,
    url,
    covers: isHidden ? [...page.secrets, ...page.frames] : page.secrets,
    view: page.view,
  };
}
