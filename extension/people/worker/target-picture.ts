import browser from 'webextension-polyfill';
import { withDeadline } from '../../core/link/interrupt.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import { connectPage, type ActPage } from '../../act/worker/act-page.ts';
import { middleOf } from '../../act/worker/shown-acts.ts';
import type { WorkerServices } from '../../core/handler.ts';
import { drawView, type PageLayout } from '../../platform/chromium/pictures.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import type { Box, Point } from '../../core/ports/page-answers.ts';
import { decodePicture, createCanvas, visibleTab } from '../../core/tabs/visible-tab.ts';
import { framesOf } from '../../core/policy/documents.ts';
import type { PolicyStore } from './store.ts';
import { toBase64 } from '../../core/ports/base64.ts';
import { firstNamed, pictureOf, type PictureOf } from './shown-elements.ts';
import type { Question } from './queue.ts';

type Size = Pick<Box, 'width' | 'height'>;

/** An element, and what a picture has to show with it: its label, from the left edge of its form. */
interface Outlined {
  readonly box: Box;
  readonly around: Box;
}

/** Marks drawn over a picture of a page, in the viewport. */
interface Marks extends Outlined {
  /** Where a drag ends. */
  readonly to: Box | null;
  readonly point: Point | null;
  /** The control that is pressed last. */
  readonly last: Outlined | null;
  /** Fields whose values must not be visible. */
  readonly secrets: readonly Box[];
  readonly pixelRatio: number;
}

/** Bytes of a picture, stored as 40 kB of base64. */
const MAX_BYTES = 29_000;
const QUALITIES = [0.8, 0.5, 0.2] as const;
const COLOURS = { mark: '#d1006c', halo: '#ffffff', secret: '#808080' } as const;

/**
 * The picture with its marks, as a `data:` address; null if the element is out of view, or the picture too large.
 * @param view the viewport, which fills the bitmap
 */
