import browser from 'webextension-polyfill';
import { withDeadline } from '../interrupt.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import { connectPage, type ActPage } from '../act/act-page.ts';
import { middleOf } from '../act/shown-acts.ts';
import type { WorkerServices } from '../handler.ts';
import { LayoutMetrics, Screenshot, castTab } from '../chromium/debugger/cast.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import type { Box, Point } from '../../ports/page-answers.ts';
import { decodePicture, createCanvas, visibleTab } from '../tabs/visible-tab.ts';
import { framesOf } from '../policy/documents.ts';
import type { PolicyStore } from '../policy/store.ts';
import { toBase64 } from '../../ports/base64.ts';
import { firstNamed, pictureOf, type PictureOf } from './shown-elements.ts';
import type { Question } from './queue.ts';

/** Marks drawn over a picture of a page, in the viewport. */
interface Marks {
  readonly box: Box;
  readonly to: Box | null;
  readonly point: Point | null;
  /** Fields whose values must not be visible. */
  readonly secrets: readonly Box[];
  readonly pixelRatio: number;
}

/** Bytes of a picture, stored as 40 kB of base64. */
const MOST_BYTES = 29_000;
const QUALITIES = [0.8, 0.5, 0.2] as const;
const COLOURS = { mark: '#d1006c', halo: '#ffffff', secret: '#808080' } as const;

/**
 * The picture with its marks, as a `data:` address; null if it would be too large.
 * @param area the shown part of the viewport, and its place in the bitmap
 */
