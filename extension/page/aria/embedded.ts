import { controlKind, isSecret, shownValue } from '../write/controls.ts';
import { ariaValue } from './state.ts';

const RANGES = new Set('slider spinbutton scrollbar progressbar meter'.split(' '));

/**
 * What a control adds to the name that it is part of (accname 1.2, 2C): its value. Null for any
 * other element, which is named like anything else.
 *
 * @param textOf the text inside an element
 */
export function embeddedValue(el: Element, textOf: (part: Element) => string): string | null {
  switch (controlKind(el)) {
    case 'text':
    case 'choice':
      return isSecret(el) ? '' : shownValue(el);
    case 'meter':
      return ariaValue(el) || shownValue(el);
    case 'check':
    case 'radio':
    case 'hidden':
      return '';
    case 'button':
      return null;
    case null:
      return el.hasAttributes() ? valueByRole(el, textOf) : null;
  }
}

function valueByRole(el: Element, textOf: (part: Element) => string): string | null {
  const role = el.getAttribute('role');
  if (role === null) return null;
  if (RANGES.has(role)) return ariaValue(el) || null;
  if (role === 'textbox' || role === 'searchbox') return textOf(el);
  if (role !== 'combobox' && role !== 'listbox') return null;
  const chosen = [...el.querySelectorAll('[role="option"][aria-selected="true"]')];
  return chosen.length > 0 || role === 'listbox' ? chosen.map(textOf).join(' ') : textOf(el);
}
