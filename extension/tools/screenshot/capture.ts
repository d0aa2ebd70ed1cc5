import { Screenshot } from '../../background/chromium/debugger/cast.ts';
import type { ImageFormat } from '../../../shared/tools/screenshot/methods.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import {
  cutStrips,
  fitPicture,
  areaOf,
  ask,
  isInside,
  measure,
  watch,
  layOut,
  type Area,
  type PictureSize,
  type Strip,
  type Screen,
} from './screen.ts';
import { createCanvas, decodePicture, encodePicture } from '../../background/tabs/visible-tab.ts';

/** A frame comes within some 50 ms; a later one needs a push. */
const NUDGE_MS = 250;

export interface CaptureOptions {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly maxPixels: number | null;
}

/** A part of the document to take. */
interface Part {
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
  wanted: 'viewport' | Part,
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

/** Background tabs draw nothing, and a capture of one never ends without a cast. */
export async function watching<T>(lease: DebuggerLease, take: () => Promise<T>): Promise<T> {
  const stop = await watch(lease);
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
  const taken = await nudging(lease, () =>
    ask(lease, 'Page.captureScreenshot', {
      format,
      ...(format === 'png' ? {} : { quality }),
      // The browser lays the page out again, which the page may notice: done only if needed.
      captureBeyondViewport: !isInside(size.shown, screen.viewport),
      // In pixels before the page's zoom, drawn at the screen's scale.
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

/** Asks the page for a frame now and then while it is drawn: a hidden tab's frame might otherwise never come. */
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
