import { isRendered, isShown } from '../../dom/visible.ts';
import { comparable } from '../../../shared/base/comparable.ts';
import { computeName } from '../../dom/names/name.ts';
import { roleOf } from '../../dom/names/role.ts';
import {
  isInput,
  isOption,
  isSelect,
  isShadowRoot,
  isTextarea,
  labelsOf,
  squash,
  textIn,
  isButton,
  treeOf,
} from '../../dom/elements.ts';
import { flatParent, lineageOf, wayTo, elementsIn } from '../../dom/trees.ts';
import {
  checkedOf,
  chooseOptions,
  closedListOf,
  readValue,
  resolveControlKind,
  sliderState,
  TAKES_TEXT,
} from './controls.ts';
import { beginsWord } from './notes.ts';
import { isOffered, isWithinReach, whenFocused, whenReady, type WaitOptions } from './aim.ts';
import { DRAWN_FIELDS, drawnIn, isDrawnIn, ownText } from './surroundings.ts';
import { PageError } from '../../dom/doorway.ts';
import { describeElement } from './hit.ts';
import { hasParts } from './parts.ts';

const CONTROLS =
  'input:not([type=hidden i],[type=submit i],[type=reset i],[type=button i],[type=image i]),textarea,select,' +
  `[role=searchbox],[role=listbox],[role=radiogroup],fieldset,[role=group],${DRAWN_FIELDS}`;

/** Drops case and the marks of required fields. */
const normalise = (label: string): string =>
  comparable(label).replace(/^(?:[*＊]\s*)+|(?:\s*[:：*＊]|\s*[(（](?:required|optional)[)）])+$/g, '');

const isGroup = (el: Element): boolean =>
  el.localName === 'fieldset' || /^(?:radiogroup|group)$/.test(el.getAttribute('role') ?? '');

/** A control that a person can set: visible itself, or drawn by its label or an editor. */
function isSingle(el: Element): boolean {
  if (isInput(el)) return isOffered(el) || el.type === 'file';
  // An editor in place of a text area hides it, and leaves it its label.
  return isWithinReach(el) || (resolveControlKind(el) === 'editor' && isOffered(el) && isRendered(el));
}

/** Names of a control, best first. */
function namesOf(el: Element): readonly (readonly string[])[] {
  const attribute = (name: string): string => normalise(el.getAttribute(name) ?? '');
  return [
    [normalise(computeName(el, roleOf(el, el.localName))) || hostLabel(el)],
    // A library may give what it draws a name of its own, and the page a label.
    [attribute('placeholder'), attribute('title'), labelOf(el)],
    [attribute('name'), attribute('id'), attribute('data-testid')],
  ];
}

/** The label of the custom element that draws a control. */
function hostLabel(el: Element): string {
  const root = el.getRootNode();
  return isShadowRoot(root) ? labelOf(root.host) : '';
}

const labelOf = (el: Element): string => normalise(labelsOf(el).map(textIn).join(' '));

/** Levels around a hidden control in which what replaces it is next to it. */
const LEVELS = 3;
const REPLACED = 'textarea,select,input:not([type=checkbox i],[type=radio i],[type=file i],[type=range i])';

/** The editor, list or boxes of a code that a page draws in place of a labelled control, which it hides. */
export function replacementOf(hidden: Element): Element | null {
  if (!hidden.matches(REPLACED)) return null;
  if (isWithinReach(hidden) && !hidden.matches('[aria-hidden=true][tabindex="-1"]')) return null;
  const parent = flatParent(hidden);
  if (parent === null || !isRendered(parent) || !labelsOf(hidden).some(isShown)) return null;
  let at: Element | null = hidden;
  for (let level = 0; level < LEVELS && at !== null; level += 1) {
    const [only, second] = [at.nextElementSibling, at.previousElementSibling]
      .filter((each) => each !== null)
      // Another row has a label of its own.
      .filter((each) => level === 0 || !elementsIn(each, 'label').some(isShown))
      .map((each) => drawnFor(hidden, each))
      .filter((each) => each !== undefined);
    if (only !== undefined) return second === undefined ? only : null;
    at = flatParent(at);
  }
  return null;
}

