import type { Coverage } from '../../../shared/bridge/page.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, StreamHandler, StreamSink, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { capture, type Picture } from './capture.ts';
import { findElement, type FoundElement } from './element.ts';
import { captureVisible } from './visible-tab.ts';

type Params = Omit<MethodParams<'page.screenshot'>, 'stream' | 'credit'>;

/** The methods of `screenshot`. */
export function createHandlers(services: WorkerServices): Pick<Handlers, 'page.screenshot'> {
  const turns = new Map<number, Promise<unknown>>();
  const take: StreamHandler<'page.screenshot'> = async (params, { signal }, sink) => {
    const before = turns.get(params.tab_id);
    // One at a time: the end of one picture would stop the drawing that another one waits for.
    const turn = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        signal.throwIfAborted();
        return takePicture(params, services, signal);
      });
    turns.set(params.tab_id, turn);
    try {
      return await send(await turn, sink);
    } finally {
      if (turns.get(params.tab_id) === turn) turns.delete(params.tab_id);
    }
  };
  return { 'page.screenshot': take };
}

interface Taken {
  readonly url: string;
  readonly picture: Picture;
  readonly coverage: readonly Coverage[];
}

async function takePicture(params: Params, services: WorkerServices, signal: AbortSignal): Promise<Taken> {
  const { tab_id: tabId, selector, ref, area, format, quality, max_pixels: maxPixels } = params;
  const tab = await getReadableTab(tabId);
  const { url = '' } = tab;
  const options = { format, quality, maxPixels };
  const isElement = selector !== null || ref !== null;
  let lease;
  try {
    lease = await services.debuggers.acquire(tabId, signal);
  } catch (thrown) {
    if (isElement || area !== 'viewport' || !tab.active || !isRefused(thrown)) throw thrown;
    return { url, picture: await captureVisible(tab, options, signal), coverage: [] };
  }
  let element: FoundElement | null = null;
  try {
    if (isElement)
      element = await findElement({ tabId, url, selector, ref, channels: services.channels, signal });
    const picture = await capture(lease, { ...options, area: element?.area ?? area });
    return { url, picture, coverage: coverageOf(picture, element) };
  } finally {
    element?.release();
    await lease.release();
  }
}

const isRefused = (thrown: unknown): boolean =>
  thrown instanceof SpillwayError &&
  (thrown.code === 'debugger_cancelled' || thrown.code === 'debugger_unavailable');

function coverageOf({ size }: Picture, element: FoundElement | null): Coverage[] {
  const notes: Coverage[] = [];
  const { width, height } = size.shown;
  if (size.isCut)
    notes.push({
      kind: 'cut',
      detail: `Only the first ${Math.round(width)} × ${Math.round(height)} px are shown; the rest exceeds the largest screenshot.`,
    });
  if (size.isReduced)
    notes.push({
      kind: 'reduced',
      detail: 'The image was scaled down; at full size it would be too large.',
    });
  if (element?.isClipped === true)
    notes.push({ kind: 'clipped', detail: 'A part of the element is clipped by its container.' });
  if (element !== null && element.matches > 1)
    notes.push({ kind: 'several_matches', detail: `${element.matches} elements match; this is the first.` });
  return notes;
}

async function send(
  { url, picture, coverage }: Taken,
  sink: StreamSink,
): Promise<MethodResult<'page.screenshot'>> {
  let units = 0;
  let padding = 0;
  for await (const piece of picture.pieces) {
    units += piece.length;
    padding = piece.endsWith('==') ? 2 : piece.endsWith('=') ? 1 : 0;
    await sink.write(piece);
  }
  const { width, height, scale, shown } = picture.size;
  return {
    url,
    width,
    height,
    scale,
    size_bytes: (units / 4) * 3 - padding,
    shown: { ...shown },
    coverage: [...coverage],
  };
}
