import { SpillwayError } from '../../shared/base/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { jsonIn } from '../../shared/base/json-schema.ts';
import { parseReference } from '../../shared/recipes/references.ts';

export const buildRefusal = (where: string, why: string): SpillwayError =>
  new SpillwayError('recipe_invalid', `${where} cannot become a test: ${why}.`, {
    hint: 'Save a recipe of navigate, interact and wait_for steps whose elements have roles and names.',
  });

export const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;

/** Roles by which Playwright finds elements. It finds other controls by their labels, and the rest by their texts. */
const ROLES = new Set(
  (
    'alert article button cell checkbox columnheader combobox dialog figure form grid gridcell heading img link list ' +
    'listbox listitem main menu menuitem menuitemcheckbox menuitemradio navigation option radio region row rowheader ' +
    'searchbox slider spinbutton switch tab table tabpanel textbox toolbar tree treeitem'
  ).split(' '),
);
const LABELLED = new Set(['password', 'date', 'time', 'datetime', 'month', 'week', 'color', 'file']);

/** Playwright's own engines stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  testid: 'getByTestId',
};

const NAMED_TARGET = /^(text|label|placeholder|testid)=(?:"([^"]*)"|(?!.*>>)(.*))$/s;

/** The text of a target. `$literal` means that braces in it are not references. */
function resolveTargetText(value: JsonValue | undefined): string | null {
  if (isObject(value)) return resolveTargetText(value['$literal']);
  return typeof value === 'string' ? value : null;
}

/** A part of a text, whose braces are references if they are in the whole. */
const keepLiteral = (whole: JsonValue | undefined, part: string): JsonValue =>
  isObject(whole) ? { $literal: part } : part;

/** @param root the page, or a frame in it */
export function locator(target: JsonValue, where: string, root: string): string {
  if (isObject(target) && !('$ref' in target || '$literal' in target))
    return printDescribed(target, where, root);
  const text = resolveTargetText(target);
  if (text === null) throw buildRefusal(where, 'its element is a reference');
  if (/^(?:f\d+)*e\d+$/.test(text)) throw buildRefusal(where, `${text} names an element of one page only`);
  if (/^(?:point|picture)=/.test(text)) throw buildRefusal(where, 'it names a point of the screen');
  const [, engine, quoted, plain = ''] = NAMED_TARGET.exec(text) ?? [];
  if (engine !== undefined) {
    const exact = quoted === undefined || engine === 'testid' ? '' : ', { exact: true }';
    return `${root}.${NAMED[engine] ?? ''}(${expression(keepLiteral(target, quoted ?? plain), where)}${exact})`;
  }
  const words = expression(target, where);
  return /^\p{L}[\p{L}\p{N} ]*$/u.test(text)
    ? `${root}.getByText(${words}, { exact: true })`
    : `${root}.locator(${words})`;
}

/** Places around an element, by their words in a recipe. */
const AROUND: Readonly<Partial<Record<string, string>>> = { row: 'row', item: 'listitem' };

function printDescribed(
  { role, name = '', near, selector, nth }: JsonObject,
  where: string,
  root: string,
): string {
  if (selector !== undefined) return locator(selector, where, root);
  const text = resolveTargetText(name);
  const isCut = text?.endsWith('…') === true;
  const words = expression(isCut ? keepLiteral(name, text.slice(0, -1)) : name, where);
  const exact = isCut ? '' : ', exact: true';
  const kind = String(role);
  const found = ROLES.has(kind)
    ? `getByRole('${kind}'${text === '' ? '' : `, { name: ${words}${exact} }`})`
    : `${LABELLED.has(kind) ? 'getByLabel' : 'getByText'}(${words}${isCut ? '' : ', { exact: true }'})`;
  return inPlace(root, found, { near, at: typeof nth === 'number' ? `.nth(${nth - 1})` : '', where });
}

/** The elements of a place, or the only one that is meant. */
function inPlace(
  root: string,
  found: string,
  { near, at, where }: { readonly near: JsonValue | undefined; readonly at: string; readonly where: string },
): string {
  const [, place = '', said = ''] = /^(row|item|under) "(.*)"$/s.exec(resolveTargetText(near) ?? '') ?? [];
  if (place === '') return `${root}.${found}${at}`;
  // It is written with escapes.
  const words = String(jsonIn(`"${said}"`) ?? said);
  const around = expression(keepLiteral(near, words.replace(/…$/, '')), where);
  const outer = AROUND[place];
  if (outer !== undefined)
    return `${root}.getByRole('${outer}').filter({ hasText: ${around} }).${found}${at}`;
  const heading = `${root}.getByRole('heading', { name: ${around} }).first()`;
  return `${root}.${found}.and(${heading}.locator('xpath=following::*'))${at || '.first()'}`;
}

const WITHIN = /\{\{([^{}]*)\}\}/g;

/** A value of a recipe as an expression: references to parameters, secrets from the environment. */
export function expression(value: JsonValue, where: string): string {
  if (isJsonList(value)) return `[${value.map((part) => expression(part, where)).join(', ')}]`;
  if (isObject(value)) {
    const { $ref: reference, $literal: literal } = value;
    if (typeof reference === 'string') return parameter(reference, where);
    if (literal !== undefined) return typeof literal === 'string' ? quote(literal) : JSON.stringify(literal);
    throw buildRefusal(where, 'a field takes a text');
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const [, secret] = /^secret:([\w-]+)$/.exec(value) ?? [];
  if (secret !== undefined) return `process.env[${quote(secret)}] ?? ''`;
  const parts = value.split(WITHIN).map((part, at) => (at % 2 === 1 ? parameter(part, where) : quote(part)));
  return parts.filter((part, at) => part !== "''" || parts.length === 1 || at % 2 === 1).join(' + ');
}

function parameter(reference: string, where: string): string {
  const [root, name, ...inner] = parseReference(reference) ?? [];
  if (root !== 'params' || name === undefined || inner.length > 0)
    throw buildRefusal(where, `it uses {{${reference.slice(0, 80)}}}, and a test knows parameters alone`);
  return `params[${quote(String(name))}]`;
}
