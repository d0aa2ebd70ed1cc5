import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { flatParent, isInput, isShadowRoot, isTextarea, squash, isButton } from '../dom.ts';
import { beginsWord, checkedOf, kindOf } from './controls.ts';
import { elementsIn } from '../locate/trees.ts';
import { isOffered, isShown } from './aim.ts';
import { drawnIn, isDrawnIn } from './surroundings.ts';
import { PageError } from '../requests.ts';
import { describeElement } from './hit.ts';
import { hasParts } from './parts.ts';

const CONTROLS =
  'input:not([type=hidden i],[type=submit i],[type=reset i],[type=button i],[type=image i]),textarea,select,' +
  '[contenteditable]:not([contenteditable=false i]),[role=textbox],[role=searchbox],[role=combobox],[role=listbox],' +
  '[role=checkbox],[role=switch],[role=radio],[role=radiogroup],[role=slider],[role=spinbutton],[aria-haspopup=listbox],fieldset,[role=group]';

/** A label as people write it: without case, and without the marks of required fields. */
const normalise = (label: string): string =>
  squash(label)
    .toLowerCase()
    .replace(/(?:\s*[:*]|\s*\((?:required|optional)\))+$/g, '');

const isGroup = (el: Element): boolean =>
  el.localName === 'fieldset' || /^(?:radiogroup|group)$/.test(el.getAttribute('role') ?? '');

/** A control that a person can set: shown itself, or drawn by its label or by an editor. */
function isSingle(el: Element): boolean {
  if (isInput(el)) return isOffered(el) || el.type === 'file';
  return isShown(el) || (kindOf(el) === 'editor' && isOffered(el));
}

/** Ways to name a control, best first. */
function namesOf(el: Element): readonly (readonly string[])[] {
  const attribute = (name: string): string => normalise(el.getAttribute(name) ?? '');
  return [
    [normalise(nameOf(el, roleOf(el, el.localName)))],
    [attribute('placeholder'), attribute('title')],
    [attribute('name'), attribute('id'), attribute('data-testid')],
  ];
}

/** The controls that a name may mean, and, if there are none, the names of all controls. */
interface FoundFields {
  readonly found: readonly Element[];
  readonly known: readonly string[];
}

/** A control, and the names it can be found by. */
interface Named {
  readonly el: Element;
  readonly names: ReturnType<typeof namesOf>;
}

/** The controls of a document by name. */
export class Fields {
  readonly #document: Document;
  /** The controls of the last look; null once something may have changed them. */
  #named: readonly Named[] | null = null;

  constructor(document: Document) {
    this.#document = document;
  }

  /** Has to be called after anything that may change the controls. */
  forget(): void {
    this.#named = null;
  }

