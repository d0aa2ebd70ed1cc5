import { z } from 'zod';
import browser from 'webextension-polyfill';
import type { ExtensionTypes } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { readLayout } from '../../core/in-page/document.ts';
import { runInPage } from '../../core/pages/targets.ts';
import { createCanvas, decodePicture, encodePicture } from '../../core/tabs/visible-tab.ts';
import type { Box } from '../../core/ports/page-answers.ts';
import type * as chromium from '../chromium/pictures.ts';

export type { PageLayout } from '../chromium/pictures.ts';

type Lease = Parameters<typeof chromium.layoutOf>[0];

const Size = { width: z.number(), height: z.number() };
const Layout = z.object({
  view: z.object({ x: z.number(), y: z.number(), ...Size }),
  content: z.object(Size),
  ratio: z.number().positive(),
});

async function layoutIn({ tabId, signal }: Lease, timeoutMs?: number): Promise<z.infer<typeof Layout>> {
  const how = timeoutMs === undefined ? {} : { timeoutMs };
  const answer = await runInPage({
    target: { tabId },
    url: `tab ${tabId}`,
    func: readLayout,
    signal,
    ...how,
  });
  return Layout.parse(answer);
}

/** A person's zoom only changes the ratio of pixels. */
export const layoutOf: typeof chromium.layoutOf = async (lease, timeoutMs) => {
  const { view, content } = await layoutIn(lease, timeoutMs);
  return { view, content: { x: 0, y: 0, ...content }, zoom: 1, scale: 1 };
};

export const pixelRatioOf: typeof chromium.pixelRatioOf = async (lease, timeoutMs) =>
  (await layoutIn(lease, timeoutMs)).ratio;

/** Draws any part of the page, also of a hidden tab, without scrolling it. */
export const drawArea: typeof chromium.drawArea = async (lease, wanted, timeoutMs) => {
  const { format, quality = 90, area, scale } = wanted;
  const ratio = await pixelRatioOf(lease, timeoutMs);
  const rect: Box = area;
  const asked: ExtensionTypes.ImageDetails & { readonly rect: Box } = {
    format: format === 'jpeg' ? 'jpeg' : 'png',
    quality,
    rect,
    scale: scale * ratio,
  };
  const url = await browser.tabs.captureTab(lease.tabId, asked).catch((thrown: unknown) => {
    throw new SpillwayError('screenshot_failed', `Tab ${lease.tabId} was not drawn: ${messageOf(thrown)}`);
  });
  const data = url.slice(url.indexOf(',') + 1);
  return format === 'webp' ? toWebp(data, quality) : data;
};

async function toWebp(png: string, quality: number): Promise<string> {
  const bitmap = await decodePicture(png);
  const [canvas, context] = createCanvas(bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const pieces: string[] = [];
  for await (const piece of encodePicture(canvas, 'webp', quality)) pieces.push(piece);
  return pieces.join('');
}

export const drawView: typeof chromium.drawView = async (lease, { scaleOf, ...how }, timeoutMs) => {
  const layout = await layoutOf(lease, timeoutMs);
  const { view: area, zoom } = layout;
  const data = await drawArea(lease, { ...how, area, zoom, scale: scaleOf(layout) }, timeoutMs);
  return { data, view: area };
};

export const askForFrame: typeof chromium.askForFrame = () => undefined;

/** A picture of Firefox has no scroll bars. */
export const hideScrollbars: typeof chromium.hideScrollbars = () => Promise.resolve();
