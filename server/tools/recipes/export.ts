import { parseStep, plainStep, StepError } from '../../../shared/act/parse-step.ts';
import { wheelBy, type StepKind } from '../../../shared/act/step-words.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isBranch, type CallStep, type Recipe, type RecipeStep } from '../../../shared/recipes/recipe.ts';
import { parseReference } from '../../../shared/recipes/references.ts';
import { addressPattern, type AWAITED_NAMES } from '../../../shared/tools/wait_for/methods.ts';

/** Roles by which Playwright finds elements. It finds other controls by their labels, and the rest by their texts. */
const ROLES = new Set(
  (
    'alert article button cell checkbox columnheader combobox dialog figure form grid gridcell heading img link list ' +
    'listbox listitem main menu menuitem menuitemcheckbox menuitemradio navigation option radio region row rowheader ' +
    'searchbox slider spinbutton switch tab table tabpanel textbox toolbar tree treeitem'
  ).split(' '),
);
const LABELLED = new Set(['password', 'date', 'time', 'datetime', 'month', 'week', 'color', 'file']);
const SET = `
/** Fills a field, whatever its kind. */
async function set(field: Locator, value: string | boolean | readonly string[]): Promise<void> {
  const [tag, type] = await field.evaluate((el) => [el.localName, el.getAttribute('type')]);
  if (typeof value === 'boolean') await field.setChecked(value);
  else if (tag === 'select') await field.selectOption(value);
  else if (type === 'file') await field.setInputFiles(value);
  else if (type === 'checkbox' || type === 'radio') await field.check();
  else await field.fill(String(value));
}
`;
const FRAME = `
/** The frame at an address, once the page has it. */
async function frameAt(page: Page, address: string): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().split(/[?#]/)[0] === address);
  await expect.poll(() => find() !== undefined).toBe(true);
  return find() ?? page.mainFrame();
}
`;
const CHOOSE = `
/** Chooses an option of a native list, or of one that a page draws. */
async function choose(field: Locator, value: string | readonly string[]): Promise<void> {
  if ((await field.evaluate((el) => el.localName)) === 'select') return void (await field.selectOption(value));
  for (const name of [value].flat()) {
    await field.click();
    await field.page().getByRole('option', { name, exact: true }).click();
  }
}
`;

/** A test for Playwright's runner, and the calls that it leaves out. */
export interface ExportedTest {
  readonly text: string;
  readonly left: readonly string[];
}

/**
 * Writes a recipe as a test: elements by role and name, parameters and secrets from the environment.
 * @param isRead tells the tools that change nothing: a test leaves them out
 * @throws SpillwayError `recipe_invalid` for a step that no test can do
 */
export function toPlaywright(recipe: Recipe, isRead: (tool: string) => boolean): ExportedTest {
  const { name, title, parameters, steps, code } = recipe;
  if (code !== undefined || steps === undefined) throw refused(name, 'it is a program');
  const left: string[] = [];
  const tabs = new Tabs(steps);
  const lines = steps.flatMap((step) => {
    const where = `${name}: ${step.id}`;
    if (isBranch(step)) throw refused(where, 'a test has no branches');
    if (!isRead(step.tool)) return tabs.around(step, linesOf(step, where), where);
    left.push(`${step.id}: ${step.tool}`);
    return [];
  });
  const body = lines.map((line) => `  ${line}`).join('\n');
  const { properties } = parameters;
  const names = Object.entries(isObject(properties) ? properties : {});
  const variables = variablesFor(names.map(([key]) => key));
  const given = names.map(
    ([key, schema], at) => `  ${quote(key)}: process.env['${variables[at] ?? ''}']${defaultOf(schema)},\n`,
  );
  const has = (name: string): boolean => body.includes(`await ${name}(`);
  const [fills, chooses, enters] = [has('set'), has('choose'), has('frameAt')];
  const helpers = [...(fills ? [SET] : []), ...(chooses ? [CHOOSE] : []), ...(enters ? [FRAME] : [])];
  const imports = [
    'expect',
    ...(enters ? ['type Frame'] : []),
    ...(fills || chooses ? ['type Locator'] : []),
    ...(enters ? ['type Page'] : []),
    'test',
  ];
  return {
    left,
    text: [
      `import { ${imports.join(', ')} } from '@playwright/test';\n`,
      ...(given.length > 0 ? [`\nconst params = {\n${given.join('')}};\n`] : []),
      ...helpers,
      tabs.hasSeveral
        ? `\ntest(${quote(title)}, async ({ page: first }) => {\n  let page = first;\n${body}\n});\n`
        : `\ntest(${quote(title)}, async ({ page }) => {\n${body}\n});\n`,
    ].join(''),
  };
}

