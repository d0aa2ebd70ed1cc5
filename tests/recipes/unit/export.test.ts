import { expect, it } from 'vitest';
import { Recipe } from '../../../shared/recipes/recipe.ts';
import { toPlaywright } from '../../../server/recipes/export.ts';
import { Steps } from '../../../server/recipes/steps.ts';
import { codeThrown } from '../../support/code-of.ts';

const recipe = (...steps: readonly object[]): Recipe =>
  Recipe.parse({
    version: 1,
    name: 'order',
    title: "Order at Ada's",
    description: 'Orders.',
    parameters: {
      type: 'object',
      properties: {
        'my city': { default: 'Deventer' },
        my_city: {},
        agree: { type: 'boolean', default: false },
      },
    },
    steps: steps.map((step, at) => ({ id: `s${at}`, ...step })),
  });
const act = (step: unknown): Recipe => recipe({ tool: 'interact', args: { steps: [step] } });

/** Steps, and what a test awaits for each. */
const WRITTEN = String.raw`
click text=Save
  page.getByText('Save').click()
Shift+click css=#go at 3,4
  page.locator('css=#go').click({ modifiers: ["Shift"], position: {"x":3,"y":4} })
tap css=#a for 800ms
  page.locator('css=#a').click({ delay: 800 })
fill label="City" {{params["my city"]}} now
  set(page.getByLabel('City', { exact: true }), params['my city'] + ' now')
fill placeholder=Key secret:MILL
  page.getByPlaceholder('Key').fill(process.env['MILL'] ?? '')
press Control+A
  page.keyboard.press('Control+A')
press css=#a f5 {{params["my city"]}}
  page.locator('css=#a').press('F5')
  page.keyboard.press(params['my city'])
{ "do": "press", "value": ["esc", "ctrl++"], "hold": 9 }
  page.keyboard.press('Escape')
  page.keyboard.press('Control++', { delay: 9 })
drag css=#a at 5,6 css=#b at 1,2
  page.locator('css=#a').dragTo(page.locator('css=#b'), { sourcePosition: {"x":5,"y":6}, targetPosition: {"x":1,"y":2} })
wheel down 300
  page.mouse.wheel(0, 300)
wait text Saved
  expect(page.getByText('Saved').filter({ visible: true }).first()).toBeVisible()
{ "do": "hover", "target": { "role": "link", "name": "A long na…" } }
  page.getByRole('link', { name: 'A long na' }).hover()
{ "do": "click", "target": { "role": "button", "name": "Pay", "near": "row \"27\\\" screen\"" } }
  page.getByRole('row').filter({ hasText: '27" screen' }).getByRole('button', { name: 'Pay', exact: true }).click()
{ "do": "tap", "target": { "role": "link", "name": { "$ref": "params.my_city" }, "near": "item \"{{params.my_city}}…\"" } }
  page.getByRole('listitem').filter({ hasText: params['my_city'] }).getByRole('link', { name: params['my_city'], exact: true }).click()
{ "do": "tap", "target": { "role": "link", "name": { "$literal": "{{a}}…" }, "near": { "$literal": "row \"{{b}}\"" } } }
  page.getByRole('row').filter({ hasText: '{{b}}' }).getByRole('link', { name: '{{a}}' }).click()
{ "do": "tap", "target": { "$literal": "text=\"Hi {{a}}\"" } }
  page.getByText('Hi {{a}}', { exact: true }).click()
{ "do": "clear", "target": { "role": "password", "name": "Key" } }
  page.getByLabel('Key', { exact: true }).clear()`;

const field = (role: string) => ({ role, name: 'Total' });
it.each([
  [{ fields: { Gift: true } }, "page.getByLabel('Gift').setChecked(true)", 'test'],
  [{ steps: [{ do: 'fill', target: field('spinbutton'), value: '3' }] }, "exact: true }).fill('3')", 'test'],
  [
    { steps: [{ do: 'fill', target: field('date'), value: '2026-01-02' }] },
    "exact: true }).fill('2026",
    'test',
  ],
  [{ steps: ['wait text Sent'] }, 'toBeVisible()', 'expect, test'],
  [{ fields: { Total: '3' } }, "set(page.getByLabel('Total'), '3')", 'type Locator, test'],
])('of %j, a test has what it needs', (args, does, imports) => {
  const { text } = toPlaywright(recipe({ tool: 'interact', args }), () => false);
  expect(text).toContain(does);
  expect(text).toContain(`import { ${imports} } from '@playwright/test';`);
});

