import { isLabel, isOption } from '../dom.ts';
import { parentAcross } from '../locate/trees.ts';

const ACTIONABLE =
  'a[href],area[href],button,input:not([type="hidden" i]),select,textarea,summary,[onclick],[contenteditable]:not([contenteditable="false" i]),' +
  'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem combobox textbox searchbox slider spinbutton'
    .split(' ')
    .map((role) => `[role="${role}"]`)
    .join(',');
const BLOCKS =
  'h1,h2,h3,h4,h5,h6,p,li,td,th,dt,dd,figcaption,caption,legend,pre,blockquote,article,section,main,body,div';
/** A card or a wrapper that can be clicked is not meant by each text in it. */
const CLIMBED_MAX = 5;

/** Whether a person acts on an element. */
export const isActionable = (el: Element): boolean => el.matches(ACTIONABLE);

/** Elements in another one that a person acts on. */
export const actionableIn = (el: Element): Element[] => [...el.querySelectorAll(ACTIONABLE)];

/** What a text is of: the control that it labels or is on, else the paragraph, cell or the like that holds it. */
export function targetOf(el: Element): Element {
  let up: Element | null = el;
  for (let climbed = 0; up !== null && climbed < CLIMBED_MAX; climbed += 1) {
    if (isLabel(up) && up.control !== null) return up.control;
    if (isOption(up)) return up.closest('select') ?? up;
    if (isActionable(up)) return up;
    if (up.matches('body,table,ul,ol,main,section,article,form')) break;
    up = parentAcross(up);
  }
  return el.closest(BLOCKS) ?? el;
}