function drawnFor(hidden: Element, box: Element): Element | undefined {
  const all = [box, ...elementsIn(box, CONTROLS)].filter((el) => el.matches(CONTROLS) && isSingle(el));
  // Editors have fields of their own.
  if (isTextarea(hidden)) return all.find((el) => resolveControlKind(el) === 'editor');
  const isField = (el: Element): boolean => isShown(el) && TAKES_TEXT.has(resolveControlKind(el));
  const fields = all.filter((el) => isField(el) && labelsOf(el).length === 0);
  const [first, second] = fields;
  if (second === undefined || areBoxes(fields)) return first ?? listIn(hidden, box);
  return undefined;
}

/** A list may have no role, and show its field when it is open. */
const listIn = (hidden: Element, box: Element): Element | undefined =>
  isSelect(hidden) && isShown(box) && box.querySelector('ul,input,[tabindex]') !== null ? box : undefined;

/** Whether fields have room for one character of a code each: pages divide what the first gets among them. */
const areBoxes = (fields: readonly Element[]): boolean =>
  fields.length > 2 && fields.every((el) => isInput(el) && el.clientWidth < 2 * el.clientHeight);

/** The controls that a name may mean; if there are none, the names of all controls. */
interface FoundFields {
  readonly found: readonly Element[];
  readonly known: readonly string[];
}

interface NamedField {
  readonly el: Element;
  readonly names: ReturnType<typeof namesOf>;
}

export class Fields {
  /** Null once anything may have changed the controls. */
  #named: readonly NamedField[] | null = null;

  constructor(private readonly document: Document) {}

  /** Call after anything that may change the controls. */
  forget(): void {
    this.#named = null;
  }

  /**
   * The control or group of choices with this label; else this placeholder, name or id; else the only one whose label
   * contains it.
   */
  find(name: string): FoundFields {
    const wanted = normalise(name);
    const before = this.#named === null ? [] : byName(this.#named, wanted);
    // A change of style alone may hide or show controls.
    if (before.length > 0 && before.every(isSettable)) return { found: before, known: [] };
    const named = elementsIn(this.document, CONTROLS).flatMap((control) => {
      const el = replacementOf(control) ?? (isSettable(control) ? control : null);
      return el === null ? [] : [{ el, names: namesOf(control) }];
    });
    // Changes in shadow trees and frames are not watched.
    this.#named = named.every(({ el }) => el.getRootNode() === this.document) ? named : null;
    let found = byName(named, wanted);
    if (found.length > 0 && found.every(isHiddenFromAll)) {
      const open = named.filter(({ el }) => !isHiddenFromAll(el));
      const next = nextToText(this.document, wanted, open);
      if (next.length > 0) found = next;
    }
    const labels = named.map(({ names: [[label = ''] = []] }) => label).filter((label) => label !== '');
    if (found.length === 0) found = nextToText(this.document, wanted, named);
    return {
      found: found.length > 0 ? found : boxesNextTo(this.document, wanted, named),
      known: [...new Set(labels)],
    };
  }
}

const isSettable = (el: Element): boolean => (isGroup(el) ? hasChoices(el) || hasParts(el) : isSingle(el));

function byName(all: readonly NamedField[], wanted: string): readonly Element[] {
  for (const level of [0, 1, 2]) {
    const found = all.filter(({ names }) => names[level]?.includes(wanted)).map(({ el }) => el);
    if (found.length > 0) return preferShown(preferGroup(withoutLists([...new Set(found)])));
  }
  const part = all.filter(({ names: [labels] }) => labels?.some((label) => label.includes(wanted)));
  return part.map(({ el }) => el);
}

/** A list of a field, the field that searches a list, and that of a slider may share its name: it is set through the other. */
function withoutLists(found: readonly Element[]): readonly Element[] {
  const isOwned = (el: Element, by: Element): boolean =>
    (by.matches('[role=listbox]') && by.contains(el)) ||
    `${by.getAttribute('aria-controls')} ${by.getAttribute('aria-owns')}`.split(' ').includes(el.id || ' ');
  return found.filter((el) => !found.some((by) => by !== el && (isOwned(el, by) || isWrittenIn(el, by))));
}

/** Whether a field of the same name shows the number of a slider, and sets it. */
const isWrittenIn = (slider: Element, by: Element): boolean =>
  resolveControlKind(slider) === 'slider' &&
  resolveControlKind(by) === 'text' &&
  String(sliderState(slider).now) === readValue(by);

/** Libraries keep the control they replace, label included. */
function preferShown(found: readonly Element[]): readonly Element[] {
  if (found.length < 2) return found;
  const shown = found.filter(isWithinReach);
  const open = shown.filter((el) => !isHiddenFromAll(el));
  return [open, shown].find((some) => some.length > 0) ?? found;
}

