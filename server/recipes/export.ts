import { parseStep, plainStep, StepError } from '../../shared/act/parse-step.ts';
import { wheelBy, type StepKind } from '../../shared/act/step-words.ts';
import { keyName } from '../../shared/act/keys.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { isBranch, type CallStep, type Recipe, type RecipeStep } from '../../shared/recipes/recipe.ts';
import { addressPattern, type AWAITED_NAMES } from '../../shared/wait/wait_for.methods.ts';
import { propertiesOf } from '../core/registry/json-schema.ts';
import { checkUrl } from '../core/arguments.ts';
import { expression, locator, quote, buildRefusal } from './locators.ts';

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

/** Functions that a test calls, in their order, and the types that they take. */
const HELPERS = [
  { name: 'set', code: SET, takes: ['Locator'] },
  { name: 'choose', code: CHOOSE, takes: ['Locator'] },
  { name: 'frameAt', code: FRAME, takes: ['Frame', 'Page'] },
];

/**
 * Writes a recipe as a test for Playwright's runner: elements by role and name, parameters and secrets from
 * the environment. Names the calls that it leaves out.
 * @param isRead tells the tools that change nothing: a test leaves them out
 * @throws SpillwayError `recipe_invalid` for a step that no test can do
 */
export function toPlaywright(recipe: Recipe, isRead: (tool: string) => boolean) {
  const { name, title, parameters, steps, code: program } = recipe;
  if (program !== undefined || steps === undefined) throw buildRefusal(name, 'it is a program');
  const left: string[] = [];
  const tabs = new Tabs(steps);
  const lines = steps.flatMap((step) => {
    const where = `${name}: ${step.id}`;
    if (isBranch(step)) throw buildRefusal(where, 'a test has no branches');
    if (!isRead(step.tool)) return tabs.around(step, printCall(step, where), where);
    left.push(`${step.id}: ${step.tool}`);
    return [];
  });
  const body = lines.map((line) => `  ${line}`).join('\n');
  const names = Object.entries(propertiesOf(parameters));
  const variables = variablesFor(names.map(([key]) => key));
  const given = names.map(
    ([key, schema], at) =>
      `  ${quote(key)}: ${printValue(`process.env['${variables[at] ?? ''}']`, schema)},\n`,
  );
  const helpers = HELPERS.filter(({ name }) => body.includes(`await ${name}(`));
  const code = [body, ...helpers.map((helper) => helper.code)].join('\n');
  const types = new Set(helpers.flatMap(({ takes }) => takes));
  const imports = [
    ...(/\bexpect[.(]/.test(code) ? ['expect'] : []),
    ...[...types].toSorted().map((type) => `type ${type}`),
    'test',
  ];
  return {
    left,
    text: [
      `import { ${imports.join(', ')} } from '@playwright/test';\n`,
      ...(given.length > 0 ? [`\nconst params = {\n${given.join('')}};\n`] : []),
      ...helpers.map(({ code }) => code),
      tabs.hasSeveral
        ? `\ntest(${quote(title)}, async ({ page: first }) => {\n  let page = first;\n${body}\n});\n`
        : `\ntest(${quote(title)}, async ({ page }) => {\n${body}\n});\n`,
    ].join(''),
  };
}

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
      ...(this.#named.has(opens) ? [`const ${nameOfOpened(step.id)} = page.waitForEvent('popup');`] : []),
      ...lines,
      ...(isNamed ? [`const ${tabNamed(step.id)} = page;`] : []),
    ];
  }
}

function tabOf({ args: { tab } }: CallStep): readonly string[] {
  const name = isObject(tab) ? tab['$ref'] : tab;
  return typeof name === 'string' && name !== 'active' ? [name] : [];
}

/** Step ids may have dashes, or be words of the test. */
const tabNamed = (id: string): string => `tab_${id.replaceAll('-', '$')}`;
const nameOfOpened = (id: string): string => `opened_${id.replaceAll('-', '$')}`;

