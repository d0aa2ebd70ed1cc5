import { castTab } from '../../platform/chromium/debugger/cast.ts';
import {
  drawArea,
  hideScrollbars,
  layoutOf,
  askForFrame,
  pixelRatioOf,
} from '../../platform/chromium/pictures.ts';
import { type ImageFormat, MODEL_EDGE_PX } from '../../../shared/pictures/screenshot.methods.ts';
import { refusalOf } from '../../platform/chromium/debugger/send-command.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { createCanvas, decodePicture, encodePicture } from '../../core/tabs/visible-tab.ts';
import browser, { type Scripting } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { waitAtMost } from '../../../shared/base/async.ts';
import { readView } from '../../core/in-page/document.ts';
import type { Box } from '../../core/ports/page-answers.ts';

/** In CSS pixels of the document. */
export type Area = Box;

/** Longest edge captured at once, in the screen's pixels: half of what graphics cards support. */
export const STRIP_PX = 8_192;
/** Pixels of a picture that are drawn at once: each takes time, and an answer has a deadline. */
export const STRIP_AREA_PX = 8 * 1024 * 1024;
/** Longest edge of a picture, in its own pixels: the limit of WebP. */
export const PICTURE_EDGE_PX = 16_383;
/** The largest picture: 128 MiB of pixels in memory. */
export const PICTURE_PX = 32 * 1024 * 1024;
/** A longer or wider page is cut here, in pixels of the screen: each strip takes time. */
const LONGEST_PX = 24 * STRIP_PX;

/** The size and the area of a picture. */
export interface PictureSize {
  readonly shown: Area;
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per CSS pixel. */
  readonly scale: number;
  /** The area was longer or wider than the limit. */
  readonly isCut: boolean;
  /** The screen's own resolution would have exceeded the limit. */
  readonly isReduced: boolean;
}

/**
 * Fits an area into a picture: at most the screen's resolution, in whole pixels and, if requested, at most `maxPixels`
 * in all with no edge longer than models accept.
 * @param pixelRatio the screen's pixels per CSS pixel
 */
export function fitPicture(area: Area, pixelRatio: number, maxPixels: number | null): PictureSize {
  const longest = LONGEST_PX / pixelRatio;
  const outer = { ...area, width: Math.min(area.width, longest), height: Math.min(area.height, longest) };
  const possible = bound(outer, PICTURE_EDGE_PX, PICTURE_PX);
  const wanted =
    maxPixels === null ? pixelRatio : Math.min(pixelRatio, bound(outer, MODEL_EDGE_PX, maxPixels));
  const most = Math.min(wanted, possible);
  const width = Math.max(1, Math.floor(outer.width * most));
  const scale = width / outer.width;
  const height = Math.max(1, Math.floor(outer.height * Math.min(scale, most)));
  const shown = { ...outer, height: Math.min(outer.height, height / scale) };
  // Less than a row of the picture does not count as cut.
  const isCut = outer.width < area.width || shown.height < area.height - 1 / scale;
  return { shown, width, height, scale, isCut, isReduced: possible < wanted };
}

const bound = ({ width, height }: Area, edge: number, pixels: number): number =>
  Math.min(edge / Math.max(width, height), Math.sqrt(pixels / (width * height)));

/** A part of a picture that is captured at once. */
interface Strip {
  /** First row in the picture. */
  readonly top: number;
  readonly rows: number;
  readonly area: Area;
}

/** Cuts a picture into strips that the browser can draw at once, at whole rows. */
export function cutStrips({ shown, width, height, scale }: PictureSize, pixelRatio: number): Strip[] {
  const most = Math.max(1, Math.floor(Math.min((STRIP_PX / pixelRatio) * scale, STRIP_AREA_PX / width)));
  // Up to twice that is known to work everywhere: two strips would be slower than one picture.
  const isQuick = shown.height * pixelRatio <= 2 * STRIP_PX && width * height <= 2 * STRIP_AREA_PX;
  const rows = isQuick ? height : most;
  const strips: Strip[] = [];
  for (let top = 0; top < height; top += rows) {
    const own = Math.min(rows, height - top);
    strips.push({
      top,
      rows: own,
      area: { x: shown.x, y: shown.y + top / scale, width: shown.width, height: own / scale },
    });
  }
  return strips;
}

/** The viewport and the content of a page, in CSS pixels of the document. */
export interface Screen {
  readonly viewport: Area;
  readonly content: Area;
  readonly zoom: number;
  readonly pixelRatio: number;
}

/** @throws SpillwayError `page_unresponsive`, `screenshot_failed`, or of the lost attachment */
export async function measure(lease: DebuggerLease): Promise<Screen> {
  return drawing(lease, async (timeoutMs) => {
    const { view: viewport, content, zoom } = await layoutOf(lease, timeoutMs);
    return { viewport, content, zoom, pixelRatio: await pixelRatioOf(lease, timeoutMs) };
  });
}

/**
 * The requested part of the page, in whole pixels.
 * @throws SpillwayError `screenshot_failed` if it is outside the page
 */
function areaOf(wanted: 'viewport' | Area, { viewport, content }: Screen): Area {
  if (wanted === 'viewport') return viewport;
  const x = Math.max(Math.floor(wanted.x), content.x);
  const y = Math.max(Math.floor(wanted.y), content.y);
  const width = Math.min(Math.ceil(wanted.x + wanted.width), content.x + content.width) - x;
  const height = Math.min(Math.ceil(wanted.y + wanted.height), content.y + content.height) - y;
  if (width > 0 && height > 0) return { x, y, width, height };
  const at = `${Math.round(wanted.x)}, ${Math.round(wanted.y)}`;
  throw new SpillwayError('screenshot_failed', `The element is outside the page, at ${at}.`);
}

