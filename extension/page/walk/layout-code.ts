import { isTextarea } from '../dom.ts';
import type { CodeView } from './code-blocks.ts';
import { KEEPS_LINES, MONOSPACED } from './style-flags.ts';

const BLOCK = /^(?:block|flex|grid|table|list-item|flow-root|table-row|table-row-group)$/;
/** An editor's hidden field is not larger. */
const MAX_HIDDEN_PX = 3;
/** How much further apart than the font asks lines may be, in heights of their text. */
const LINE_TOLERANCE = 0.4;

/** The white space that counts, and the font, of elements that were asked before in one search. */
type Judged = WeakMap<Element, boolean>;

/** Code in a document that is rendered. */
export function layoutCodeView(includeHidden: boolean): CodeView {
  const judged: Judged = new WeakMap();
  const isCode = (el: Element): boolean => {
    const style = getComputedStyle(el);
    const { whiteSpace } = style;
    return (KEEPS_LINES.test(whiteSpace) || whiteSpace === 'nowrap') && MONOSPACED.test(style.fontFamily);
  };
  return {
    isCode(el) {
      const known = judged.get(el);
      if (known !== undefined) return known;
      const answer = isCode(el);
      judged.set(el, answer);
      return answer;
    },
    keepsBlanks: (el) => KEEPS_LINES.test(getComputedStyle(el).whiteSpace),
    isSeen: (el) => includeHidden || isSeen(el),
    isUnselectable: (el) => getComputedStyle(el).userSelect === 'none',
    isBlock: (el) => BLOCK.test(getComputedStyle(el).display),
    topOf: (el) => el.getBoundingClientRect().top,
    heightOf: (el) => el.getBoundingClientRect().height,
    isNextLine(upper, lower, between) {
      const from = boxOfChar(upper, upper.data.trimEnd().length - 1);
      const to = boxOfChar(lower, lower.data.search(/\S/));
      const parent = upper.parentElement;
      const height = parent === null ? 0 : Number.parseFloat(getComputedStyle(parent).lineHeight);
      const pitch = Math.max(Number.isNaN(height) ? 0 : height, from.height);
      const gap = to.top - from.bottom;
      let most = pitch - (1 - LINE_TOLERANCE) * from.height;
      for (const el of between) most += el.getBoundingClientRect().height + LINE_TOLERANCE * from.height;
      return gap >= -from.height / 2 && gap <= most;
    },
  };
}

function boxOfChar(text: Text, at: number): DOMRect {
  const range = text.ownerDocument.createRange();
  range.setStart(text, Math.max(0, at));
  range.setEnd(text, Math.max(0, at) + 1);
  return range.getBoundingClientRect();
}

function isSeen(el: Element): boolean {
  if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  if (!isTextarea(el)) return true;
  // Editors take keys in a field that shows nothing.
  const boxes = [el, el.parentElement ?? el].map((part) => part.getBoundingClientRect());
  if (boxes.some(({ width, height }) => width <= MAX_HIDDEN_PX || height <= MAX_HIDDEN_PX)) return false;
  return !/^rgba\(.*, 0\)$/.test(getComputedStyle(el).color);
}
