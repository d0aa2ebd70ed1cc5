import { lookUp, isButton, isHtml, isInput, isMeter, isSelect, isTextarea, squash } from './elements.ts';
import { isPlaceholderSeen } from './contrast.ts';
import { isMasking } from './hidden-styles.ts';

/** Kinds with a value. */
export const CONTROLS = new Set(['input', 'select', 'textarea', 'meter', 'progress']);

const SECRET_COMPLETE = /(?:^|\s)(?:cc-[a-z-]+|one-time-code|current-password|new-password)(?:\s|$)/i;

/**
 * Whether a control's value must not leave the page: passwords, even while a page shows them as plain text, card data
 * and one-time codes by `autocomplete`, and values masked by style.
 */
export const isSecret = (el: Element): boolean => concealed.has(el) || isSecretByItself(el);

function isSecretByItself(el: Element): boolean {
  if (!isInput(el) && !isTextarea(el) && !isSelect(el)) return false;
  if (isPasswordInput(el)) {
    // Not all of them are in the document's own tree, which is searched for them.
    rememberPassword(el);
    return true;
  }
  if (SECRET_COMPLETE.test(el.getAttribute('autocomplete') ?? '') && !isOfNoType(el)) return true;
  if (isSelect(el)) return false;
  if (isInput(el) && PLAIN_TYPES.has(el.type)) return false;
  return wasPassword.has(el) || isNamedAsPassword(el) || isMasked(el);
}

/** Whether an input has a type of its library's own: such a list asks for no password, only for no suggestions. */
function isOfNoType(el: Element): boolean {
  const type = el.getAttribute('type')?.toLowerCase() ?? '';
  const isKnown = !isInput(el) || type === '' || type === el.type || /pass/.test(type);
  return !isKnown && /^\s*new-password\s*$/i.test(el.getAttribute('autocomplete') ?? '');
}

function isMasked(el: Element): boolean {
  // Spillway masked this field itself.
  if (concealed.has(el)) return false;
  // A document that was only parsed has only inline style.
  if (el.ownerDocument.defaultView === null) return MASKED.test(el.getAttribute('style') ?? '');
  return isMasking(getComputedStyle(el));
}

/** Fields that were filled with a value of `--secrets`. */
const concealed = new WeakSet<Element>();

/** Masks a field's text, in screenshots too, and withholds its value. */
export function conceal(el: Element): void {
  if (isPasswordInput(el) || isSelect(el) || !isHtml(el)) return;
  concealed.add(el);
  el.style.setProperty('-webkit-text-security', 'disc', 'important');
}

const isPasswordInput = (el: Element): boolean => isInput(el) && el.type === 'password';

const NO_PASSWORD = /(?:^|\s)(?:cc-[a-z-]+|one-time-code)(?:\s|$)/i;

/** Whether a control takes a password: not card data or a one-time code, though those are secret too. */
export function takesPassword(el: Element): boolean {
  if (!isSecretByItself(el)) return false;
  return isPasswordInput(el) || !NO_PASSWORD.test(el.getAttribute('autocomplete') ?? '');
}

const MASKED = /-webkit-text-security\s*:\s*(?!none)/i;
const PLAIN_TYPES = new Set('checkbox radio button submit reset image range color file hidden'.split(' '));

/** Inputs that were passwords stay secret when a "show password" button changes their type. */
const wasPassword = new WeakSet<Element>();
/** The names and ids of those inputs, by document: some pages swap the input to show a password. */
const passwordNames = new WeakMap<Document, Set<string>>();

/** Remembers the current password fields of a document. */
export function rememberPasswords(root: ParentNode): void {
  for (const el of root.querySelectorAll('input[type="password" i]')) rememberPassword(el);
}

function rememberPassword(el: Element): void {
  if (wasPassword.has(el)) return;
  wasPassword.add(el);
  const known = passwordNames.get(el.ownerDocument) ?? new Set();
  for (const name of namesOf(el)) known.add(name);
  passwordNames.set(el.ownerDocument, known);
}

function isNamedAsPassword(el: Element): boolean {
  const known = passwordNames.get(el.ownerDocument);
  return known !== undefined && isInput(el) && namesOf(el).some((name) => known.has(name));
}

const namesOf = (el: Element): string[] =>
  ['name', 'id']
    .filter((attribute) => (el.getAttribute(attribute) ?? '') !== '')
    .map((attribute) => `${attribute} ${el.getAttribute(attribute)}`);

type ControlKind = 'check' | 'radio' | 'button' | 'choice' | 'hidden' | 'text' | 'meter';

/** Any other type of input takes text. */
const INPUT_KINDS: Readonly<Record<string, ControlKind>> = {
  checkbox: 'check',
  radio: 'radio',
  submit: 'button',
  reset: 'button',
  button: 'button',
  image: 'button',
  hidden: 'hidden',
};

export function controlKind(el: Element): ControlKind | null {
  if (isSelect(el)) return 'choice';
  if (isTextarea(el)) return 'text';
  if (isMeter(el)) return 'meter';
  return isInput(el) ? (lookUp(INPUT_KINDS, el.type) ?? 'text') : null;
}

/** The value a person sees in a control; empty for secrets and empty controls. */
export function shownValue(el: Element): string {
  if (isSecret(el)) return '';
  if (isSelect(el)) return [...el.selectedOptions].map((option) => squash(option.label)).join(', ');
  if (isTextarea(el)) return el.value;
  if (isMeter(el)) return String(el.value);
  if (isButton(el) || !isInput(el)) return '';
  if (el.type === 'file') return [...(el.files ?? [])].map((file) => file.name).join(', ');
  return el.value;
}

/** Whether a list shows an option when it is open. */
export const isListed = (option: HTMLOptionElement): boolean =>
  option.ownerDocument.defaultView === null
    ? option.closest('[hidden]') === null
    : [option, option.parentElement ?? option].every((el) => getComputedStyle(el).display !== 'none');

export const optionsOf = (select: HTMLSelectElement): HTMLOptionElement[] =>
  [...select.options].filter(isListed);

/** Whether a control whose value is withheld has content. */
export function isFilled(el: Element): boolean {
  return (isInput(el) || isTextarea(el) || isSelect(el)) && el.value !== '';
}

export function buttonFace(el: HTMLInputElement): string {
  if (el.type === 'image') return el.alt || el.value;
  if (el.value !== '') return el.value;
  return el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : '';
}

/** A control as text in square brackets, or null if it shows nothing. */
export function controlText(el: Element, isSeen: boolean): string | null {
  switch (controlKind(el)) {
    case 'check':
      return isInput(el) && el.checked ? '[x]' : '[ ]';
    case 'radio':
      return isInput(el) && el.checked ? '(x)' : '( )';
    case 'button':
      return isInput(el) ? `[${buttonFace(el)}]` : null;
    case 'hidden':
    case null:
      return null;
    case 'choice':
    case 'meter':
      return `[${isSeen ? shownValue(el) : ''}]`;
    case 'text':
      return `[${textFace(el, isSeen)}]`;
  }
}

function textFace(el: Element, isSeen: boolean): string {
  // Dots show that there is a secret.
  if (isFilled(el)) return isSecret(el) ? '••••' : (isSeen && shownValue(el)) || '____';
  const placeholder = el.getAttribute('placeholder') ?? '';
  return placeholder !== '' && isPlaceholderSeen(el) ? placeholder : '____';
}