const refused = (where: string, why: string): SpillwayError =>
  new SpillwayError('recipe_invalid', `${where} cannot become a test: ${why}.`, {
    hint: 'Save a recipe of navigate, interact and wait_for steps whose elements have roles and names.',
  });

/** Turns `page` to the tab that each call names. */
class Tabs {
  readonly #named: ReadonlySet<string>;
  #current = '';

  constructor(steps: readonly RecipeStep[]) {
    this.#named = new Set(steps.flatMap((step) => (isBranch(step) ? [] : tabOf(step))));
  }

  get hasSeveral(): boolean {
    return this.#named.size > 1;
  }

  around(step: CallStep, lines: readonly string[], where: string): readonly string[] {
    const [tab = this.#current] = this.hasSeveral ? tabOf(step) : [];
    const turn = tab === this.#current ? [] : [`page = ${pageOf(tab, where)};`];
    this.#current = tab;
    const opens = `steps.${step.id}.state.opened[0]`;
    const own = ['structured.tab', 'structured.opened'].map((path) => `steps.${step.id}.${path}`);
    const isNamed = this.hasSeveral && own.some((path) => this.#named.has(path));
    if (isNamed) this.#current = own.find((path) => this.#named.has(path)) ?? '';
    return [
      ...turn,
      ...(this.#named.has(opens) ? [`const ${openedBy(step.id)} = page.waitForEvent('popup');`] : []),
      ...lines,
      ...(isNamed ? [`const ${tabNamed(step.id)} = page;`] : []),
    ];
  }
}

const tabOf = ({ args: { tab } }: CallStep): readonly string[] =>
  isObject(tab) && typeof tab['$ref'] === 'string' ? [tab['$ref']] : [];

/** Step ids may have dashes, or be words of the test. */
const tabNamed = (id: string): string => `tab_${id.replaceAll('-', '$')}`;
const openedBy = (id: string): string => `opened_${id.replaceAll('-', '$')}`;

function pageOf(tab: string, where: string): string {
  const [, id, path = ''] =
    /^steps\.([A-Za-z_][\w-]*)\.(structured\.tab|structured\.opened|state\.opened\[0\])$/.exec(tab) ?? [];
  if (id === undefined) throw refused(where, 'a test knows only tabs that its steps open');
  return path === 'state.opened[0]' ? `await ${openedBy(id)}` : tabNamed(id);
}

/** Names that no system sets itself, unlike `PATH` or `USER`, one for each parameter. */
function variablesFor(keys: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const key of keys) {
    const name = `PARAM_${key.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`;
    let free = name;
    for (let count = 2; names.has(free); count += 1) free = `${name}_${count}`;
    names.add(free);
  }
  return [...names];
}

/** A list is given line by line. */
function defaultOf(schema: JsonValue | undefined): string {
  const { type, default: preset = '' } = isObject(schema) ? schema : {};
  if (type !== 'array') return ` ?? ${quote(String(preset))}`;
  const texts = isJsonList(preset) ? preset.map((one) => quote(String(one))) : [];
  return `?.split('\\n') ?? [${texts.join(', ')}]`;
}

const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;

function linesOf({ tool, args }: CallStep, where: string): string[] {
  const say = (value: JsonValue): string => expression(value, where);
  if (tool === 'navigate') {
    const { url, action = 'goto' } = args;
    const method = { back: 'goBack', forward: 'goForward', reload: 'reload' }[String(action)];
    if (url === undefined && method === undefined) throw refused(where, 'it names no url');
    const then = args['wait_for'] === undefined ? [] : awaited(args['wait_for'], where);
    return [url === undefined ? `await page.${method}();` : `await page.goto(${say(url)});`, ...then];
  }
  if (tool === 'wait_for') return awaited(args, where);
  if (tool === 'tabs' && args['action'] === 'open' && args['url'] !== undefined)
    return ['page = await page.context().newPage();', `await page.goto(${say(args['url'])});`];
  if (tool !== 'interact') throw refused(where, `Playwright has nothing like ${tool}`);
  const { fields, steps } = args;
  return [
    ...Object.entries(isObject(fields) ? fields : {}).map(
      ([label, value]) => `await set(page.getByLabel(${quote(label)}), ${say(value ?? null)});`,
    ),
    ...(isJsonList(steps) ? steps : []).map((step) => actOf(step, where)),
  ];
}

function awaited(given: JsonValue, where: string): string[] {
  const wait = isObject(given) ? given : {};
  const lines = Object.entries(CONDITIONS).flatMap(([key, say]) =>
    wait[key] ? [say(wait[key], where)] : [],
  );
  if (lines.length === 0) throw refused(where, 'it names no condition');
  if (wait['mode'] === 'any' && lines.length > 1) throw refused(where, 'a test waits for all conditions');
  return lines;
}

const isShown = (el: string): string =>
  `await expect(${el}.filter({ visible: true }).first()).toBeVisible();`;
const isGone = (el: string): string => `await expect(${el}.filter({ visible: true })).toHaveCount(0);`;
const withText = (value: JsonValue, where: string): string => `page.getByText(${expression(value, where)})`;

/** In the order of the test: what has to be gone may not have come yet while the others do not hold. */
const CONDITIONS: Record<(typeof AWAITED_NAMES)[number], (value: JsonValue, where: string) => string> = {
  url: (value, where) => `await expect(page).toHaveURL(${address(value, where)});`,
  load: () => 'await page.waitForLoadState();',
  network_idle: () => "await page.waitForLoadState('networkidle');",
  download: (_value, where) => {
    throw refused(where, 'it waits for a download');
  },
  text: (value, where) => isShown(withText(value, where)),
  selector: (value, where) => isShown(`page.locator(${expression(value, where)})`),
  target: (value, where) => isShown(locator(value, where, 'page')),
  text_gone: (value, where) => isGone(withText(value, where)),
  target_gone: (value, where) => isGone(locator(value, where, 'page')),
};

function address(value: JsonValue, where: string): string {
  if (typeof value !== 'string' || !/\*|[^ -~]/.test(value))
    return `(url) => url.href.includes(${expression(value, where)})`;
  if (value.includes('{{')) throw refused(where, 'its pattern of an address has a parameter');
  return String(addressPattern(value));
}

/** One step of `interact`. */
function actOf(given: JsonValue, where: string): string {
  const step = typeof given === 'string' ? readLine(given, where) : isObject(given) ? plainStep(given) : null;
  if (step === null) throw refused(where, 'one of its steps is a reference');
  const { target, frame, value = '', to, modifiers, position } = step;
  const say = (text: JsonValue): string => expression(text, where);
  const kind = String(step['do']);
  const root = typeof frame === 'string' ? `(await frameAt(page, ${quote(frame)}))` : 'page';
  const found = target === undefined ? null : locator(target, where, root);
  const el = (): string => {
    if (found === null) throw refused(where, `${kind} names no element`);
    return found;
  };
  const options = Object.entries({ modifiers, position }).flatMap(([key, option]) =>
    option === undefined ? [] : [`${key}: ${JSON.stringify(option)}`],
  );
  const press = (method: string, ...more: string[]): string => {
    const all = [...more, ...options];
    return `await ${el()}.${method}(${all.length === 0 ? '' : `{ ${all.join(', ')} }`});`;
  };
  const acts: Readonly<Partial<Record<string, () => string>>> = {
    click: () => press('click'),
    tap: () => press('click'),
    double_click: () => press('dblclick'),
    right_click: () => press('click', "button: 'right'"),
    hover: () => press('hover'),
    focus: () => press('focus'),
    clear: () => press('clear'),
    check: () => press('check'),
    uncheck: () => press('uncheck'),
    submit: () =>
      `await ${found ?? "page.locator('form')"}.evaluate((el) => el.closest('form')?.requestSubmit());`,
    fill: () => `await set(${el()}, ${say(value)});`,
    type: () => `await ${el()}.pressSequentially(${say(value)});`,
    select: () => `await choose(${el()}, ${say(value)});`,
    upload: () => `await ${el()}.setInputFiles(${say(value)});`,
    press: () => `await ${found ?? 'page.keyboard'}.press(${say(value)});`,
    scroll: () => scrolled(found, String(value)),
    wheel: () => scrolled(null, String(value)),
    drag: () => `await ${el()}.dragTo(${locator(dropOn(to, where), where, root)});`,
    wait: () => waited(value, where),
  } satisfies Partial<Record<StepKind, () => string>>;
  const act = Object.hasOwn(acts, kind) ? acts[kind] : undefined;
  if (act === undefined) throw refused(where, `a test has nothing like ${kind}`);
  return act();
}

function readLine(line: string, where: string): JsonObject {
  try {
    return { ...parseStep(line) };
  } catch (thrown) {
    throw thrown instanceof StepError ? refused(where, thrown.message) : thrown;
  }
}

function dropOn(to: JsonValue | undefined, where: string): JsonValue {
  if (to === undefined || String(to).startsWith('by=')) throw refused(where, 'it drags by pixels');
  return to;
}

function waited(value: JsonValue, where: string): string {
  const [, text] = /^text (.+)$/s.exec(String(value)) ?? [];
  if (text === undefined) throw refused(where, 'it waits for something other than a text');
  return isShown(withText(text, where));
}

function scrolled(el: string | null, way: string): string {
  const by = wheelBy(way);
  if (by !== null) return `await page.mouse.wheel(${by.x}, ${by.y});`;
  if (el !== null) return `await ${el}.scrollIntoViewIfNeeded();`;
  return `await page.evaluate(() => scrollTo(0, ${way.endsWith('top') ? 0 : 'document.body.scrollHeight'}));`;
}

/** Playwright's own engines stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  testid: 'getByTestId',
};

const NAMED_TARGET = /^(text|label|placeholder|testid)=(?:"([^"]*)"|(?!.*>>)(.*))$/s;

/** @param root the page, or a frame in it */
function locator(target: JsonValue, where: string, root: string): string {
  if (isObject(target) && !('$ref' in target)) return described(target, where, root);
  if (typeof target !== 'string') throw refused(where, 'its element is a reference');
  if (/^(?:f\d+)*e\d+$/.test(target)) throw refused(where, `${target} names an element of one page only`);
  if (/^(?:point|picture)=/.test(target)) throw refused(where, 'it names a point of the screen');
  const [, engine, quoted, plain = ''] = NAMED_TARGET.exec(target) ?? [];
  if (engine !== undefined) {
    const exact = quoted === undefined || engine === 'testid' ? '' : ', { exact: true }';
    return `${root}.${NAMED[engine] ?? ''}(${expression(quoted ?? plain, where)}${exact})`;
  }
  if (/^\p{L}[\p{L}\p{N} ]*$/u.test(target))
    return `${root}.getByText(${expression(target, where)}, { exact: true })`;
  return `${root}.locator(${expression(target, where)})`;
}

/** Places around an element, by their words in a recipe. */
const AROUND: Readonly<Partial<Record<string, string>>> = { row: 'row', item: 'listitem' };

function described({ role, name, near, selector, nth }: JsonObject, where: string, root: string): string {
  if (typeof selector === 'string') return locator(selector, where, root);
  const text = typeof name === 'string' ? name : '';
  const isCut = text.endsWith('…');
  const words = expression(isCut ? text.slice(0, -1) : text, where);
  const exact = isCut ? '' : ', exact: true';
  const kind = String(role);
  const found = ROLES.has(kind)
    ? `getByRole('${kind}'${text === '' ? '' : `, { name: ${words}${exact} }`})`
    : `${LABELLED.has(kind) ? 'getByLabel' : 'getByText'}(${words}${isCut ? '' : ', { exact: true }'})`;
  return inPlace(root, found, { near, nth: typeof nth === 'number' ? nth : null });
}

/** The elements of a place, or the only one that is meant. */
function inPlace(
  root: string,
  found: string,
  { near, nth }: { readonly near: JsonValue | undefined; readonly nth: number | null },
): string {
  const [, place = '', said = ''] =
    /^(row|item|under) "(.*)"$/s.exec(typeof near === 'string' ? near : '') ?? [];
  const around = quote(unquoted(said).replace(/…$/, ''));
  const outer = AROUND[place];
  const at = nth === null ? '' : `.nth(${nth - 1})`;
  if (outer !== undefined)
    return `${root}.getByRole('${outer}').filter({ hasText: ${around} }).${found}${at}`;
  if (place === '') return `${root}.${found}${at}`;
  const heading = `${root}.getByRole('heading', { name: ${around} }).first()`;
  return `${root}.${found}.and(${heading}.locator('xpath=following::*'))${at || '.first()'}`;
}

/** The words of a place, which is written with escapes. */
function unquoted(said: string): string {
  try {
    return String(JSON.parse(`"${said}"`));
  } catch {
    return said;
  }
}

const WITHIN = /\{\{([^{}]*)\}\}/g;

/** A value of a recipe as an expression: references to parameters, secrets from the environment. */
function expression(value: JsonValue, where: string): string {
  if (isJsonList(value)) return `[${value.map((part) => expression(part, where)).join(', ')}]`;
  if (isObject(value)) {
    const { $ref: reference, $literal: literal } = value;
    if (typeof reference === 'string') return parameter(reference, where);
    if (literal !== undefined) return typeof literal === 'string' ? quote(literal) : JSON.stringify(literal);
    throw refused(where, 'a field takes a text');
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
    throw refused(where, `it uses {{${reference.slice(0, 80)}}}, and a test knows parameters alone`);
  return `params[${quote(String(name))}]`;
}
