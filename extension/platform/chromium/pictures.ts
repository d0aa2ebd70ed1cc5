import { z } from 'zod';
import type { Box } from '../../core/ports/page-answers.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { castTab } from './debugger/cast.ts';
import { evaluateValue } from './debugger/exchange.ts';

const Layout = z.object({
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number(),
    clientHeight: z.number(),
    zoom: z.number().positive().default(1),
    scale: z.number().positive().default(1),
  }),
  cssContentSize: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});

/** In CSS pixels of the document. */
export interface PageLayout {
  /** The part in view. */
  readonly view: Box;
  readonly content: Box;
  /** Of the person's zoom. */
  readonly zoom: number;
  /** Of a pinch. */
  readonly scale: number;
}

/** @throws SpillwayError as `DebuggerLease.send` */
export async function layoutOf(lease: DebuggerLease, timeoutMs?: number): Promise<PageLayout> {
  const answer = await lease.send('Page.getLayoutMetrics', {}, limited(timeoutMs));
  const { cssVisualViewport: seen, cssContentSize: content } = Layout.parse(answer);
  const view = { x: seen.pageX, y: seen.pageY, width: seen.clientWidth, height: seen.clientHeight };
  return { view, content, zoom: seen.zoom, scale: seen.scale };
}

const limited = (timeoutMs: number | undefined): object => (timeoutMs === undefined ? {} : { timeoutMs });

/** Pixels of the screen per CSS pixel, as the page knows them. @throws SpillwayError as `DebuggerLease.send` */
export const pixelRatioOf = async (lease: DebuggerLease, timeoutMs: number): Promise<number> =>
  Number(await evaluateValue(lease, 'devicePixelRatio', { timeoutMs }));

interface Wanted {
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly quality?: number;
  /** In CSS pixels of the document. */
  readonly area: Box;
  readonly zoom: number;
  /** Pixels of the picture per pixel of the zoomed page, before the screen's ratio. */
  readonly scale: number;
  /** The browser lays the page out again for it, which the page may notice. */
  readonly isBeyondView?: boolean;
}

const Picture = z.object({ data: z.string() });

/** Draws a part of the page, in base64. A hidden tab needs a cast. @throws SpillwayError as `DebuggerLease.send` */
export async function drawArea(lease: DebuggerLease, wanted: Wanted, timeoutMs: number): Promise<string> {
  const { format, quality, area, zoom, scale, isBeyondView = false } = wanted;
  const [x, y, width, height] = [area.x, area.y, area.width, area.height].map((edge) => edge * zoom);
  const asked = {
    format,
    ...(quality !== undefined && format !== 'png' && { quality }),
    captureBeyondViewport: isBeyondView,
    clip: { x, y, width, height, scale },
  };
  return Picture.parse(await lease.send('Page.captureScreenshot', asked, { timeoutMs })).data;
}

/**
 * Draws the part of a page in view, even of a hidden tab.
 * @param scaleOf the picture's pixels per pixel of the zoomed page, before the screen's ratio
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function drawView(
  lease: DebuggerLease,
  { scaleOf, ...how }: Pick<Wanted, 'format' | 'quality'> & { scaleOf(layout: PageLayout): number },
  timeoutMs: number,
): Promise<{ readonly data: string; readonly view: Box }> {
  const stop = await castTab(lease, timeoutMs).catch(() => null);
  try {
    const layout = await layoutOf(lease, timeoutMs);
    const { view, zoom } = layout;
    return {
      data: await drawArea(lease, { ...how, area: view, zoom, scale: scaleOf(layout) }, timeoutMs),
      view,
    };
  } finally {
    await stop?.();
  }
}

/** Has the page ask for a frame, in case a hidden tab's would never come. */
export const askForFrame = (lease: DebuggerLease): void =>
  void evaluateValue(lease, 'void requestAnimationFrame(() => undefined)').catch(() => undefined);

/** Takes effect with the next layout. */
export const hideScrollbars = (lease: DebuggerLease, hidden: boolean): Promise<unknown> =>
  lease.send('Emulation.setScrollbarsHidden', { hidden });
