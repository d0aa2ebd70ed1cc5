import browser, { type Tabs } from 'webextension-polyfill';
import { z } from 'zod';
import { withTimeout } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { injectionError } from '../../background/pages/targets.ts';
import { readView } from '../../page/in-page/read-view.ts';
import type { CaptureOptions, Picture } from './capture.ts';
import { fitPicture } from './picture-size.ts';
import { createCanvas, decodePicture, encodePicture } from '../../background/pixels.ts';
import { visibleTab } from '../../background/tabs/visible-tab.ts';

const View = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  pixelRatio: z.number().positive(),
});
type View = z.infer<typeof View>;

/**
 * Takes the viewport of a front tab without the debugger.
 *
 * @throws SpillwayError `screenshot_failed` when the window shows nothing; what an injection throws
 */
export async function captureVisible(
  tab: Tabs.Tab,
  options: CaptureOptions,
  signal: AbortSignal,
): Promise<Picture> {
  const { pixelRatio, ...area } = await viewOf(tab, signal);
  const picture = await visibleTab(tab.windowId, signal);
  signal.throwIfAborted();
  const size = fitPicture(area, pixelRatio, options.maxPixels);
  const bitmap = await decodePicture(picture);
  const [canvas, context] = createCanvas(size.width, size.height);
  const rows = (bitmap.width * size.height) / size.width;
  context.drawImage(bitmap, 0, 0, bitmap.width, rows, 0, 0, size.width, size.height);
  bitmap.close();
  return { size, pieces: encodePicture(canvas, options.format, options.quality) };
}

async function viewOf({ id = -1, url = '' }: Tabs.Tab, signal: AbortSignal): Promise<View> {
  const timeoutMs = LIMITS.pageResponseTimeoutMs;
  const injected = browser.scripting
    .executeScript({ target: { tabId: id }, injectImmediately: true, func: readView })
    .catch((thrown: unknown) => Promise.reject(injectionError(thrown, id, url)));
  const late = (): SpillwayError =>
    new SpillwayError('page_unresponsive', `Tab ${id} (${url}) did not answer within ${timeoutMs} ms.`);
  const [answer] = await withTimeout(injected, timeoutMs, late, signal);
  return View.parse(answer?.result);
}
