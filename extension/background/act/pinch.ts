import type { Point } from '../../ports/page-answers.ts';
import { castTab } from '../chromium/debugger/cast.ts';
import { LayoutMetrics } from '../chromium/debugger/pictures.ts';
import type { Held } from './act-page.ts';
import { leaseOf, type Acting } from './acting.ts';
import { hover } from './pointer.ts';

const PINCH_MS = 8_000;

/**
 * Pinches on the touchpad. After a pinch by touch, Chromium sends later touches to the page that it keeps for going back.
 * @returns the scale that the page has then
 * @throws SpillwayError as `click`
 */
export async function pinch(
  acting: Acting,
  held: Held,
  position: Point | null,
  scaleFactor: number,
): Promise<string> {
  const lease = leaseOf(acting, 'pinch');
  const { signal } = acting;
  // A tab that draws nothing moves no fingers.
  const stop = await castTab(lease, PINCH_MS);
  try {
    await hover(acting, held, position, ({ inTab }) => {
      signal.throwIfAborted();
      const how = { ...inTab, scaleFactor, gestureSourceType: 'mouse' };
      return lease.send('Input.synthesizePinchGesture', how, { timeoutMs: PINCH_MS });
    });
    await held.page.ask({ do: 'drawn' }, signal);
  } finally {
    await stop();
  }
  const { cssVisualViewport: view } = LayoutMetrics.parse(await lease.send('Page.getLayoutMetrics'));
  return `the page's scale is ${Number(view.scale.toFixed(2))}`;
}
