import { descriptionOf, nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { statesOf } from '../aria/state.ts';
import { matchesAttribute, parseAttributes, type SelectorAttribute } from './attributes.ts';
import { invalid, type SelectorPart } from './fault.ts';
import { readable } from './matcher.ts';
import { isHiddenAcross } from './shown.ts';
import { elementsIn, type Scope } from './trees.ts';

/** What ARIA calls the roles that a snapshot distinguishes further. */
const STANDARD: Readonly<Record<string, string>> = {
  color: 'textbox',
  date: 'textbox',
  datetime: 'textbox',
  file: 'button',
  month: 'textbox',
  password: 'textbox',
  summary: 'button',
  time: 'textbox',
  week: 'textbox',
};
const SYNONYMS: Readonly<Record<string, string>> = { image: 'img', presentation: 'none' };

type Test = (el: Element, role: string) => boolean;

/** Attributes that say in which state an element is: what is asked, and what its states say. */
const STATES: Readonly<Record<string, (value: string, states: ReadonlySet<string>) => boolean>> = {
  checked: (value, states) => value === tristate('checked', states),
  pressed: (value, states) => value === tristate('pressed', states),
  selected: (value, states) => value === String(states.has('selected')),
  disabled: (value, states) => value === String(states.has('disabled')),
  expanded: (value, states) => states.has(value === 'true' ? 'expanded' : 'collapsed'),
};
const MIXED = new Set(['checked', 'pressed']);
const NAMES = [...Object.keys(STATES), 'level', 'name', 'description', 'include-hidden'].toSorted();

const tristate = (name: string, states: ReadonlySet<string>): string =>
  states.has(`${name} mixed`) ? 'mixed' : String(states.has(name));

/**
 * `role=button[name="Save"]`: elements by their accessible role, name and state, those left out that assistive
 * technology does not see unless `include-hidden` is there.
 *
 * @throws PageError `selector_invalid`
 */
export function findRole(scope: Scope, part: SelectorPart): Element[] {
  const { name, attributes } = parseAttributes(part);
  const wanted = standard(name.toLowerCase());
  const isHiddenToo = attributes.some(
    (each) => each.name === 'include-hidden' && flagOf(part, each) === 'true',
  );
  const tests = attributes.flatMap((attribute) => testOf(part, attribute));
  return elementsIn(scope).filter((el) => {
    const role = roleOf(el, el.localName);
    if (role === '' || (role !== name && standard(role) !== wanted)) return false;
    // The name first: few have it, and whether an element is hidden concerns all that are around it.
    return tests.every((test) => test(el, role)) && (isHiddenToo || !isHiddenAcross(el));
  });
}

const standard = (role: string): string => SYNONYMS[role] ?? STANDARD[role] ?? role;

function testOf(part: SelectorPart, attribute: SelectorAttribute): Test[] {
  const { name, offset } = attribute;
  const inState = STATES[name];
  if (inState !== undefined) {
    const value = flagOf(part, attribute, MIXED.has(name));
    return [(el, role) => inState(value, new Set(statesOf(el, role)))];
  }
  switch (name) {
    case 'include-hidden':
      return [];
    case 'level':
      return [levelTest(part, attribute)];
    case 'name':
      return [textTest(part, attribute, (el, role) => nameOf(el, role))];
    case 'description':
      return [textTest(part, attribute, (el, role) => descriptionOf(el, nameOf(el, role)))];
    default:
      throw invalid(part, `role= takes ${NAMES.join(', ')}, not ${name}`, offset);
  }
}

function flagOf(part: SelectorPart, { name, op, value, offset }: SelectorAttribute, isMixed = false): string {
  if (op === '') return 'true';
  const taken = isMixed ? ['true', 'false', 'mixed'] : ['true', 'false'];
  if (op === '=' && typeof value === 'string' && taken.includes(value)) return value;
  throw invalid(part, `${name} takes ${taken.join(', ')}`, offset);
}

function levelTest(part: SelectorPart, { op, value, offset }: SelectorAttribute): Test {
  if (op !== '=' || typeof value !== 'string' || !/^\d+$/.test(value))
    throw invalid(part, 'level takes a number', offset);
  return (el) => {
    const given = el.getAttribute('aria-level')?.trim() ?? '';
    return (given === '' ? (/^h([1-6])$/.exec(el.localName)?.[1] ?? '') : given) === value;
  };
}

function textTest(
  part: SelectorPart,
  attribute: SelectorAttribute,
  textOf: (el: Element, role: string) => string,
): Test {
  if (attribute.op === '') throw invalid(part, `${attribute.name} takes a value`, attribute.offset);
  const { value } = attribute;
  const wanted = { ...attribute, value: typeof value === 'string' ? readable(value) : value };
  return (el, role) => matchesAttribute(wanted, readable(textOf(el, role)));
}
