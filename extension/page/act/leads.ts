import { cutUrl } from '../../../shared/cut.ts';
import { isButton, isInput, isLabel, isSelect, isTextarea } from '../dom.ts';
import { submitterOf, SUBMITS } from './submitter.ts';
import type { Leads } from './protocol.ts';

/** The card shows the site; of the rest, any change counts. */
const URL_UNITS = 400;
/** What needs no other page. */
const OWN_SCRIPT = /^\s*javascript:/i;

/**
 * Where a page says that an element leads: where its form is sent, or where its link goes. Null for neither. What the
 * page's scripts make of a click is theirs.
 */
export function leadsOf(el: Element): Leads | null {
  const link = el.closest('a[href],area[href]');
  if (link !== null) return leads('link', link.getAttribute('href') ?? '', link);
  const control = controlOf(el);
  const form = control === null ? null : formOf(control);
  if (control === null || form === null) return null;
  const button = control.matches(SUBMITS) ? control : firstSubmitter(control);
  if (isButton(control) && button !== control) return null;
  // A form's own names hide its methods and members: <input name="getAttribute">.
  const read = (from: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(from, name);
  const action = (button === null ? null : read(button, 'formaction')) ?? read(form, 'action') ?? '';
  // Of the form itself a field can hide the document and its base.
  return leads('form', action, control);
}

function leads(how: Leads['how'], address: string, { baseURI, ownerDocument }: Element): Leads | null {
  if (OWN_SCRIPT.test(address)) return null;
  // An empty action is the document's own address, whatever its base.
  const base = how === 'form' && address === '' ? ownerDocument.URL : baseURI;
  return { how, url: shorten(absolute(address, base)) };
}

/** A long address with a number in the place of its end, so that another end makes another address. */
function shorten(url: string): string {
  if (url.length <= URL_UNITS) return url;
  let sum = 0;
  for (let at = 0; at < url.length; at += 1) sum = (Math.imul(sum, 31) + url.charCodeAt(at)) | 0;
  return `${cutUrl(url, URL_UNITS)} ${url.length}:${sum}`;
}

function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

function controlOf(el: Element): Element | null {
  const label = el.closest('label');
  const labelled = label !== null && isLabel(label) ? label.control : null;
  return el.closest('button,input,select,textarea') ?? labelled;
}

const formOf = (control: Element): HTMLFormElement | null =>
  isInput(control) || isButton(control) || isSelect(control) || isTextarea(control) ? control.form : null;

function firstSubmitter(control: Element): Element | null {
  try {
    return submitterOf(control.ownerDocument, control);
  } catch {
    return null;
  }
}

/** Whether two elements, or one at two times, lead to the same. */
export const isSameLeads = (a: Leads | null, b: Leads | null): boolean =>
  a?.how === b?.how && a?.url === b?.url;