/** Pages hide a control from assistive technology when they offer a replacement. */
const isHiddenFromAll = (el: Element): boolean =>
  lineageOf(el).some((up) => up.getAttribute('aria-hidden') === 'true');

const STEPS_AWAY = 4;

/** The control or choices that a text is drawn next to: a label without `for`, a placeholder over a combobox. */
function nextToText(document: Document, wanted: string, all: readonly NamedField[]): readonly Element[] {
  const found = new Set<Element>();
  for (const text of elementsIn(document, '*')) {
    if (ownTextOf(text) !== wanted || !isWithinReach(text)) continue;
    const next = nextTo(text, all);
    if (next !== null) found.add(next);
  }
  return [...found];
}

/** The same for a box that takes the focus, and does not say what it is: a list that a library draws. */
function boxesNextTo(document: Document, wanted: string, all: readonly NamedField[]): readonly Element[] {
  const boxes = elementsIn(document, BOXES).filter(
    (el) => isWithinReach(el) && !all.some((one) => el.contains(one.el)),
  );
  const named = [...all, ...boxes.map((el) => ({ el, names: [['']] }))];
  return boxes.length === 0 ? [] : nextToText(document, wanted, named).filter((el) => boxes.includes(el));
}

const BOXES = '[tabindex="0"]:not([role],a,button,input,select,textarea,[contenteditable])';

function nextTo(text: Element, all: readonly NamedField[]): Element | null {
  let around: Element | null = text;
  for (let [steps, below] = [0, text]; around !== null && steps <= STEPS_AWAY; steps += 1) {
    const [only, second] = controlsIn(around, all);
    if (only !== undefined) {
      if (second === undefined) return isOfOtherRow(only.el, below, text) ? null : only.el;
      if (controlsIn(around, all).every(({ el }) => el.matches(CHOICES))) return around;
      // In a row of captions and controls, a caption names the unnamed control after it.
      const [next, another] =
        below.nextElementSibling === null ? [] : controlsIn(below.nextElementSibling, all);
      const isNamed = another !== undefined || next?.names[0]?.[0] !== '';
      return isNamed || isOfOtherRow(next.el, below, text) ? null : next.el;
    }
    if (hasChoices(around)) return around;
    [below, around] = [around, flatParent(around)];
  }
  return null;
}

/**
 * Whether a control has a row of its own: a row like that of the text, whose own control is unknown, and with other
 * text in it, or with a caption before it.
 */
function isOfOtherRow(control: Element, row: Element, text: Element): boolean {
  if (row === text || row.contains(control)) return false;
  const isWhole = ownTextOf(text) === normalise(row.textContent) && row.querySelector('[tabindex]') === null;
  let other = control;
  for (let up = flatParent(other); up !== null && !up.contains(row); up = flatParent(up)) other = up;
  const isAlike = other.localName === row.localName && other.classList.item(0) === row.classList.item(0);
  return isAlike && (isWhole ? hasCaption(other, control) : normalise(other.textContent) !== '');
}

/** Whether words precede a control in its row. */
function hasCaption(row: Element, control: Element): boolean {
  return [...row.querySelectorAll('*')].some(
    (el) =>
      el.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING &&
      /\p{L}{2}/u.test(ownText(el)) &&
      isWithinReach(el),
  );
}

/** The controls in an element: a group rather than its choices, a field rather than the combobox around it. */
function controlsIn(outer: Element, all: readonly NamedField[]): readonly NamedField[] {
  // A control may be drawn by a custom element, and an editor be the document of a frame.
  const within = all.filter(({ el }) => outer.contains(el) || wayTo(el).includes(outer));
  const preferred = preferGroup(within.map(({ el }) => el));
  return within.filter(
    ({ el }) =>
      preferred.includes(el) &&
      !(isCombobox(el) && preferred.some((other) => other !== el && isTyped(other) && el.contains(other))),
  );
}

const isTyped = (el: Element): boolean => isInput(el) || isTextarea(el);
const isCombobox = (el: Element): boolean => el.getAttribute('role') === 'combobox';

/** The label of an element, else its text without that of its children. */
function ownTextOf(el: Element): string {
  return normalise(ownText(el)) || normalise(el.getAttribute('aria-label') ?? '');
}

/** A group's choices that share the group's name are set through the group. */
function preferGroup(found: readonly Element[]): readonly Element[] {
  const group = found.find(isGroup);
  if (group !== undefined && found.every((el) => isDrawnIn(el, group))) return [group];
  const [first] = found;
  if (first === undefined || !isInput(first) || first.type !== 'radio') return found;
  // Radio buttons without a group share a name.
  return found.every((el) => isInput(el) && el.name === first.name) ? [first] : found;
}