function pageOf(tab: string, where: string): string {
  const [, id, path = ''] =
    /^steps\.([A-Za-z_][\w-]*)\.(structured\.tab|structured\.opened|state\.opened\[0\])$/.exec(tab) ?? [];
  if (id === undefined) throw buildRefusal(where, 'a test knows only tabs that its steps open');
  return path === 'state.opened[0]' ? `await ${nameOfOpened(id)}` : tabNamed(id);
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
function printValue(variable: string, schema: JsonValue | undefined): string {
  const { type, default: preset = '' } = isObject(schema) ? schema : {};
  if (type === 'boolean') return `(${variable} ?? ${quote(String(preset))}) === 'true'`;
  if (type !== 'array') return `${variable} ?? ${quote(String(preset))}`;
  const texts = isJsonList(preset) ? preset.map((one) => quote(String(one))) : [];
  return `${variable}?.split('\\n') ?? [${texts.join(', ')}]`;
}

function printCall({ tool, args }: CallStep, where: string): string[] {
  const say = (value: JsonValue): string => expression(value, where);
  if (tool === 'navigate') {
    const { url, action = 'goto' } = args;
    const method = { back: 'goBack', forward: 'goForward', reload: 'reload' }[String(action)];
    if (url === undefined && method === undefined) throw buildRefusal(where, 'it names no url');
    const then = args['wait_for'] === undefined ? [] : printAwait(args['wait_for'], where);
    return [
      url === undefined ? `await page.${method}();` : `await page.goto(${say(addScheme(url, where))});`,
      ...then,
    ];
  }
  if (tool === 'wait_for') return printAwait(args, where);
  if (tool === 'tabs' && args['action'] === 'open' && args['url'] !== undefined)
    return [
      'page = await page.context().newPage();',
      `await page.goto(${say(addScheme(args['url'], where))});`,
    ];
  if (tool !== 'interact') throw buildRefusal(where, `Playwright has nothing like ${tool}`);
  const { fields, steps } = args;
  return [
    ...Object.entries(isObject(fields) ? fields : {}).map(([label, value]) =>
      setting(`page.getByLabel(${quote(label)})`, value ?? null, say),
    ),
    ...(isJsonList(steps) ? steps : []).flatMap((step) => actOf(step, where)),
  ];
}

/** Sets a field of unknown kind: what is true or false is a check box. */
const setting = (field: string, value: JsonValue, say: (value: JsonValue) => string): string =>
  typeof value === 'boolean' ? `await ${field}.setChecked(${value});` : `await set(${field}, ${say(value)});`;

/** Fields that `fill` fills, by role. A placeholder is only in such a field. */
const TEXTS = /^(?:textbox|searchbox|spinbutton|password|date|time|datetime|month|week|color|slider)$/;
const takesText = (target: JsonValue | undefined): boolean =>
  isObject(target)
    ? TEXTS.test(String(target['role']))
    : /^placeholder=|^role=(?:textbox|searchbox|spinbutton)\b/.test(String(target));

/** Playwright needs the scheme that an address bar adds. */
function addScheme(url: JsonValue, where: string): JsonValue {
  if (typeof url !== 'string' || /\{\{|^secret:/.test(url)) return url;
  try {
    return checkUrl(url);
  } catch (thrown) {
    throw buildRefusal(where, messageOf(thrown));
  }
}

function printAwait(given: JsonValue, where: string): string[] {
  const wait = isObject(given) ? given : {};
  const lines = Object.entries(CONDITIONS).flatMap(([key, say]) =>
    wait[key] ? [say(wait[key], where)] : [],
  );
  if (lines.length === 0) throw buildRefusal(where, 'it names no condition');
  if (wait['mode'] === 'any' && lines.length > 1)
    throw buildRefusal(where, 'a test waits for all conditions');
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
    throw buildRefusal(where, 'it waits for a download');
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
  if (value.includes('{{')) throw buildRefusal(where, 'its pattern of an address has a parameter');
  return String(addressPattern(value));
}

/** One step of `interact`. */
function actOf(given: JsonValue, where: string): string | readonly string[] {
  const step = typeof given === 'string' ? readLine(given, where) : isObject(given) ? plainStep(given) : null;
  if (step === null) throw buildRefusal(where, 'one of its steps is a reference');
  const { target, frame, value = '', to, modifiers, position, to_position, hold } = step;
  const say = (text: JsonValue): string => expression(text, where);
  const kind = String(step['do']);
  const root = typeof frame === 'string' ? `(await frameAt(page, ${quote(frame)}))` : 'page';
  const found = target === undefined ? null : locator(target, where, root);
  const el = (): string => {
    if (found === null) throw buildRefusal(where, `${kind} names no element`);
    return found;
  };
  const press = (method: string, ...more: string[]): string =>
    `await ${el()}.${method}(${optionsOf({ modifiers, position, delay: hold }, ...more)});`;
  const acts: Readonly<Partial<Record<string, () => string | readonly string[]>>> = {
    right_click: () => press('click', "button: 'right'"),
    submit: () =>
      `await ${found ?? "page.locator('form')"}.evaluate((el) => el.closest('form')?.requestSubmit());`,
    fill: () => (takesText(target) ? `await ${el()}.fill(${say(value)});` : setting(el(), value, say)),
    type: () => `await ${el()}.pressSequentially(${say(value)});`,
    select: () => `await choose(${el()}, ${say(value)});`,
    upload: () => `await ${el()}.setInputFiles(${say(value)});`,
    press: () => printPress(found, value, { hold, say }),
    scroll: () => printScroll(found, String(value)),
    wheel: () => {
      if (modifiers !== undefined) throw buildRefusal(where, 'it turns the wheel with a key held');
      return printScroll(null, String(value));
    },
    drag: () => {
      if (hold !== undefined || modifiers !== undefined)
        throw buildRefusal(where, 'it presses before it drags');
      const options = optionsOf({ sourcePosition: position, targetPosition: to_position });
      const end = locator(dropOn(to, where), where, root);
      return `await ${el()}.dragTo(${end}${options === '' ? '' : `, ${options}`});`;
    },
    wait: () => printWait(value, where),
  } satisfies Partial<Record<StepKind, () => string | readonly string[]>>;
  const method = METHODS.get(kind);
  if (method !== undefined) return press(method);
  const act = Object.hasOwn(acts, kind) ? acts[kind] : undefined;
  if (act === undefined) throw buildRefusal(where, `a test has nothing like ${kind}`);
  return act();
}

/** Acts that are one method of an element. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ...['click', 'hover', 'focus', 'clear', 'check', 'uncheck'].map((kind) => [kind, kind] as const),
  ['tap', 'click'],
  ['double_click', 'dblclick'],
]);

function optionsOf(given: Readonly<Record<string, JsonValue | undefined>>, ...more: string[]): string {
  const options = Object.entries(given).flatMap(([key, option]) =>
    option === undefined ? [] : [`${key}: ${JSON.stringify(option)}`],
  );
  const all = [...more, ...options].join(', ');
  return all === '' ? '' : `{ ${all} }`;
}

/** The keys of a step, which Playwright takes one at a time and by their exact names. */
function printPress(
  el: string | null,
  value: JsonValue,
  { hold, say }: { readonly hold: JsonValue | undefined; readonly say: (text: JsonValue) => string },
): readonly string[] {
  const all = isJsonList(value) ? value : [value];
  const keys = all.flatMap((keys): readonly JsonValue[] =>
    typeof keys === 'string' ? (keys.match(KEYS) ?? []).map(chordOf) : [keys],
  );
  return keys.map((key, at) => {
    const options = optionsOf({ delay: at === keys.length - 1 ? hold : undefined });
    const on = at === 0 && el !== null ? el : 'page.keyboard';
    return `await ${on}.press(${say(key)}${options === '' ? '' : `, ${options}`});`;
  });
}

/** Spaces within a reference separate no keys. */
const KEYS = /(?:\{\{.*?\}\}|\S)+/g;

const chordOf = (keys: string): string =>
  keys.includes('{{')
    ? keys
    : keys
        .split(/(?<=.)\+(?=.)/)
        .map(keyName)
        .join('+');

function readLine(line: string, where: string): JsonObject {
  try {
    return { ...parseStep(line) };
  } catch (thrown) {
    throw thrown instanceof StepError ? buildRefusal(where, thrown.message) : thrown;
  }
}

function dropOn(to: JsonValue | undefined, where: string): JsonValue {
  if (to === undefined || String(to).startsWith('by=')) throw buildRefusal(where, 'it drags by pixels');
  return to;
}

function printWait(value: JsonValue, where: string): string {
  const [, text] = /^text (.+)$/s.exec(String(value)) ?? [];
  if (text === undefined) throw buildRefusal(where, 'it waits for something other than a text');
  return isShown(withText(text, where));
}

function printScroll(el: string | null, way: string): string {
  const by = wheelBy(way);
  if (by !== null) return `await page.mouse.wheel(${by.x}, ${by.y});`;
  if (el !== null) return `await ${el}.scrollIntoViewIfNeeded();`;
  return `await page.evaluate(() => scrollTo(0, ${way.endsWith('top') ? 0 : 'document.body.scrollHeight'}));`;
}
