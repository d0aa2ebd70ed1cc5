import { readable } from '../../../../shared/base/comparable.ts';
import { descriptionOf, computeName } from '../../../dom/names/name.ts';
import { roleOf, statesOf } from '../../../dom/names/role.ts';
import { headingLevel, lookUp } from '../../../dom/elements.ts';
import { invalid, type SelectorPart, compile, unescape } from './matcher.ts';
import { isHiddenAcross } from '../../../dom/visible.ts';
import { elementsIn, type Scope } from '../../../dom/trees.ts';

/** `[name="Save"i]`: `op` is empty without a value. */
interface SelectorAttribute {
  readonly name: string;
  readonly op: string;
  readonly value: string | RegExp;
  readonly ignoresCase: boolean;
  /** Position in the part's body. */
  readonly offset: number;
}

const NAME = /[\w-]+/y;
const OPERATOR = /[*^$|~]?=/y;
const QUOTED = /(["'])((?:\\.|(?!\1).)*)\1\s*([iIsS]?)/sy;
const PATTERN = /\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\])+)\/([a-z]*)/sy;
const BARE = /[\w.+\u0080-\uffff-]+/y;

class Reader {
  at = 0;

  constructor(private readonly part: SelectorPart) {}

  skipBlanks(): void {
    this.take(/\s*/y);
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.part.body);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  takes(text: string): boolean {
    const does = this.part.body.startsWith(text, this.at);
    if (does) this.at += text.length;
    return does;
  }

  expected(what: string): Error {
    const char = this.part.body[this.at];
    const met = char === undefined ? 'the selector ends' : `there is ${JSON.stringify(char)}`;
    return invalid(this.part, `${what} is expected where ${met}`, this.at);
  }

  get isOver(): boolean {
    return this.at >= this.part.body.length;
  }
}

/**
 * A name and its attributes: `button[name="Save"i][pressed]`.
 * @throws PageError `selector_invalid`
 */
function parseAttributes(part: SelectorPart): {
  readonly name: string;
  readonly attributes: readonly SelectorAttribute[];
} {
  const reader = new Reader(part);
  const name = reader.take(NAME)?.[0] ?? '';
  if (name === '') throw reader.expected('a role, such as button,');
  const attributes: SelectorAttribute[] = [];
  for (reader.skipBlanks(); reader.takes('['); reader.skipBlanks())
    attributes.push(readAttribute(reader, part));
  if (!reader.isOver) throw reader.expected('[');
  return { name, attributes };
}

function readAttribute(reader: Reader, part: SelectorPart): SelectorAttribute {
  reader.skipBlanks();
  const offset = reader.at;
  const name = reader.take(NAME)?.[0];
  if (name === undefined) throw reader.expected('the name of an attribute');
  reader.skipBlanks();
  if (reader.takes(']')) return { name, op: '', value: '', ignoresCase: false, offset };
  const op = reader.take(OPERATOR)?.[0];
  if (op === undefined) throw reader.expected('= or ]');
  reader.skipBlanks();
  const value = readValue(reader, part, op);
  reader.skipBlanks();
  if (!reader.takes(']')) throw reader.expected(']');
  return { name, op, offset, ...value };
}

function readValue(
  reader: Reader,
  part: SelectorPart,
  op: string,
): Pick<SelectorAttribute, 'value' | 'ignoresCase'> {
  const at = reader.at;
  const pattern = reader.take(PATTERN);
  if (pattern !== null) {
    if (op !== '=') throw invalid(part, `a regular expression is compared with =, not with ${op}`, at);
    return { value: compile(part, pattern[1] ?? '', pattern[2] ?? '', at), ignoresCase: false };
  }
  const quoted = reader.take(QUOTED);
  if (quoted !== null) return { value: unescape(quoted[2] ?? ''), ignoresCase: /i/i.test(quoted[3] ?? '') };
  const bare = reader.take(BARE)?.[0];
  if (bare === undefined) throw reader.expected('a value, such as "Save" or /save/i,');
  return { value: bare, ignoresCase: false };
}

const COMPARISONS: Readonly<Record<string, (text: string, wanted: string) => boolean>> = {
  '=': (text, wanted) => text === wanted,
  '*=': (text, wanted) => text.includes(wanted),
  '^=': (text, wanted) => text.startsWith(wanted),
  '$=': (text, wanted) => text.endsWith(wanted),
  '|=': (text, wanted) => text === wanted || text.startsWith(`${wanted}-`),
  '~=': (text, wanted) => text.split(' ').includes(wanted),
};

function matchesAttribute({ op, value, ignoresCase }: SelectorAttribute, actual: string): boolean {
  if (value instanceof RegExp) return value.test(actual);
  const [text, wanted] = ignoresCase ? [actual.toLowerCase(), value.toLowerCase()] : [actual, value];
  return lookUp(COMPARISONS, op)?.(text, wanted) === true;
}

const STANDARD: Readonly<Record<string, string>> = {
  color: 'textbox',
  date: 'textbox',
  datetime: 'textbox',
  file: 'button',
  image: 'img',
  month: 'textbox',
  password: 'textbox',
  presentation: 'none',
  summary: 'button',
  time: 'textbox',
  week: 'textbox',
};
type Test = (el: Element, role: string) => boolean;

/** Compares a state attribute's value with an element's states. */
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
 * `role=button[name="Save"]`: elements by accessible role, name and state, without those hidden from assistive
 * technology unless `include-hidden` is set.
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
    // The name first: few elements match it, and visibility depends on all ancestors.
    return tests.every((test) => test(el, role)) && (isHiddenToo || !isHiddenAcross(el));
  });
}

const standard = (role: string): string => lookUp(STANDARD, role) ?? role;

function testOf(part: SelectorPart, attribute: SelectorAttribute): Test[] {
  const { name, offset } = attribute;
  const inState = lookUp(STATES, name);
  if (inState !== undefined) {
    const value = flagOf(part, attribute, MIXED.has(name));
    return [(el, role) => inState(value, new Set(statesOf(el, role)))];
  }
  if (name === 'include-hidden') return [];
  if (name === 'level') return [levelTest(part, attribute)];
  if (name === 'name') return [textTest(part, attribute, (el, role) => computeName(el, role))];
  if (name === 'description')
    return [textTest(part, attribute, (el, role) => descriptionOf(el, computeName(el, role)))];
  throw invalid(part, `role= takes ${NAMES.join(', ')}, not ${name}`, offset);
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
  return (el, role) =>
    (role === 'heading' ? String(headingLevel(el)) : el.getAttribute('aria-level')?.trim()) === value;
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