async function drawMarks(
  bitmap: ImageBitmap,
  { area, from }: { readonly area: Box; readonly from: Box },
  marks: Marks,
): Promise<string | null> {
  const { width, height } = area;
  const [canvas, context] = createCanvas(width, height);
  context.drawImage(bitmap, from.x, from.y, from.width, from.height, 0, 0, width, height);
  context.translate(-area.x, -area.y);
  context.fillStyle = COLOURS.secret;
  for (const { x, y, width: wide, height: high } of marks.secrets) context.fillRect(x, y, wide, high);
  for (const [colour, lineWidth] of [
    [COLOURS.halo, 5],
    [COLOURS.mark, 2.5],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = lineWidth;
    context.stroke(pathOf(marks));
  }
  return encode(canvas);
}

function pathOf({ box, to, point }: Marks): Path2D {
  const path = new Path2D();
  for (const { x, y, width, height } of to === null ? [box] : [box, to])
    path.rect(x - 2, y - 2, width + 4, height + 4);
  if (to !== null) {
    const [start, end] = [middleOf(box), middleOf(to)];
    const angle = Math.atan2(end.y - start.y, end.x - start.x);
    path.moveTo(start.x, start.y);
    path.lineTo(end.x, end.y);
    for (const side of [-0.5, 0.5]) {
      path.moveTo(end.x, end.y);
      path.lineTo(end.x - 12 * Math.cos(angle + side), end.y - 12 * Math.sin(angle + side));
    }
  }
  if (point !== null) {
    path.moveTo(point.x + 7, point.y);
    path.arc(point.x, point.y, 7, 0, 2 * Math.PI);
  }
  return path;
}

async function encode(canvas: OffscreenCanvas): Promise<string | null> {
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    if (blob.size > MOST_BYTES) continue;
    return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`;
  }
  return null;
}

/** A slower page gets no picture. */
const MOST_MS = 4_000;
const AROUND = 48;
const LEAST = { width: 320, height: 140 } as const;
const MOST = { width: 720, height: 320 } as const;

interface TargetPictureOptions extends Pick<WorkerServices, 'channels' | 'refBook' | 'debuggers'> {
  readonly rules: PolicyStore;
}

/** Whether a question may have a picture. */
export const mayHavePicture = ({ tab_id: tabId, call: { tool, args } }: Question): boolean =>
  tabId !== null && tool === 'interact' && pictureOf(args) !== null;

/**
 * A picture of a call's target, only for the card: the agent does not see it. Null if the element is out of view or in
 * a frame of another process, if the page may not be read, or if it takes too long. For a front tab the browser takes
 * it without its debugging bar; for any other, the debugger takes it and detaches.
 */
export async function targetPicture(
  question: Question,
  { rules, ...services }: TargetPictureOptions,
): Promise<string | null> {
  const { tab_id: tabId, caller, document_id: documentId, call } = question;
  const wanted = pictureOf(call.args);
  if (tabId === null || wanted === null || !(await mayRead(tabId, caller.name, rules))) return null;
  const late = (): SpillwayError => new SpillwayError('timeout', 'The page was not drawn in time.');
  return withDeadline(MOST_MS, late, async (signal) => {
    const how = { timeoutMs: MOST_MS, signal, viewer: caller.session };
    const page = await connectPage(services, { tabId, frameId: 0 }, how);
    if (documentId !== null && page.documentId !== documentId) return null;
    const marks = await marksOf(page, wanted, signal);
    if (marks === null) return null;
    const visible = await drawVisible(tabId, marks, signal);
    const picture =
      visible === undefined
        ? await services.debuggers.use(tabId, signal, (lease) => draw(lease, marks))
        : visible;
    return page.isGone ? null : picture;
  });
}

/** A picture shows all frames, so all of them have to be allowed. */
async function mayRead(tabId: number, agent: string, rules: PolicyStore): Promise<boolean> {
  const { policy } = await rules.rules();
  const frames = await framesOf(tabId);
  return frames.every(
    (frame) =>
      policy.judge({ risk: 'read', site: siteOf(frame.origin ?? frame.url), agent, fromElsewhere: false })
        .effect === 'allow',
  );
}

async function marksOf(
  page: ActPage,
  { element, isField, to, position }: PictureOf,
  signal: AbortSignal,
): Promise<Marks | null> {
  const outline = async (target: string, asField: boolean) => {
    const only = await firstNamed(page, { target, isField: asField, follows: false }, signal);
    return only === undefined ? null : page.ask({ do: 'outline', held: only.held }, signal);
  };
  const from = await outline(element, isField);
  if (from === null) return null;
  const end = to === null ? null : await outline(to, false);
  const { box, secrets, pixelRatio } = from;
  const point = position === null ? null : { x: box.x + position.x, y: box.y + position.y };
  return { box, to: end?.box ?? null, point, secrets, pixelRatio };
}

/** Undefined if the browser has no such picture: then the debugger takes it. */
export async function drawVisible(
  tabId: number,
  marks: Marks,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const tab = await browser.tabs.get(tabId);
  if (!tab.active) return undefined;
  const png = await visibleTab(tab, signal).catch(() => null);
  if (png === null) return undefined;
  const bitmap = await decodePicture(png);
  try {
    const { pixelRatio: ratio } = marks;
    const view = { x: 0, y: 0, width: bitmap.width / ratio, height: bitmap.height / ratio };
    const area = areaAround(marks, view);
    if (area === null) return null;
    return await drawMarks(bitmap, { area, from: scaled(area, ratio) }, marks);
  } finally {
    bitmap.close();
  }
}

async function draw(lease: DebuggerLease, marks: Marks): Promise<string | null> {
  const { cssVisualViewport: view } = LayoutMetrics.parse(await lease.send('Page.getLayoutMetrics'));
  const area = areaAround(marks, { x: 0, y: 0, width: view.clientWidth, height: view.clientHeight });
  if (area === null) return null;
  const stop = await castTab(lease, MOST_MS);
  try {
    const shown = { ...area, x: view.pageX + area.x, y: view.pageY + area.y };
    const clip = { ...scaled(shown, view.zoom), scale: view.scale / marks.pixelRatio };
    const how = { timeoutMs: MOST_MS };
    const taken = await lease.send('Page.captureScreenshot', { format: 'png', clip }, how);
    const bitmap = await decodePicture(Screenshot.parse(taken).data);
    const { width, height } = bitmap;
    return await drawMarks(bitmap, { area, from: { x: 0, y: 0, width, height } }, marks);
  } finally {
    await stop();
  }
}

/** The visible part of the element and its surroundings. Null for one out of view. */
function areaAround({ box, to }: Marks, view: Box): Box | null {
  if (intersect(box, view) === null) return null;
  const whole = to === null ? box : union(box, to);
  const width = clamp(whole.width + 2 * AROUND, LEAST.width, MOST.width);
  const height = clamp(whole.height + 2 * AROUND, LEAST.height, MOST.height);
  const x = whole.width > width ? whole.x : whole.x + (whole.width - width) / 2;
  const y = whole.height > height ? whole.y : whole.y + (whole.height - height) / 2;
  return intersect({ x, y, width, height }, view);
}

const scaled = ({ x, y, width, height }: Box, by: number): Box => {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
};

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}

function intersect(a: Box, b: Box): Box | null {
  const [x, y] = [Math.floor(Math.max(a.x, b.x)), Math.floor(Math.max(a.y, b.y))];
  const width = Math.ceil(Math.min(a.x + a.width, b.x + b.width)) - x;
  const height = Math.ceil(Math.min(a.y + a.height, b.y + b.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
