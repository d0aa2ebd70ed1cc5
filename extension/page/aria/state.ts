import { isButton, isDetails, isInput, isOption, isSelect, isTextarea } from '../dom.ts';
import { WIDGET_ROLES } from './role.ts';

const STATEFUL = [
  ...'selected pressed checked busy expanded haspopup disabled required readonly invalid current level sort multiselectable'
    .split(' ')
    .map((name) => `[aria-${name}]`),
  '[aria-disabled] *,[inert],[inert] *,[popovertarget]',
  ':checked,:indeterminate,:disabled,:invalid,[required],[readonly],select[multiple],summary,:focus',
].join(',');

const FLAGS = ['selected', 'pressed', 'checked', 'busy'] as const;

function ariaFlag(el: Element, name: string): string | null {
  const value = el.getAttribute(`aria-${name}`)?.trim().toLowerCase() ?? '';
  return value === '' || value === 'undefined' ? null : value;
}

/** The value of an attribute for which `false` means that it is not set. */
function ariaToken(el: Element, name: string): string | null {
  const value = ariaFlag(el, name);
  return value === 'false' ? null : value;
}

/** What a person could tell of a control's state, shortest words first: `checked`, `expanded`, … */
export function statesOf(el: Element, role: string): string[] {
  const states: string[] = [];
  // One question instead of a dozen: most elements have no state at all.
  if (!el.matches(STATEFUL)) return states;
  nativeStates(el, states);
  ariaStates(el, states);
  const expanded = expandedOf(el);
  if (expanded !== null) states.push(expanded ? 'expanded' : 'collapsed');
  const popup = ariaToken(el, 'haspopup');
  if (popup !== null && role !== 'combobox') states.push(popup === 'true' ? 'menu' : popup);
  inputStates(el, role, states);
  if (isInvalid(el)) states.push('invalid');
  placeStates(el, role, states);
  if (role !== '' && el.matches(':focus')) states.push('focused');
  return states;
}

function ariaStates(el: Element, states: string[]): void {
  for (const name of FLAGS) {
    const value = ariaFlag(el, name);
    if (value === 'true' && !states.includes(name)) states.push(name);
    else if (value === 'mixed') states.push(`${name} mixed`);
  }
}

/** The position of an element among others. */
function placeStates(el: Element, role: string, states: string[]): void {
  const current = ariaToken(el, 'current');
  if (current !== null) states.push(current === 'true' ? 'current' : `current ${current}`);
  const sort = ariaFlag(el, 'sort');
  if (sort !== null && sort !== 'none') states.push(`sort ${sort}`);
  const level = ariaFlag(el, 'level');
  if (level !== null && role !== 'heading') states.push(`level ${level}`);
}

/** What bounds the input that an element takes. */
function inputStates(el: Element, role: string, states: string[]): void {
  if (isDisabled(el, role)) states.push('disabled');
  if (WIDGET_ROLES.has(role) && el.closest('[inert]') !== null) states.push('inert');
  if (ariaFlag(el, 'required') === 'true' || el.matches(':required')) states.push('required');
  if (isReadonly(el)) states.push('readonly');
}

function nativeStates(el: Element, states: string[]): void {
  if (isInput(el) && (el.type === 'checkbox' || el.type === 'radio')) {
    if (el.indeterminate) states.push('checked mixed');
    else if (el.checked) states.push('checked');
  }
  if (isOption(el) && el.selected) states.push('selected');
  if ((isSelect(el) && el.multiple) || ariaFlag(el, 'multiselectable') === 'true') states.push('multiple');
}

function expandedOf(el: Element): boolean | null {
  const expanded = ariaFlag(el, 'expanded');
  if (expanded === 'true' || expanded === 'false') return expanded === 'true';
  if (el.localName === 'summary' && el.parentElement !== null && isDetails(el.parentElement))
    return el.parentElement.open;
  if (isButton(el) || isInput(el)) return el.popoverTargetElement?.matches(':popover-open') ?? null;
  return null;
}

/** By itself, or as a widget in a part of the page that is disabled. */
function isDisabled(el: Element, role: string): boolean {
  if (el.matches(':disabled')) return true;
  const nearest = WIDGET_ROLES.has(role) ? el.closest('[aria-disabled]') : el;
  return nearest !== null && ariaFlag(nearest, 'disabled') === 'true';
}

/** What is only missing yet is not wrong before a person has been there. */
function isInvalid(el: Element): boolean {
  const declared = ariaFlag(el, 'invalid');
  if (declared !== null) return declared !== 'false';
  if (!isInput(el) && !isTextarea(el) && !isSelect(el) && !isButton(el)) return false;
  const { valueMissing, customError } = el.validity;
  return el.matches(':invalid') && (!valueMissing || customError || el.matches(':user-invalid'));
}

/** Types that the `readonly` attribute is for (HTML standard). */
const CAN_BE_READONLY = new Set(
  'text search url tel email password date month week time datetime-local number'.split(' '),
);

function isReadonly(el: Element): boolean {
  if (ariaFlag(el, 'readonly') === 'true') return true;
  return (isTextarea(el) || (isInput(el) && CAN_BE_READONLY.has(el.type))) && el.readOnly;
}

/** `aria-valuetext` or `aria-valuenow` of a widget that is not an HTML control. */
export function ariaValue(el: Element): string {
  return el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') ?? '';
}
