import browser from 'webextension-polyfill';
import { z } from 'zod';
import { PICTURES_KEY, WANTED_KEY, picturesIn, type ActPictures } from '../../ports/act-pictures.ts';
import { castTab } from '../chromium/debugger/cast.ts';
import type { DebuggerSessions } from '../chromium/debugger/sessions.ts';
import type { CallPolicy } from '../policy/call-policy.ts';
import { framesOf } from '../policy/documents.ts';

/** Calls whose pictures are kept: 600 kB at most of the ten megabytes that an extension has. */
const KEPT = 30;
const WIDTH = 320;
/** In base64. */
const MOST_UNITS = 40_000;
/** A page that draws slower has no picture: an act does not wait longer for one. */
const MOST_MS = 1_500;

const Metrics = z.object({
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number().positive(),
    clientHeight: z.number().positive(),
    zoom: z.number().positive().default(1),
  }),
});
const Screenshot = z.object({ data: z.string() });

interface PicturedAct {
  readonly tabId: number;
  /** Null for a call that nobody can look up. */
  readonly callId: string | null;
  /** It types a secret, which a picture would show. */
  readonly hasSecrets: boolean;
  readonly policy: CallPolicy;
  readonly debuggers: DebuggerSessions;
  readonly signal: AbortSignal;
}

/** Runs an act between two pictures of its page, where a person wants them. They stay in this browser. */
export async function withPictures<T>(act: PicturedAct, run: () => Promise<T>): Promise<T> {
  const { callId } = act;
  const isWanted = (await browser.storage.local.get(WANTED_KEY))[WANTED_KEY] === true;
  if (!isWanted || callId === null || act.hasSecrets) return run();
  const before = await takePicture(act);
  const result = await run();
  keep({ callId, before, after: await takePicture(act) });
  return result;
}

async function takePicture({ tabId, policy, debuggers, signal }: PicturedAct): Promise<string | null> {
  try {
    // A picture shows all frames, so all of them have to be allowed.
    for (const frame of await framesOf(tabId)) if (!(await policy.allows(frame, ['read']))) return null;
    const lease = await debuggers.acquire(tabId, signal);
    const stop = await castTab(lease, MOST_MS).catch(() => null);
    try {
      const limit = { timeoutMs: MOST_MS };
      const metrics = Metrics.parse(await lease.send('Page.getLayoutMetrics', {}, limit));
      const { pageX, pageY, clientWidth, clientHeight, zoom } = metrics.cssVisualViewport;
      const clip = {
        x: pageX * zoom,
        y: pageY * zoom,
        width: clientWidth * zoom,
        height: clientHeight * zoom,
        scale: WIDTH / (clientWidth * zoom),
      };
      const options = { format: 'webp', quality: 60, clip };
      const { data } = Screenshot.parse(await lease.send('Page.captureScreenshot', options, limit));
      return data.length > MOST_UNITS ? null : `data:image/webp;base64,${data}`;
    } finally {
      await stop?.();
      await lease.release();
    }
  } catch {
    return null;
  }
}

let writing = Promise.resolve();

/** One after the other: two acts that end together must not lose one. */
function keep(pictures: ActPictures): void {
  writing = writing
    .then(async () => {
      const stored = await browser.storage.session.get(PICTURES_KEY);
      const kept = [...picturesIn(stored[PICTURES_KEY]), pictures].slice(-KEPT);
      await browser.storage.session.set({ [PICTURES_KEY]: kept });
    })
    .catch((error: unknown) => console.warn('Pictures of an act could not be kept.', error));
}
