import { isWithoutDebugger } from '../../platform/chromium/debugger/send-command.ts';
import type { Tabs } from 'webextension-polyfill';
import { z } from 'zod';
import type { Coverage } from '../../../shared/core/bridge/page.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { TilesHead } from '../../../shared/pictures/screenshot.methods.ts';
import type { HandlerContext, Handlers, StreamSink, WorkerServices } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';
import { getReadableTab, runInPage } from '../../core/pages/targets.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import { readView } from '../../core/in-page/document.ts';
import { createCanvas, decodePicture, encodePicture, visibleTab } from '../../core/tabs/visible-tab.ts';
import { capture, type Picture, type CaptureOptions, fitPicture } from './capture.ts';
import { findElement, type FoundElement } from './element.ts';
import { captureFullPage, type SentTiles } from './full-page.ts';
import { drawRefs } from './refs.ts';
import { holdPieces, SentPictures } from './sent-pictures.ts';

const View = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  pixelRatio: z.number().positive(),
});

/**
 * Takes the viewport of a front tab without the debugger.
 * @throws SpillwayError `screenshot_failed` if the window shows nothing; injection errors
 */
async function captureVisible(tab: Tabs.Tab, options: CaptureOptions, signal: AbortSignal): Promise<Picture> {
  const { id = -1, url = '' } = tab;
  const view = await runInPage({ target: { tabId: id }, url, func: readView, signal });
  const { pixelRatio, ...area } = View.parse(view);
  const picture = await visibleTab(tab, signal);
  signal.throwIfAborted();
  const size = fitPicture(area, pixelRatio, options.maxPixels);
  const bitmap = await decodePicture(picture);
  const [canvas, context] = createCanvas(size.width, size.height);
  const rows = (bitmap.width * size.height) / size.width;
  context.drawImage(bitmap, 0, 0, bitmap.width, rows, 0, 0, size.width, size.height);
  bitmap.close();
  return { size, pieces: encodePicture(canvas, options.format, options.quality) };
}

type Params = Omit<MethodParams<'page.screenshot'>, 'stream' | 'credit'>;

/** The methods of `screenshot`. */
export function createHandlers(services: WorkerServices): Pick<Handlers, 'page.screenshot'> {
  const turns = new WorkOrder<number>();
  const sent = new SentPictures();
  return {
    'page.screenshot': async (params, context, sink) => {
      const { tab_id: tabId } = params;
      // One at a time: the end of one picture would stop the drawing that another one waits for.
      const taken = await turns.run(tabId, () => {
        context.signal.throwIfAborted();
        return takePicture(params, services, context, sink);
      });
      // The page may have navigated meanwhile.
      await context.policy.expectFrames(tabId, ['read']);
      return send(taken, params, { sink, sent });
    },
  };
}

/** @param sink for tiles, which are sent while they are taken */
async function takePicture(
  params: Params,
  services: WorkerServices,
  { signal, policy }: HandlerContext,
  sink: StreamSink,
) {
  const { tab_id: tabId, selector, ref, caller, area, format, quality, max_pixels: maxPixels } = params;
  const tab = await getReadableTab(tabId);
  // A picture shows frames as well as the page.
  await policy.expectFrames(tabId, ['read']);
  const { url = '' } = tab;
  const options = { format, quality, maxPixels };
  const isElement = selector !== null || ref !== null;
  const asking = () => ({
    tabId,
    url,
    channels: documentsOfCall(services.channels, policy, { risks: ['read'] }),
    shownTo: { book: services.refBook, viewer: caller.session },
    signal,
  });
  const withRefs = (within: FoundElement | null, take: (how: CaptureOptions) => Promise<Picture>) =>
    params.refs === true
      ? drawRefs({ ...asking(), within: within?.area ?? null }, options, take)
      : take(options).then((picture) => ({ picture, notes: [] }));
  let lease;
  try {
    lease = await services.debuggers.acquire(tabId, signal);
  } catch (thrown) {
    const isWhole = isElement || (area === 'full_page' && params.whole === true);
    if (isWhole || !tab.active || !isRefused(thrown)) throw thrown;
    const { notes, ...taken } = await withRefs(null, (how) => captureVisible(tab, how, signal));
    return { url, ...taken, coverage: area === 'viewport' ? [...notes] : [viewportOnly(thrown), ...notes] };
  }
  let element: FoundElement | null = null;
  try {
    if (area === 'full_page') {
      const write = (text: string): Promise<void> => sink.write(text);
      const picture = await captureFullPage(lease, { ...options, url, tiles: params.tiles, signal, write });
      return { url, picture, coverage: coverageOf(picture, null) };
    }
    if (isElement) element = await findElement({ ...asking(), selector, ref });
    const [attached, wanted] = [lease, element ?? area];
    const { notes, ...taken } = await withRefs(element, (how) => capture(attached, wanted, how));
    return { url, ...taken, coverage: [...coverageOf(taken.picture, element), ...notes] };
  } finally {
    element?.release();
    await lease.release();
  }
}