const CHOICES = 'input[type=radio i],input[type=checkbox i],[role=radio],[role=checkbox]';
const hasChoices = (group: Element): boolean => choicesIn(group).length > 0;

/** Choices, or toggle buttons; a lone toggle button switches something else. */
function choicesIn(outer: Element): readonly Element[] {
  const choices = drawnIn(outer, CHOICES);
  if (choices.length > 0) return choices;
  const pressed = drawnIn(outer, '[aria-pressed]');
  return pressed.length > 1 ? pressed : [];
}

/** The choice with this label or value, in a group or among radio buttons of one name. */
export function choiceOf(
  el: Element,
  label: string,
): { readonly el: Element | null; readonly labels: readonly string[] } {
  const choices = choicesOf(el);
  const labels = choices.map((choice) => squash(computeName(choice, roleOf(choice, choice.localName))));
  const wanted = normalise(label);
  const index = labels.findIndex((own) => normalise(own) === wanted);
  const byAttribute = ['value', 'aria-posinset'].map((name) =>
    choices.find((choice) => choice.getAttribute(name) === label),
  );
  const [only, second] = choices.filter((_, at) => beginsWord(normalise(labels[at] ?? ''), wanted));
  const byWord = second === undefined && wanted !== '' ? only : undefined;
  const found = choices[index] ?? byAttribute.find((choice) => choice !== undefined) ?? byWord;
  return { el: found ?? null, labels };
}

export const isGroupOfChoices = (el: Element): boolean => choicesOf(el).length > 0;

/** The checked boxes of a group, except those with these labels or values. */
export function othersChecked(group: Element, labels: readonly string[]): Element[] {
  const chosen = new Set(labels.map((label) => choiceOf(group, label).el));
  return choicesOf(group).filter(
    (choice) => resolveControlKind(choice) === 'check' && checkedOf(choice) === true && !chosen.has(choice),
  );
}

function choicesOf(el: Element): Element[] {
  if (isGroup(el) || resolveControlKind(el) === 'other') return [...choicesIn(el)];
  if (!isInput(el) || resolveControlKind(el) !== 'radio') return [];
  const root = el.form ?? treeOf(el);
  return [...root.querySelectorAll('input[type=radio i]')].filter(
    (other) => isInput(other) && other.name === el.name,
  );
}

/**
 * Chooses an option of a closed list.
 * @throws PageError as `whenReady`, of the option and of its list; `stale_ref` if the list is drawn by now
 */
export async function chooseOption(option: Element, how: WaitOptions): Promise<void> {
  await whenReady(option, how);
  const list = closedListOf(option);
  if (list === null || !isOption(option))
    throw new PageError('stale_ref', `The page has drawn ${describeElement(option)} meanwhile.`);
  await whenFocused(list, how);
  chooseOptions(list, new Set([option]));
}

export const SUBMITS = 'button:not([type]),button[type=submit i],input[type=submit i],input[type=image i]';

/**
 * The submit button of a form: the element itself, else the first visible one in its form; without an element, in the
 * focused or only form. Null if the form has none.
 * @throws PageError `target_unsuitable` if there is no form, or several
 */
export function submitterOf(document: Document, el: Element | null): Element | null {
  if (el !== null && el.matches(SUBMITS)) return el;
  const form = el === null ? likelyForm(document) : formOf(el);
  if (form === null)
    throw new PageError(
      'target_unsuitable',
      `${el === null ? 'The page' : describeElement(el)} has no form to submit.`,
    );
  // Not `elements`, which a form's own field may shadow.
  const submitters = [...treeOf(form).querySelectorAll(SUBMITS)];
  return submitters.find((each) => 'form' in each && each.form === form && isWithinReach(each)) ?? null;
}

function formOf(el: Element): HTMLFormElement | null {
  if (isInput(el) || isButton(el)) return el.form;
  return el.closest('form');
}

function likelyForm(document: Document): HTMLFormElement | null {
  const focused = document.activeElement?.closest('form') ?? null;
  if (focused !== null) return focused;
  const forms = [...document.forms].filter(isWithinReach);
  if (forms.length > 1)
    throw new PageError(
      'target_unsuitable',
      `The page has ${forms.length} forms; name an element of the form to submit.`,
    );
  return forms[0] ?? null;
}