async function drawMarks(bitmap: ImageBitmap, view: Size, marks: Marks): Promise<string | null> {
  const areas = areasOf(marks, view);
  const [first] = areas;
  if (first === undefined) return null;
  const ratio = bitmap.width / view.width;
  const [canvas, context] = createCanvas(
    first.width,
    areas.reduce((sum, { height }) => sum + height, 0),
  );
  let top = 0;
  for (const { x, y, width, height } of areas) {
    context.save();
    context.beginPath();
    context.rect(0, top, width, height);
    context.clip();
    context.drawImage(bitmap, x * ratio, y * ratio, width * ratio, height * ratio, 0, top, width, height);
    context.translate(-x, top - y);
    context.fillStyle = COLOURS.secret;
    for (const secret of marks.secrets) context.fillRect(secret.x, secret.y, secret.width, secret.height);
    for (const [colour, lineWidth] of [
      [COLOURS.halo, 5],
      [COLOURS.mark, 2.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = lineWidth;
      context.stroke(pathOf(marks));
    }
    context.restore();
    // A part of the page is left out between two.
    context.fillStyle = COLOURS.secret;
    if (top > 0) context.fillRect(0, top - 1, width, 3);
    top += height;
  }
  bitmap.close();
  return encode(canvas);
}

function pathOf({ box, to, point, last }: Marks): Path2D {
  const path = new Path2D();
  for (const { x, y, width, height } of [box, to, last?.box].filter((one) => one != null))
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
    if (blob.size > MAX_BYTES) continue;
    return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`;
  }
  return null;
}

/** A slower page gets no picture. */
const MAX_MS = 4_000;
const MARGIN_PX = 16;
/** The size of a picture on a card of normal width. */
const FRAME = { width: 406, height: 240 } as const;
/** How many times that a picture may show: more cannot be read. Of a drag, both ends matter more than the words. */
const MAX_TIMES = { act: 4 / 3, drag: 16 / 9 } as const;

interface TargetPictureOptions extends Pick<WorkerServices, 'channels' | 'refBook' | 'debuggers'> {
  readonly rules: PolicyStore;
}

/** Whether a question may have a picture. */
export const mayHavePicture = ({ tab_id: tabId, call: { tool, args } }: Question): boolean =>
  tabId !== null && tool === 'interact' && pictureOf(args) !== null;

/**
 * A picture of a call's target, only for the card: the agent does not see it. Null if the element is out of view or in
 * a frame of another process, if the page may not be read, or if it takes too long. For a front tab the browser takes
 * it. For any other the debugger does, which covers a part of the card with the browser's bar: undefined if that bar is
 * not there yet, and the person has not asked for the picture.
 */
export async function targetPicture(
  question: Question,
  isAsked: boolean,
  { rules, ...services }: TargetPictureOptions,
): Promise<string | null | undefined> {
  const { tab_id: tabId, caller, document_id: documentId, call } = question;
  const wanted = pictureOf(call.args);
  if (tabId === null || wanted === null || !(await mayRead(tabId, caller.name, rules))) return null;
  const late = (): SpillwayError => new SpillwayError('timeout', 'The page was not drawn in time.');
  return withDeadline(MAX_MS, late, async (signal) => {
    const how = { timeoutMs: MAX_MS, signal, viewer: caller.session };
    const page = await connectPage(services, { tabId, frameId: 0 }, how);
    if (documentId !== null && page.documentId !== documentId) return null;
    const marks = await marksOf(page, wanted, signal);
    if (marks === null) return null;
    const visible = await drawVisible(tabId, marks, signal);
    if (visible === undefined && !isAsked && !services.debuggers.isInUse) return undefined;
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
  { element, isField, to, position, last }: PictureOf,
  signal: AbortSignal,
): Promise<Marks | null> {
  const outline = async (target: string, asField: boolean) => {
    const only = await firstNamed(page, { target, isField: asField, follows: false }, signal);
    return only === undefined ? null : page.ask({ do: 'outline', held: only.held }, signal);
  };
  const from = await outline(element, isField);
  if (from === null) return null;
  const end = to === null ? null : await outline(to, false);
  const pressed = last === null ? null : await outline(last, false);
  const { box } = from;
  const point = position === null ? null : { x: box.x + position.x, y: box.y + position.y };
  return { ...from, to: end?.box ?? null, point, last: pressed };
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
  const { pixelRatio: ratio } = marks;
  return drawMarks(bitmap, { width: bitmap.width / ratio, height: bitmap.height / ratio }, marks);
}

async function draw(lease: DebuggerLease, marks: Marks): Promise<string | null> {
  const scaleOf = ({ scale }: PageLayout): number => scale / marks.pixelRatio;
  const { data, view } = await drawView(lease, { format: 'png', scaleOf }, MAX_MS);
  return drawMarks(await decodePicture(data), view, marks);
}

/**
 * The areas of the viewport that a picture shows: one with the element and the control that is pressed last, or two of
 * the same size if they are far apart. Empty if the element is out of view.
 */
function areasOf({ box, around, to, last }: Marks, view: Size): readonly Box[] {
  if (!isInView(box, view)) return [];
  const first = { box, around: to === null ? around : union(around, to) };
  const each = last !== null && isInView(last.box, view) ? [first, last] : [first];
  const most = MAX_TIMES[to === null ? 'act' : 'drag'];
  const whole = { box, around: each.map((one) => one.around).reduce(union) };
  const parts = timesFor([whole]) <= most ? [whole] : each;
  const times = Math.min(most, timesFor(parts));
  const width = Math.min(FRAME.width * times, view.width);
  const height = Math.min((FRAME.height * times) / parts.length, view.height);
  return parts.map((part) => areaAround(part, { width, height }, view));
}

/** How many times its normal size a picture of these parts shows. */
const timesFor = (parts: readonly Outlined[]): number =>
  Math.max(
    1,
    ...parts.flatMap(({ around }) => [
      (around.width + 2 * MARGIN_PX) / FRAME.width,
      (parts.length * (around.height + 2 * MARGIN_PX)) / FRAME.height,
    ]),
  );

/** An area of the viewport that begins at the left of what is around an element, and has the element. */
function areaAround({ box, around }: Outlined, size: Size, view: Size): Box {
  const middle = around.height > size.height ? box.y + box.height / 2 : around.y + around.height / 2;
  const left = Math.max(
    around.x - MARGIN_PX,
    Math.min(box.x + box.width + MARGIN_PX - size.width, box.x - MARGIN_PX),
  );
  return {
    ...size,
    x: clamp(Math.floor(left), 0, view.width - size.width),
    y: clamp(Math.floor(middle - size.height / 2), 0, view.height - size.height),
  };
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}

const isInView = ({ x, y, width, height }: Box, view: Size): boolean =>
  x < view.width && y < view.height && x + width > 0 && y + height > 0;