const isRefused = (thrown: unknown): thrown is SpillwayError =>
  thrown instanceof SpillwayError && (thrown.code === 'debugger_cancelled' || isWithoutDebugger(thrown.code));

const viewportOnly = ({ code }: SpillwayError): Coverage => ({
  kind: 'viewport_only',
  detail: `Only the part in view is shown: a full page needs the debugger (${code}).`,
});

function coverageOf(picture: Picture | SentTiles, element: FoundElement | null): Coverage[] {
  const notes: Coverage[] = [];
  const { size } = picture;
  const { width, height } = size.shown;
  if ('hasMoved' in picture && picture.hasMoved)
    notes.push({ kind: 'page_changed', detail: 'The page changed its size while the tiles were taken.' });
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
  if (element?.note != null) notes.push({ kind: 'found_again', detail: element.note });
  if (element?.isClipped === true)
    notes.push({ kind: 'clipped', detail: 'A part of the element is clipped by its container.' });
  if (element !== null && element.matches > 1)
    notes.push({ kind: 'several_matches', detail: `${element.matches} elements match; this is the first.` });
  return notes;
}

type Taken = Awaited<ReturnType<typeof takePicture>>;

async function send(
  taken: Taken,
  params: Params,
  { sink, sent }: { readonly sink: StreamSink; readonly sent: SentPictures },
): Promise<MethodResult<'page.screenshot'>> {
  const { url, picture, coverage } = taken;
  const { width, height, scale, shown } = picture.size;
  const answer = { url, width, height, scale, shown, coverage, ...('refs' in taken && { refs: taken.refs }) };
  if (!('pieces' in picture)) return { ...answer, size_bytes: picture.sizeBytes };
  return { ...answer, ...(await sendPicture({ ...taken, picture }, params, { sink, sent })) };
}

/** Sends the picture unless it has not changed enough. */
async function sendPicture(
  taken: Taken & { readonly picture: Picture },
  params: Params,
  { sink, sent }: { readonly sink: StreamSink; readonly sent: SentPictures },
): Promise<Pick<MethodResult<'page.screenshot'>, 'size_bytes' | 'changed'>> {
  const { url, picture } = taken;
  const { tiles, if_changed: threshold, only_size: isOnlySize = false } = params;
  const { caller, tab_id: tabId, area, selector, ref, format } = params;
  const key = JSON.stringify([caller.session, tabId, area, selector, ref, format]);
  const held = await holdPieces(picture);
  // Refs are not a change of the page.
  const compared = 'plain' in taken ? taken.plain : held;
  const changed = await sent.compare(key, compared);
  const share = changed?.percent ?? null;
  const isUnsent = isOnlySize || (threshold !== undefined && share !== null && share <= threshold);
  const head: TilesHead = { url, tiles: 0, ...(isUnsent && { is_unsent: true }) };
  if (tiles !== undefined || threshold !== undefined || isOnlySize)
    await sink.write(`${JSON.stringify(head)}\n`);
  const answer = changed === undefined ? {} : { changed };
  if (isUnsent) return { ...answer, size_bytes: 0 };
  let sizeBytes = 0;
  for await (const piece of held.pieces) {
    sizeBytes += base64Bytes(piece);
    await sink.write(piece);
  }
  sent.keep(key, compared);
  return { ...answer, size_bytes: sizeBytes };
}
