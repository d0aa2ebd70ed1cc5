import browser, { type Scripting } from 'webextension-polyfill';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ImageFormat } from '../../../shared/tools/screenshot/methods.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { cutStrips, fitPicture, type Area, type PictureSize, type Strip } from './picture-size.ts';
import { createCanvas, decodePicture, encodePicture } from './pixels.ts';

const Sizes = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const LayoutMetrics = z.object({
  cssContentSize: Sizes,
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number(),
    clientHeight: z.number(),
    zoom: z.number().positive().default(1),
  }),
});
const PixelRatio = z.object({ result: z.object({ value: z.number().positive() }) });
const Screenshot = z.object({ data: z.string() });

/** A frame comes within some 50 ms; one that is late this much needs a push. */
const NUDGE_MS = 250;

export interface CaptureOptions {
  /** An area of the document, in CSS pixels. */
  readonly area: 'viewport' | 'full_page' | Area;
  readonly format: ImageFormat;
  readonly quality: number;
  readonly maxPixels: number | null;
}

/** A picture in base64, in pieces that can be joined. */
export interface Picture {
  readonly size: PictureSize;
  readonly pieces: AsyncIterable<string> | Iterable<string>;
}

interface Screen {
  readonly viewport: Area;
  readonly content: Area;
  readonly zoom: number;
  readonly pixelRatio: number;
}

/**
 * Takes a picture through the debugger, also of a hidden tab, without scrolling the page
 * or bringing it to the front.
 *
 * @throws SpillwayError `page_unresponsive`, `screenshot_failed`, or of the lost attachment
 */
export async function capture(lease: DebuggerLease, options: CaptureOptions): Promise<Picture> {
  const screen = await measure(lease);
  const area = areaOf(options.area, screen);
  const size = fitPicture(area, screen.pixelRatio, options.maxPixels);
  const strips = cutStrips(size, screen.pixelRatio);
  // Tabs in the background draw nothing, and a capture of one never ends unless it is watched.
  await ask(lease, 'Page.startScreencast', { format: 'jpeg', quality: 1, everyNthFrame: 1_000 });
  try {
    const shot = { ...options, screen, size };
    const [only] = strips;
    if (only !== undefined && strips.length === 1)
      return { size, pieces: [await shoot(lease, only.area, shot)] };
    return { size, pieces: await join(lease, strips, shot) };
  } finally {
    await lease.send('Page.stopScreencast').catch(() => undefined);
    if (!isInside(size.shown, screen.viewport)) await restoreScrollbars(lease);
  }
}

async function measure(lease: DebuggerLease): Promise<Screen> {
  const { cssContentSize: content, cssVisualViewport: view } = LayoutMetrics.parse(
    await ask(lease, 'Page.getLayoutMetrics'),
  );
  const ratio = { expression: 'devicePixelRatio', returnByValue: true };
  const { result } = PixelRatio.parse(await ask(lease, 'Runtime.evaluate', ratio));
  return {
    viewport: { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight },
    content,
    zoom: view.zoom,
    pixelRatio: result.value,
  };
}

function areaOf(wanted: CaptureOptions['area'], { viewport, content }: Screen): Area {
  if (wanted === 'viewport') return viewport;
  if (wanted === 'full_page') return content;
  const x = Math.max(Math.floor(wanted.x), content.x);
  const y = Math.max(Math.floor(wanted.y), content.y);
  const width = Math.min(Math.ceil(wanted.x + wanted.width), content.x + content.width) - x;
  const height = Math.min(Math.ceil(wanted.y + wanted.height), content.y + content.height) - y;
  if (width > 0 && height > 0) return { x, y, width, height };
  const at = `${Math.round(wanted.x)}, ${Math.round(wanted.y)}`;
  throw new SpillwayError('screenshot_failed', `The element is outside the page, at ${at}.`);
}

interface Shot {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly screen: Screen;
  readonly size: PictureSize;
}

const isInside = (area: Area, view: Area): boolean =>
  area.x >= view.x &&
  area.y >= view.y &&
  area.x + area.width <= view.x + view.width &&
  area.y + area.height <= view.y + view.height;

async function shoot(lease: DebuggerLease, area: Area, shot: Shot): Promise<string> {
  const { format, quality, screen, size } = shot;
  const { zoom, pixelRatio } = screen;
  const taken = await nudging(lease, () =>
    ask(lease, 'Page.captureScreenshot', {
      format,
      ...(format === 'png' ? {} : { quality }),
      // The browser lays the page out again, which the page may notice: done only where needed.
      captureBeyondViewport: !isInside(area, screen.viewport),
      // Counted in pixels before the page's zoom, drawn at the screen's.
      clip: {
        x: area.x * zoom,
        y: area.y * zoom,
        width: area.width * zoom,
        height: area.height * zoom,
        scale: size.scale / pixelRatio,
      },
    }),
  );
  return Screenshot.parse(taken).data;
}

/** Draws strips of a page that is too long to be drawn at once below each other. */
async function join(
  lease: DebuggerLease,
  strips: readonly Strip[],
  shot: Shot,
): Promise<AsyncIterable<string>> {
  const [canvas, context] = createCanvas(shot.size.width, shot.size.height);
  for (const { area, top, rows } of strips) {
    const bitmap = await decodePicture(await shoot(lease, area, { ...shot, format: 'png' }));
    context.drawImage(bitmap, 0, top, shot.size.width, rows);
    bitmap.close();
  }
  return encodePicture(canvas, shot.format, shot.quality);
}

/**
 * Asks the page for a frame now and then while it is drawn: the frame of a hidden tab may
 * otherwise never come.
 */
async function nudging<T>(lease: DebuggerLease, draw: () => Promise<T>): Promise<T> {
  const nudge = { expression: 'void requestAnimationFrame(() => undefined)' };
  const timer = setInterval(() => {
    lease.send('Runtime.evaluate', nudge).catch(() => undefined);
  }, NUDGE_MS);
  try {
    return await draw();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Drawing beyond the viewport takes the page's scrollbars away, and Chromium gives them back with the
 * next new layout only: makes one, with a style that scripts of the page do not see.
 */
async function restoreScrollbars({ tabId, send }: DebuggerLease): Promise<void> {
  const style: Scripting.CSSInjection = {
    target: { tabId },
    origin: 'USER',
    css: ':root{overflow:hidden!important}',
  };
  const layOut = { expression: 'void document.documentElement.offsetWidth' };
  try {
    await browser.scripting.insertCSS(style);
    try {
      await send('Runtime.evaluate', layOut);
    } finally {
      await browser.scripting.removeCSS(style);
    }
  } catch {
    // The page went away, or is closed to styles: there is nothing to give back.
  }
}

/** A command that the page has to answer. */
async function ask(
  lease: DebuggerLease,
  method: string,
  params: object = {},
): Promise<Record<string, unknown>> {
  const timeoutMs = LIMITS.pageResponseTimeoutMs;
  try {
    return await lease.send(method, params, { timeoutMs });
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    if (thrown.code === 'timeout')
      throw new SpillwayError(
        'page_unresponsive',
        `Tab ${lease.tabId} did not draw within ${timeoutMs} ms: it is busy, or shows a dialog.`,
      );
    if (thrown.code === 'internal_error') throw new SpillwayError('screenshot_failed', thrown.message);
    throw thrown;
  }
}
