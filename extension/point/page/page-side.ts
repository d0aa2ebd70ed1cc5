import { cut } from '../../../shared/base/cut.ts';
import { PAGE_ROLES } from '../../../shared/read/page-lines.ts';
import type { RecordedAct, RecordedTarget } from '../recorded-port.ts';
import { computeName } from '../../dom/names/name.ts';
import { roleOf } from '../../dom/names/role.ts';
import { isHtml } from '../../dom/elements.ts';
import { flatParent } from '../../dom/trees.ts';
import { actionableIn, targetOf } from '../../find/page/find/contexts.ts';
import { whereOf } from '../../find/page/find/find.ts';
import { locateAll, locateParts } from '../../find/page/locate/locate.ts';
import { isShown, shownTextIn } from '../../dom/visible.ts';
import type { PersonScript } from './content.ts';
import { PageError } from '../../dom/doorway.ts';
import { CONTROLS, isSecret, rememberPasswords } from '../../dom/controls.ts';
import { isObject } from '../../../shared/base/json.ts';
import { describeElement, elementAt } from '../../act/page/hit.ts';

const NAME_UNITS = 100;
const LABEL_UNITS = 60;

const isPersonScript = (value: unknown): value is PersonScript =>
  isObject(value) && typeof value['point'] === 'function';

/** The helper has to be loaded. */
function personScript(): PersonScript {
  const found: unknown = Reflect.get(globalThis, Symbol.for('spillway.person'));
  if (!isPersonScript(found)) throw new PageError('internal_error', 'The helper is not loaded.');
  return found;
}

/** The element that a person points at; null if they would rather not. */
export const pointed = (signal: AbortSignal): Promise<Element | null> =>
  personScript().point({
    signal,
    elementAt: (at) => {
      const el = elementAt(document, at);
      return el === null ? null : targetOf(el);
    },
    around: flatParent,
    controls: () => actionableIn(document.documentElement).filter(isShown),
    describe: describeElement,
  });

/** Reports what a person does in this document, until the returned function is called. */
export function startRecording(report: (act: RecordedAct) => void): () => void {
  rememberPasswords(document);
  return personScript().record({ targetOf, describe: describeTarget, isSecret, report });
}

function describeTarget(el: Element): Pick<RecordedAct, 'target' | 'label'> {
  const role = roleOf(el, el.localName);
  const name = nameIn(el, role);
  return { target: targetFor(el, role, name), label: cut(name, LABEL_UNITS).toWellFormed() };
}

/** Without the text that a person types. */
const nameIn = (el: Element, role: string): string =>
  computeName(el, role) ||
  (CONTROLS.has(el.localName) || (isHtml(el) && el.isContentEditable) ? '' : shownTextIn(el));

/** How a recipe finds an element again, as `find` will see it; null if nothing tells it apart. */
function targetFor(el: Element, own: string, name: string): RecordedTarget | null {
  const role = own === 'summary' ? 'button' : own;
  const isPlain = PAGE_ROLES.has(role) && !isEditor(el) && !name.includes('{{');
  const test = name === '' ? '' : `[name=${quoted(name)}]`;
  const found = isPlain ? locateParts(document, [{ engine: 'role', body: `${role}${test}` }]) : [];
  const same = found.filter((each) => isAlike(each, own, name) && isShown(each));
  if (!same.includes(el)) return selectorFor(el, name);
  const place = whereOf(el, name);
  // Braces are references in a recipe.
  const near = place?.includes('{{') === true ? null : place;
  const target = { role, name: cut(name, NAME_UNITS).toWellFormed(), ...(near === null ? {} : { near }) };
  if (same.length === 1) return target;
  const there = near === null ? same : same.filter((each) => whereOf(each, name) === near);
  // Another element with its name may come to be under the same heading, but hardly in the same row.
  const isOwnRow = there.length === 1 && near?.startsWith('under') === false;
  return {
    ...target,
    ...(isOwnRow ? {} : steadyName(el, name)),
    nth: there.indexOf(el) + 1,
    of: there.length,
  };
}

/** Other programs do not give editable content the role of a field. */
const isEditor = (el: Element): boolean => isHtml(el) && el.isContentEditable && !el.hasAttribute('role');

function isAlike(el: Element, role: string, name: string): boolean {
  return roleOf(el, el.localName) === role && nameIn(el, role) === name;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Ids with digits and the like may have been counted, or made for this visit. */
const STEADY_ID = /^[A-Za-z][A-Za-z_-]*$/;

/** The name that the page's author gave an element, whatever is added to the page. */
function steadyName(el: Element, name: string): { readonly selector?: string } {
  const names = [...testIdOf(el), ...(STEADY_ID.test(el.id) ? [`css=#${el.id}`] : [])];
  const selector = [...names, ...(name === '' ? fromTexts(el) : [])].find((one) => isOnly(one, el));
  return selector === undefined ? {} : { selector };
}

function testIdOf(el: Element): string[] {
  const id = el.getAttribute('data-testid');
  return id === null ? [] : [`testid=${id}`];
}

function selectorFor(el: Element, name: string): string | null {
  const text = shownTextIn(el);
  const selectors = [
    ...testIdOf(el),
    ...(name === '' ? [] : [`label=${quoted(name)}`]),
    ...(text === '' || text.length > NAME_UNITS ? [] : [`text=${quoted(text)}`]),
    ...(el.id === '' ? [] : [`css=#${CSS.escape(el.id)}`]),
  ];
  return [...selectors, ...fromTexts(el)].find((one) => isOnly(one, el)) ?? null;
}

const CLIMBED_MAX = 4;

/** Ways to an element without a name from the texts near it: `text="Green" >> xpath=../*[2]`. */
function* fromTexts(el: Element): Generator<string> {
  let down = '';
  for (let [up, climbed] = [el, 0]; climbed < CLIMBED_MAX; climbed += 1) {
    const { parentElement: around } = up;
    if (around === null) return;
    const all = [...around.children];
    down = `/*[${all.indexOf(up) + 1}]${down}`;
    for (const text of all.map((each) => (each === up ? '' : shownTextIn(each)))) {
      if (text === '' || text.length > LABEL_UNITS) continue;
      const named = `text=${quoted(text)}`;
      const [anchor, another] = locateAll(document, named).filter(isShown);
      if (anchor === undefined || another !== undefined || !around.contains(anchor)) continue;
      yield `${named} >> xpath=${waysUp(anchor, around)}${down}`;
    }
    up = around;
  }
}

function waysUp(from: Element, to: Element): string {
  const ways: string[] = [];
  for (let up: Element | null = from; up !== null && up !== to; up = up.parentElement) ways.push('..');
  return ways.join('/');
}

/** Whether a selector means this element alone, and may stand in a recipe. */
function isOnly(selector: string, el: Element): boolean {
  if (selector.includes('{{')) return false;
  try {
    const all = locateAll(document, selector);
    const shown = all.filter(isShown);
    const [only, another] = shown.length > 0 ? shown : all;
    return another === undefined && only?.contains(el) === true;
  } catch {
    return false;
  }
}
