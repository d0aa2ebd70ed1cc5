import browser, { type Tabs } from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { ImageFormat } from '../../../shared/pictures/screenshot.methods.ts';
import { fromBase64, toBase64 } from '../ports/base64.ts';

const PAUSE_MS = 500;

/**
 * How many pauses a failure gets to pass by itself. The browser allows two captures a second, over all callers, and
 * cannot read some of them back, for example while a window is resized.
 */
const pausesFor = (reason: string): number =>
  /PER_SECOND/.test(reason) ? 10 : /readback/.test(reason) ? 2 : 0;

/**
 * A PNG of the viewport of a front tab, in base64. No debugger is attached, so the browser shows no bar.
 * @throws SpillwayError `screenshot_failed` if the window shows nothing, or another tab by now
 */
export async function visibleTab({ id = -1, windowId }: Tabs.Tab, signal: AbortSignal): Promise<string> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      const url = await browser.tabs.captureVisibleTab(windowId, { format: 'png' });
      const now = await browser.tabs.get(id);
      if (!now.active || now.windowId !== windowId)
        throw new SpillwayError('screenshot_failed', `Another tab came to the front of tab ${id}'s window.`);
      return url.slice(url.indexOf(',') + 1);
    } catch (thrown) {
      if (thrown instanceof SpillwayError) throw thrown;
      const reason = messageOf(thrown);
      if (pauses >= pausesFor(reason))
        throw new SpillwayError('screenshot_failed', `The tab's window cannot be captured: ${reason}`);
    }
    await delay(PAUSE_MS, signal);
  }
}

/** Bytes per piece of base64: a multiple of three. */
const PIECE_BYTES = 768 * 1024;

/** Decodes a base64 picture. */
export const decodePicture = (base64: string): Promise<ImageBitmap> =>
  createImageBitmap(new Blob([fromBase64(base64)]));

/** An empty picture to draw on. */
export function createCanvas(
  width: number,
  height: number,
): [OffscreenCanvas, OffscreenCanvasRenderingContext2D] {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('The browser did not provide a canvas.');
  context.imageSmoothingQuality = 'high';
  return [canvas, context];
}

/** A picture in base64, in pieces that can be joined. */
export async function* encodePicture(
  canvas: OffscreenCanvas,
  format: ImageFormat,
  quality: number,
): AsyncGenerator<string> {
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: quality / 100 });
  for (let at = 0; at < blob.size; at += PIECE_BYTES)
    yield toBase64(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
}