it.each(WRITTEN.split(/\n(?! )/).slice(1))('writes as Playwright does it: %s', (written) => {
  const [step = '', ...lines] = written.split('\n  ');
  const { text } = toPlaywright(act(step.startsWith('{') ? JSON.parse(step) : step), () => false);
  expect(text).toContain(lines.map((line) => `  await ${line};\n`).join(''));
  expect(text).toContain("'my city': process.env['PARAM_MY_CITY'] ?? 'Deventer'");
  expect(text).toContain("my_city': process.env['PARAM_MY_CITY_2'] ?? ''");
  expect(text).toContain("'agree': (process.env['PARAM_AGREE'] ?? 'false') === 'true'");
  expect(text).toContain(String.raw`test('Order at Ada\'s'`);
});

const SHOWN = 'filter({ visible: true }).first()).toBeVisible()';
const AT = 'expect(page).toHaveURL(';
const B = `expect(page.locator('#b').${SHOWN}`;
const GONE = 'filter({ visible: true })).toHaveCount(0)';
it.each<[object, ...string[]]>([
  [{ target: 'css=#done' }, `expect(page.locator('css=#done').${SHOWN}`],
  [{ text_gone: 'Wait', mode: 'any' }, `expect(page.getByText('Wait').${GONE}`],
  [{ url: '{{params.my_city}}/a' }, `${AT}(url) => url.href.includes(params['my_city'] + '/a'))`],
  [{ url: '/?q=é' }, String.raw`${AT}/\/\?q=%C3%A9/i)`],
  [{ url: '*é.test/é' }, String.raw`${AT}/^.*%C3%A9\.test\/%C3%A9$|^.*xn--9ca\.test\/%C3%A9$/i)`],
  [{ url: 'a.test', wait_for: { selector: '#b', network_idle: false } }, "page.goto('https://a.test/')", B],
  [
    { target_gone: 'text=Wait', text: 'Paid', network_idle: true, url: '**/receipt?*', load: true },
    String.raw`${AT}/^.*\/receipt\?.*$/i)`,
    'page.waitForLoadState()',
    "page.waitForLoadState('networkidle')",
    `expect(page.getByText('Paid').${SHOWN}`,
    `expect(page.getByText('Wait').${GONE}`,
  ],
])('waits for all of %j', (args, ...lines) => {
  const tool = 'wait_for' in args ? 'navigate' : 'wait_for';
  const written = lines.map((line) => `  await ${line};\n`).join('');
  expect(toPlaywright(recipe({ tool, args }), () => false).text).toContain(`=> {\n${written}});`);
});

it.each([
  ['a wait for a download', recipe({ tool: 'wait_for', args: { download: true } })],
  ['a wait for any of several', recipe({ tool: 'wait_for', args: { text: 'A', url: 'b', mode: 'any' } })],
  ['a pattern with a parameter', recipe({ tool: 'wait_for', args: { url: '*/{{params.my_city}}' } })],
  ['a ref', act('click e7')],
  ['a point of the screen', act('click at 10,20')],
  ['a drag that presses first', act('drag css=#a css=#b for 9ms')],
  ['an address of another scheme', recipe({ tool: 'navigate', args: { url: 'ftp://a.test/' } })],
  ['tabs by their ids', recipe(...['b1:4', 'b1:5'].map((tab) => ({ tool: 'interact', args: { tab } })))],
  ['a pinch', act('pinch css=#map 2')],
  ['an unknown step', act('jump')],
  ['the answer of a step', act('fill css=#a {{steps.s0.text}}')],
  ['a tool that Playwright lacks', recipe({ tool: 'crawl', args: { url: 'https://a.test/' } })],
])('refuses %s, and names the step', (_what, given) => {
  expect(codeThrown(() => toPlaywright(given, () => false))).toBe('recipe_invalid');
  expect(() => toPlaywright(given, () => false)).toThrow('order: s0');
});

it('names tabs after steps that may be called like other words of the test', () => {
  const args = { action: 'open', url: 'https://a.test/' };
  const open = (id: string): object => ({ id, tool: 'tabs', args });
  const back = { $ref: 'steps.new-tab.structured.opened' };
  const there = { $ref: 'steps.page.structured.opened' };
  const acts = [there, back].map((tab) => ({ tool: 'interact', args: { tab, steps: ['click text=Go'] } }));
  const { text } = toPlaywright(recipe(open('new-tab'), open('page'), ...acts), () => false);
  expect(text).toContain('const tab_new$tab = page;');
  expect(text).toMatch(/const tab_page = page;\s+await page.getByText\('Go'\).*\s+page = tab_new\$tab;/);
});

it('keeps the frame of an act, which is for exports, from interact', async () => {
  const done = { do: 'type', target: 'label="Body"', value: 'Hi' };
  const steps = new Steps(act({ ...done, frame: 'https://a.test/f' }), {});
  const made: unknown[] = [];
  await steps.run(async ({ args = '' }) => void made.push(JSON.parse(args)));
  expect(made).toEqual([{ steps: [done] }]);
});
