import type { FrameElement } from './elements.ts';

/** Edges in the viewport of one document. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels of the parent per pixel of the frame, for a transformed frame. */
export function scaleOf(el: FrameElement): number {
  return el.offsetWidth === 0 ? 1 : el.getBoundingClientRect().width / el.offsetWidth;
}

/** The viewport of a frame's document, in that of its parent. */
export function contentArea(el: FrameElement): Area {
  const { left, top } = el.getBoundingClientRect();
  const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(el);
  const [scale, px] = [scaleOf(el), Number.parseFloat];
  const x = left + (el.clientLeft + px(paddingLeft)) * scale;
  const y = top + (el.clientTop + px(paddingTop)) * scale;
  return {
    left: x,
    top: y,
    right: x + (el.clientWidth - px(paddingLeft) - px(paddingRight)) * scale,
    bottom: y + (el.clientHeight - px(paddingTop) - px(paddingBottom)) * scale,
  };
}

export function throughFrame(area: Area, el: FrameElement): Area {
  const { left, top } = contentArea(el);
  const scale = scaleOf(el);
  return {
    left: left + area.left * scale,
    top: top + area.top * scale,
    right: left + area.right * scale,
    bottom: top + area.bottom * scale,
  };
}

export function paddingArea(el: Element): Area {
  const box = el.getBoundingClientRect();
  const left = box.left + el.clientLeft;
  const top = box.top + el.clientTop;
  return { left, top, right: left + el.clientWidth, bottom: top + el.clientHeight };
}

/** How far to scroll to bring as much of an area as fits into view. */
export function scrollDelta(area: Area, view: Area): { left: number; top: number } {
  return {
    left: nearest(area.left - view.left, area.right - view.right),
    top: nearest(area.top - view.top, area.bottom - view.bottom),
  };
}

/** `start` and `end` are the distances of the two edges beyond those of the view. */
function nearest(start: number, end: number): number {
  if (start >= 0 && end <= 0) return 0;
  // Too large to fit: show its beginning.
  if (start <= 0 && end >= 0) return 0;
  return start < 0 ? Math.floor(start) : Math.ceil(Math.min(start, end));
}

/** The intersection; its edges are in the wrong order if it is empty. */
export function intersect(a: Area, b: Area): Area {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export const meets = (one: Area, other: Area): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/** The smallest area around both. */
export const hull = (a: Area, b: Area): Area => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

export const isEmpty = ({ left, top, right, bottom }: Area): boolean =>
  right - left <= 0 || bottom - top <= 0;

/** Half a pixel cut off does not matter. */
const SLACK_PX = 0.5;
export const isWithin = (a: Area, b: Area): boolean =>
  a.left >= b.left - SLACK_PX &&
  a.top >= b.top - SLACK_PX &&
  a.right <= b.right + SLACK_PX &&
  a.bottom <= b.bottom + SLACK_PX;
