import { isButton, isInput } from '../dom.ts';
import { PageError } from '../page-error.ts';
import { isShown } from './aim.ts';
import { describeElement } from './hit.ts';

/** What sends a form. */
export const SUBMITS = 'button:not([type]),button[type=submit i],input[type=submit i],input[type=image i]';

/**
 * The button that sends a form: the element itself, or the first one that is shown in the form of the
 * element; without an element, in the form that has the focus or the only one. Null for a form without such a
 * button.
 *
 * @throws PageError `target_unsuitable` where there is no form, or several
 */
export function submitterOf(document: Document, el: Element | null): Element | null {
  if (el !== null && el.matches(SUBMITS)) return el;
  const form = el === null ? likelyForm(document) : formOf(el);
  if (form === null)
    throw new PageError(
      'target_unsuitable',
      `${el === null ? 'The page' : describeElement(el)} has no form to submit.`,
    );
  const own = [...form.elements].filter((control) => control.matches(SUBMITS));
  // An image button is not among the elements of a form.
  const images = [...form.querySelectorAll('input[type=image i]')];
  return [...own, ...images].find(isShown) ?? null;
}

function formOf(el: Element): HTMLFormElement | null {
  if (isInput(el) || isButton(el)) return el.form;
  return el.closest('form');
}

function likelyForm(document: Document): HTMLFormElement | null {
  const focused = document.activeElement?.closest('form') ?? null;
  if (focused !== null) return focused;
  const forms = [...document.forms].filter(isShown);
  if (forms.length > 1)
    throw new PageError(
      'target_unsuitable',
      `The page has ${forms.length} forms; name an element of the one to submit.`,
    );
  return forms[0] ?? null;
}