const isInside = (area: Area, view: Area): boolean =>
  area.x >= view.x &&
  area.y >= view.y &&
  area.x + area.width <= view.x + view.width &&
  area.y + area.height <= view.y + view.height;

/** Commands that the page has to answer. */
async function drawing<T>({ tabId }: DebuggerLease, send: (timeoutMs: number) => Promise<T>): Promise<T> {
  const timeoutMs = LIMITS.pageResponseTimeoutMs;
  try {
    return await send(timeoutMs);
  } catch (thrown) {
    const error = refusalOf(thrown, 'screenshot_failed');
    if (error.code !== 'page_unresponsive') throw error;
    const message = `Tab ${tabId} did not draw within ${timeoutMs} ms: it is busy, or shows a dialog.`;
    throw new SpillwayError(error.code, message);
  }
}

/** A page that needs longer for a layout keeps its current one. */
const LAYOUT_MS = 2_000;

/**
 * Runs `take` while the page has no scrollbars, and lays the page out again afterwards: a picture beyond the viewport
 * has none either, and the measured layout must be the drawn one.
 */
export async function withoutScrollbars<T>(lease: DebuggerLease, take: () => Promise<T>): Promise<T> {
  await hideScrollbars(lease, true);
  try {
    await layOut(lease.tabId);
    return await take();
  } finally {
    // A lost attachment has already undone it.
    await hideScrollbars(lease, false).catch(() => undefined);
    await layOut(lease.tabId);
  }
}

/**
 * Makes the page lay itself out. Chromium hides and restores scrollbars only with the next layout. A style triggers one
 * invisibly to the page's scripts, and without the debugger, which may be gone.
 */
async function layOut(tabId: number): Promise<void> {
  const style: Scripting.CSSInjection = {
    target: { tabId },
    origin: 'USER',
    css: ':root{overflow:hidden!important}',
  };
  // Reading the scroll position computes the layout.
  const measure = (): Promise<unknown> =>
    browser.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: readView });
  try {
    await waitAtMost(browser.scripting.insertCSS(style), LAYOUT_MS);
    try {
      await waitAtMost(measure(), LAYOUT_MS);
    } finally {
      await waitAtMost(browser.scripting.removeCSS(style), LAYOUT_MS);
    }
    await waitAtMost(measure(), LAYOUT_MS);
  } catch {
    // The page went away, or refuses styles: there is nothing to restore.
  }
}

/** A frame comes within some 50 ms; a later one needs a push. */
const NUDGE_MS = 250;

export interface CaptureOptions {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly maxPixels: number | null;
}

/** A part of the document to take. */
interface PicturePart {
  readonly area: Area;
  /** Resolves when the page shows it; the page is drawn meanwhile. */
  drawn(): Promise<unknown>;
}

/** A picture in base64, in pieces that can be joined. */
export interface Picture {
  readonly size: PictureSize;
  readonly pieces: AsyncIterable<string> | Iterable<string>;
}

/**
 * Takes a picture of the viewport or of a part of the document through the debugger, even of a hidden tab, without
 * scrolling the page or bringing it to the front.
 * @throws SpillwayError `page_unresponsive`, `screenshot_failed`, or of the lost attachment
 */
export async function capture(
  lease: DebuggerLease,
  wanted: 'viewport' | PicturePart,
  options: CaptureOptions,
): Promise<Picture> {
  const screen = await measure(lease);
  const [area, drawn] = wanted === 'viewport' ? [wanted] : [wanted.area, () => wanted.drawn()];
  const size = fitPicture(areaOf(area, screen), screen.pixelRatio, options.maxPixels);
  try {
    return await draw(lease, { ...options, screen, size, drawn });
  } finally {
    // Drawing beyond the viewport removes the page's scrollbars.
    if (!isInside(size.shown, screen.viewport)) await layOut(lease.tabId);
  }
}

/** Draws one picture: at once, or as joined strips. */
export async function draw(lease: DebuggerLease, shot: Shot): Promise<Picture> {
  const { size, screen } = shot;
  const strips = cutStrips(size, screen.pixelRatio);
  const [only] = strips;
  return watching(lease, async () => {
    await shot.drawn?.();
    if (only !== undefined && strips.length === 1)
      return { size, pieces: [await shoot(lease, only.area, shot)] };
    return { size, pieces: await join(lease, strips, shot) };
  });
}

/** Background tabs draw nothing, and a capture of one never ends without a cast. @throws SpillwayError as {@link measure} */
export async function watching<T>(lease: DebuggerLease, take: () => Promise<T>): Promise<T> {
  const stop = await drawing(lease, (timeoutMs) => castTab(lease, timeoutMs));
  try {
    return await take();
  } finally {
    await stop();
  }
}

export interface Shot {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly screen: Screen;
  readonly size: PictureSize;
  readonly drawn?: (() => Promise<unknown>) | undefined;
}

/** Takes one area at once, in base64. */
export async function shoot(lease: DebuggerLease, area: Area, shot: Shot): Promise<string> {
  const { format, quality, screen, size } = shot;
  const { zoom, pixelRatio } = screen;
  const scale = size.scale / pixelRatio;
  // Only if needed: the page may notice.
  const isBeyondView = !isInside(size.shown, screen.viewport);
  const timer = setInterval(() => askForFrame(lease), NUDGE_MS);
  try {
    return await drawing(lease, (timeoutMs) =>
      drawArea(lease, { format, quality, area, zoom, scale, isBeyondView }, timeoutMs),
    );
  } finally {
    clearInterval(timer);
  }
}

/** Joins strips of a page that is too long to be drawn at once. */
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
