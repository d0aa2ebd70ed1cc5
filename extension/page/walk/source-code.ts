import type { CodeView } from './code-blocks.ts';
import { declarationsOf, isShownBySource } from './source-style.ts';
import { KEEPS_LINES, MONOSPACED } from './style-flags.ts';

/** Any height is that of a line where nothing is laid out. */
const LINE_PX = 16;

/** Code in a document that was only parsed: what `<pre>` and inline style say. */
export const SOURCE_CODE_VIEW: CodeView = {
  isCode(el) {
    const pre = el.closest('pre,[style*="white-space"]');
    if (pre === null || pre.localName === 'pre') return pre !== null;
    const style = declarationsOf(pre);
    return KEEPS_LINES.test(style.get('white-space') ?? '') && MONOSPACED.test(fontOf(el));
  },
  keepsBlanks: () => true,
  isSeen: isShownBySource,
  isUnselectable: (el) => el.closest('[style*="user-select:none"],[style*="user-select: none"]') !== null,
  isBlock: (el) => !/^(?:span|code|a|b|i|em|strong|td|font|u)$/.test(el.localName),
  topOf: () => 0,
  heightOf: () => LINE_PX,
  isNextLine: (upper) => upper.parentElement?.closest('pre') === null || isInRow(upper),
};

const isInRow = (text: Text): boolean => text.parentElement?.closest('tr,li,code') !== null;

const fontOf = (el: Element): string => el.closest('[style*="font"]')?.getAttribute('style') ?? '';
