import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { castTab } from '../../background/chromium/debugger/cast.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import type { Area } from './picture-size.ts';

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

/** What a page shows and holds, in CSS pixels of the document. */
export interface Screen {
  readonly viewport: Area;
  readonly content: Area;
  readonly zoom: number;
  readonly pixelRatio: number;
}

/** @throws SpillwayError `page_unresponsive`, `screenshot_failed`, or of the lost attachment */
export async function measure(lease: DebuggerLease): Promise<Screen> {
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

/**
 * The part of the page that is wanted, in whole pixels.
 * @throws SpillwayError `screenshot_failed` where it is outside the page
 */
export function areaOf(wanted: 'viewport' | Area, { viewport, content }: Screen): Area {
  if (wanted === 'viewport') return viewport;
  const x = Math.max(Math.floor(wanted.x), content.x);
  const y = Math.max(Math.floor(wanted.y), content.y);
  const width = Math.min(Math.ceil(wanted.x + wanted.width), content.x + content.width) - x;
  const height = Math.min(Math.ceil(wanted.y + wanted.height), content.y + content.height) - y;
  if (width > 0 && height > 0) return { x, y, width, height };
  const at = `${Math.round(wanted.x)}, ${Math.round(wanted.y)}`;
  throw new SpillwayError('screenshot_failed', `The element is outside the page, at ${at}.`);
}

export const isInside = (area: Area, view: Area): boolean =>
  area.x >= view.x &&
  area.y >= view.y &&
  area.x + area.width <= view.x + view.width &&
  area.y + area.height <= view.y + view.height;

/** A command that the page has to answer. */
export const ask = (
  lease: DebuggerLease,
  method: string,
  params: object = {},
): Promise<Record<string, unknown>> =>
  drawing(lease, (timeoutMs) => lease.send(method, params, { timeoutMs }));

/** Has the tab drawn until the returned function is called. @throws SpillwayError as {@link ask} */
export const watch = (lease: DebuggerLease): Promise<() => Promise<void>> =>
  drawing(lease, (timeoutMs) => castTab(lease, timeoutMs));

async function drawing<T>({ tabId }: DebuggerLease, send: (timeoutMs: number) => Promise<T>): Promise<T> {
  const timeoutMs = LIMITS.pageResponseTimeoutMs;
  try {
    return await send(timeoutMs);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    if (thrown.code === 'page_unresponsive')
      throw new SpillwayError(
        'page_unresponsive',
        `Tab ${tabId} did not draw within ${timeoutMs} ms: it is busy, or shows a dialog.`,
      );
    if (thrown.code === 'internal_error') throw new SpillwayError('screenshot_failed', thrown.message);
    throw thrown;
  }
}
