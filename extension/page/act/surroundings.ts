import { flatParent } from '../dom.ts';

/** What takes a value of its own. */
const FIELDS =
  'input:not([type=hidden i]),textarea,select,[contenteditable]:not([contenteditable=false i]),[role=combobox],' +
  '[role=slider],[role=spinbutton],[role=textbox],[role=radio],[role=checkbox],[role=switch],' +
  '[aria-haspopup=listbox]';

/** The largest element around a control in which there is no other one, as its label and its chips are around it. */
export function surroundingsOf(control: Element): Element {
  let around = control;
  for (let up = flatParent(control); up !== null && up.localName !== 'body'; up = flatParent(up)) {
    const others = [...up.querySelectorAll(FIELDS)].some(
      (el) => !el.contains(control) && !control.contains(el) && !isHiddenFrom(el),
    );
    if (others || up.localName === 'form') break;
    around = up;
  }
  return around;
}

/** Libraries keep the element that they replace, and doubles for forms. */
const isHiddenFrom = (el: Element): boolean =>
  el.getAttribute('aria-hidden') === 'true' ||
  !el.checkVisibility({ visibilityProperty: true, opacityProperty: false });