  /**
   * The control, or the group of choices, that has this label; else this placeholder, else this name or id;
   * else the only one whose label contains it.
   */
  find(name: string): FoundFields {
    const wanted = normalise(name);
    const before = this.#named === null ? [] : byName(this.#named, wanted);
    // A change of style alone may have hidden or shown some of them.
    if (before.length > 0 && before.every(isSettable)) return { found: before, known: [] };
    const named = elementsIn(this.#document, CONTROLS)
      .filter(isSettable)
      .map((el) => ({ el, names: namesOf(el) }));
    // Changes in a shadow tree or a frame are not watched.
    this.#named = named.every(({ el }) => el.getRootNode() === this.#document) ? named : null;
    let found = byName(named, wanted);
    if (found.length > 0 && found.every(isHiddenFromAll)) {
      const open = named.filter(({ el }) => !isHiddenFromAll(el));
      const next = nextToText(this.#document, wanted, open);
      if (next.length > 0) found = next;
    }
    const labels = named.map(({ names: [[label = ''] = []] }) => label).filter((label) => label !== '');
    return {
      found: found.length > 0 ? found : nextToText(this.#document, wanted, named),
      known: [...new Set(labels)],
    };
  }
}

const isSettable = (el: Element): boolean => (isGroup(el) ? hasChoices(el) || hasParts(el) : isSingle(el));

function byName(all: readonly Named[], wanted: string): readonly Element[] {
  for (const level of [0, 1, 2]) {
    const found = all.filter(({ names }) => names[level]?.includes(wanted)).map(({ el }) => el);
    if (found.length > 0) return preferShown(preferGroup(found));
  }
  const part = all.filter(({ names: [labels] }) => labels?.some((label) => label.includes(wanted)));
  return part.map(({ el }) => el);
}

/** Libraries keep what they replace, with its label. */
function preferShown(found: readonly Element[]): readonly Element[] {
  if (found.length < 2) return found;
  const shown = found.filter(isShown);
  const open = shown.filter((el) => !isHiddenFromAll(el));
  return [open, shown].find((some) => some.length > 0) ?? found;
}

/** Pages keep it from people who hear them, who have something else instead. */
function isHiddenFromAll(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = flatParent(up))
    if (up.getAttribute('aria-hidden') === 'true') return true;
  return false;
}

const STEPS_AWAY = 4;

/** The control, or the choices, that a text is drawn next to: a label without `for`, a placeholder over a combobox. */
function nextToText(document: Document, wanted: string, all: readonly Named[]): readonly Element[] {
  const found = new Set<Element>();
  for (const text of elementsIn(document, '*')) {
    if (ownTextOf(text) !== wanted || !isShown(text)) continue;
    const next = nextTo(text, all);
    if (next !== null) found.add(next);
  }
  return [...found];
}

function nextTo(text: Element, all: readonly Named[]): Element | null {
  let around: Element | null = text;
  for (let [steps, below] = [0, text]; around !== null && steps <= STEPS_AWAY; steps += 1) {
    const [only, second] = controlsIn(around, all);
    if (only !== undefined) {
      if (second === undefined) return only.el;
      if (controlsIn(around, all).every(({ el }) => el.matches(CHOICES))) return around;
      // In a row of captions and controls, it names the one after it that has no name.
      const [next, another] =
        below.nextElementSibling === null ? [] : controlsIn(below.nextElementSibling, all);
      return another === undefined && next?.names[0]?.[0] === '' ? next.el : null;
    }
    if (hasChoices(around)) return around;
    [below, around] = [around, flatParent(around)];
  }
  return null;
}

/** The controls in an element: a group instead of its choices, a field instead of a combobox around it. */
function controlsIn(outer: Element, all: readonly Named[]): readonly Named[] {
  const within = all.filter(({ el }) => outer.contains(el));
  const preferred = preferGroup(within.map(({ el }) => el));
  return within.filter(
    ({ el }) =>
      preferred.includes(el) &&
      !(isCombobox(el) && preferred.some((other) => other !== el && isTyped(other) && el.contains(other))),
  );
}

const isTyped = (el: Element): boolean => isInput(el) || isTextarea(el);
const isCombobox = (el: Element): boolean => el.getAttribute('role') === 'combobox';

/** The text of an element without that of its children, or its label. */
function ownTextOf(el: Element): string {
  const own = [...el.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join('');
  return normalise(own) || normalise(el.getAttribute('aria-label') ?? '');
}

/** Choices of one group that share their group's name are set through it. */
function preferGroup(found: readonly Element[]): readonly Element[] {
  const group = found.find(isGroup);
  if (group !== undefined && found.every((el) => isDrawnIn(el, group))) return [group];
  const [first] = found;
  if (first === undefined || !isInput(first) || first.type !== 'radio') return found;
  // Radio buttons without a group of their own have their name in common.
  return found.every((el) => isInput(el) && el.name === first.name) ? [first] : found;
}

const CHOICES = 'input[type=radio i],input[type=checkbox i],[role=radio],[role=checkbox]';
const hasChoices = (group: Element): boolean => choicesIn(group).length > 0;

/** Choices, or buttons that stay pressed; one of these alone switches something else. */
function choicesIn(outer: Element): readonly Element[] {
  const choices = drawnIn(outer, CHOICES);
  if (choices.length > 0) return choices;
  const pressed = drawnIn(outer, '[aria-pressed]');
  return pressed.length > 1 ? pressed : [];
}

/** The choice of a group, or of the radio buttons of an input's name, that has this label or value. */
export function choiceOf(
  el: Element,
  label: string,
): { readonly el: Element | null; readonly labels: readonly string[] } {
  const choices = choicesOf(el);
  const labels = choices.map((choice) => squash(nameOf(choice, roleOf(choice, choice.localName))));
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

/** The check boxes of a group that are on, besides the choices with these labels or values. */
export function othersChecked(group: Element, labels: readonly string[]): Element[] {
  const chosen = new Set(labels.map((label) => choiceOf(group, label).el));
  return choicesOf(group).filter(
    (choice) => kindOf(choice) === 'check' && checkedOf(choice) === true && !chosen.has(choice),
  );
}

function choicesOf(el: Element): Element[] {
  if (isGroup(el) || kindOf(el) === 'other') return [...choicesIn(el)];
  if (!isInput(el) || kindOf(el) !== 'radio') return [];
  const root = el.form ?? rootOf(el);
  return [...root.querySelectorAll('input[type=radio i]')].filter(
    (other) => isInput(other) && other.name === el.name,
  );
}

function rootOf(el: Element): ParentNode {
  const root = el.getRootNode();
  return isShadowRoot(root) ? root : el.ownerDocument;
}

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
      `The page has ${forms.length} forms; name an element of the form to submit.`,
    );
  return forms[0] ?? null;
}
