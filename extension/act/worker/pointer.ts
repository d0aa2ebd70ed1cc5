import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { Aim, Point } from '../../core/ports/page-answers.ts';
import type { Gesture, Given } from '../page/protocol.ts';
import type { Held } from './act-page.ts';
import type { Acting } from './acting.ts';
import type { Devices } from './gate.ts';

/** A page with a slow handler acknowledges late; a hanging one never does. */
const ACKNOWLEDGE_MS = 8_000;

/** A point in the viewport of a drawing. */
interface Spot {
  readonly drawing: string | null;
  readonly point: Point;
  /** The same point in the viewport of the tab. */
  readonly inTab: Point;
}

/**
 * Where to send input for a point of a document: to the drawing that has it, at the point there.
 * The outer frames are asked too, since something may cover them.
 */
async function spotOf(
  { frames, input, waitMs, signal }: Acting,
  { page, facts }: Held,
  { point: seen, view, path: own }: Aim,
): Promise<Spot> {
  const point = { x: seen.x - view.x, y: seen.y - view.y };
  if (page.frameId === 0 || input === null) return { drawing: null, point, inTab: point };
  const drawing = await input.drawingOf(page);
  let spot = { drawing, point };
  let isSameDrawing = true;
  let scale = 1;
  let [inner, at, path] = [page, point, own];
  for (;;) {
    const parentId = await frames.parentOf(inner.frameId);
    // The browser multiplies points of a frame's drawing by the scale of a pinch, which the frame does not have.
    if (parentId === null)
      return { ...spot, point: { x: spot.point.x / scale, y: spot.point.y / scale }, inTab: at };
    const parent = await frames.page(signal, parentId);
    const index = path.at(-1) ?? -1;
    const outer = await parent.change(
      { do: 'frame_point', index, point: at, name: facts.line, waitMs },
      signal,
    );
    [inner, at, path] = [parent, outer.point, outer.path];
    isSameDrawing &&= (await input.drawingOf(parent)) === drawing;
    if (isSameDrawing) spot = { drawing, point: at };
    else scale = outer.scale;
  }
}

/** For messages. */
export const inputTo = (gesture: Gesture, line: string): string =>
  `${gesture === 'hover' ? 'The pointer over' : gesture === 'drop' ? 'What was dragged to' : 'The press on'} ${line}`;

/** Gives input at a spot; null for nothing to tell the page. */
export type GiveAt = (spot: Spot, devices: Devices, aim: Aim) => Promise<Omit<Given, 'error'> | null>;

/** Gives what a step in a page wants at a point that it has aimed at. @throws SpillwayError as `Gate.send` */
export async function giveAt(
  acting: Acting,
  { held, aim, what }: { readonly held: Held; readonly aim: Aim; readonly what: Gesture },
  give: GiveAt,
): ReturnType<GiveAt> {
  const { gate, shower } = acting;
  const spot = await spotOf(acting, held, aim);
  if (shower.isOn) {
    await shower.show(held, spot.inTab);
    return { again: { at: null } };
  }
  const { page, facts } = held;
  const sending = { what: inputTo(what, facts.line), isWitnessed: true, within: aim.isOwn ? page : null };
  return gate.send(page.receiver, sending, (devices) => give(spot, devices, aim));
}

/** Resolves once the browser has handed input to the page. @throws SpillwayError `not_delivered`, `page_unresponsive` */
export async function acknowledged(sent: readonly Promise<unknown>[], { signal }: Acting): Promise<null> {
  const all = Promise.all(sent).then(() => null, toSpillwayError);
  const failed = await waitAtMost(all, ACKNOWLEDGE_MS, signal);
  if (failed === null) return null;
  if (failed !== undefined) throw new SpillwayError('not_delivered', failed.message);
  throw new SpillwayError(
    'page_unresponsive',
    `The page did not handle the input within ${ACKNOWLEDGE_MS} ms.`,
  );
}

export interface Press {
  readonly button?: 'left' | 'right';
  readonly count?: 1 | 2;
  /** Bits as in `Device`. */
  readonly modifiers?: number;
  readonly position?: Point | null;
  /** By touch instead of the mouse. */
  readonly isTouch?: boolean;
  /** How long it stays pressed, in milliseconds. */
  readonly hold?: number;
  /** It opens a list, whose options later steps may name. */
  readonly opens?: boolean;
}

/** Presses and releases a button at a spot. */
export function pressAt(acting: Acting, press: Press = {}): GiveAt {
  const { button = 'left', count = 1, modifiers = 0, isTouch = false, hold = 0 } = press;
  return async ({ drawing, point }, devices) => {
    const sent: Promise<unknown>[] = [];
    const device = devices(drawing);
    if (isTouch) {
      sent.push(device.touch('start', [point], modifiers));
      if (hold > 0) await keepDown(sent, hold, acting.signal);
      sent.push(device.touch('end', [], modifiers));
    } else {
      sent.push(device.move(point, modifiers));
      for (let clickCount = 1; clickCount <= count; clickCount += 1) {
        const how = { button, clickCount, modifiers };
        sent.push(device.press(point, how));
        if (hold > 0) await keepDown(sent, hold, acting.signal);
        sent.push(device.release(point, how));
      }
    }
    return acknowledged(sent, acting);
  };
}

/** Waits while a press lasts, from its arrival on: a busy browser delivers it late, and the release perhaps at once. */
async function keepDown(sent: Promise<unknown>[], holdMs: number, signal: AbortSignal): Promise<void> {
  await waitAtMost(Promise.allSettled(sent), ACKNOWLEDGE_MS, signal);
  await delay(holdMs, signal);
}
