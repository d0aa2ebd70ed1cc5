import { delay } from '../../../shared/async/wait.ts';
import { isFrameElement } from '../dom.ts';
import { PageError } from '../page-error.ts';
import { elementsIn } from '../locate/trees.ts';
import { describeCover } from './hit.ts';
import { outOfFrame } from './frame-map.ts';
import { ALIGNMENTS, reachPoint, reveal, type Reach } from './places.ts';
import type { ActAsk, Point } from './protocol.ts';

/** Between two looks while something covers the frame. */
const LOOK_MS = 20;

/**
 * Waits until input at a point of a frame's viewport would reach the frame, and returns the point in this
 * viewport.
 *
 * @throws PageError `page_changed` for a frame that is gone; at the end of the time `target_covered` naming
 * the cover
 */
export async function whenFrameReachable({
  index,
  point,
  name,
  waitMs,
}: Extract<ActAsk, { readonly do: 'frame_point' }>): Promise<Point> {
  const until = performance.now() + waitMs;
  for (let scrolled = 0; ; scrolled += 1) {
    const frame = elementsIn(document, 'iframe,frame,object').find(
      (el) => isFrameElement(el) && el.contentWindow !== null && el.contentWindow === window[index],
    );
    if (frame === undefined || !isFrameElement(frame))
      throw new PageError('page_changed', `The frame of ${name} is gone.`);
    const outer = outOfFrame(frame, point);
    const inside = frame.getBoundingClientRect();
    const reach: Reach = reachPoint(frame, { x: outer.x - inside.left, y: outer.y - inside.top });
    if ('point' in reach) return reach.point;
    const alignment = ALIGNMENTS[scrolled];
    if (alignment !== undefined) reveal(frame, alignment);
    else if (performance.now() >= until) {
      const cover = reach.cover === null ? 'what is around its frame' : describeCover(reach.cover, frame);
      throw new PageError('target_covered', `${name} is covered by ${cover}.`);
    } else await delay(LOOK_MS);
  }
}
