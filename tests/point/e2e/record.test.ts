import { itDeep } from '../../support/depth.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as pages from '../../../fixtures/recorded-pages.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { createProfile } from '../../support/browser.ts';
import { filesBelow, readIfThere } from '../../support/planted-secrets.ts';
import { runExported } from '../../support/exported-test.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import { PanelRig, until } from '../../support/side-panel.ts';

/* A person's clicks and keys become a recipe, which does the same in a new page, and as a Playwright test. */

const { FRAME, FRAMES, KEYS, NEXT, ORDER, TABS, TWINS, WIDGETS, field, page, twin } = pages;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PLANTED = {
  key: ['ghp', 'aK9x2LmQ7pRtVw4ZbN8cYd3EfGh6JsU1oTiX'].join('_'),
  password: 'overshot-millrace',
  otp: '739155',
  card: '4000 0566 5566 5556',
};
/** As the protocol numbers modifiers. */
const SHIFT = 8;
const profile = createProfile();
const home = join(profile.folder, 'home');
const acts: string[] = [];
/** The acts of each recipe, for its test. */
const asTests: { readonly name: string; readonly does: readonly string[] }[] = [];
const given: Record<string, string> = {};
let rig: PanelRig;
let server: StdioServer;
let site: FileSite;
let tab: CdpTarget;

const shows = (what: string): Promise<unknown> => rig.shows(what);
const type = async (selector: string, text: string): Promise<void> => {
  await tab.click(selector);
  await tab.send('Input.insertText', { text });
};
async function clickAt(x: number, y: number, { clicks = 1, button = 'left' } = {}): Promise<void> {
  for (let clickCount = 1; clickCount <= clicks; clickCount += 1)
    for (const kind of ['mousePressed', 'mouseReleased'])
      await tab.send('Input.dispatchMouseEvent', { type: kind, x, y, button, clickCount });
}
const boxOf = (selector: string): Promise<DOMRect> =>
  tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`);
const saved = (name: string): { readonly steps: readonly JsonObject[]; readonly parameters: JsonObject } =>
  JSON.parse(readFileSync(join(home, 'recipes', `${name}.json`), 'utf8')) as never;
const actsOf = (name: string): readonly JsonObject[] =>
  saved(name).steps.flatMap(({ args }) => ((args as JsonObject)['steps'] ?? []) as JsonObject[]);

/** The recorder listens in all frames there: it looks at each event's path. */
const heard = (url: string): Promise<unknown> =>
  until(`the recorder in ${url}`, () =>
    rig.panel.evaluate<boolean>(`chrome.tabs.query({})
      .then((all) => all.find((one) => one.url === ${JSON.stringify(url)}))
      .then(({ id }) => chrome.scripting.executeScript({ target: { tabId: id, allFrames: true }, func: () => {
        let isHeard = false;
        dispatchEvent(Object.assign(new Event('dragend'), { composedPath: () => (isHeard = true, []) }));
        return isHeard;
      } }))
      .then((all) => all.every(({ result }) => result))`),
  );
async function turnTo(path: string): Promise<void> {
  tab = await rig.turnTo(site.url(path));
}
async function show(path: string): Promise<void> {
  const opened = await server.call('navigate', { url: site.url(path) });
  expect(opened.isError, opened.text).toBe(false);
  await turnTo(path);
}
async function start(path: string): Promise<void> {
  await show(path);
  await rig.press('.record > .c-button');
  await shows('Recording what you do');
}
const write = (selector: string, text: string): Promise<unknown> => rig.write(selector, text);
async function stop(): Promise<void> {
  await rig.panel.click('.record .c-button.stop');
  await shows('Keep as recipe');
}
async function keep(name: string): Promise<void> {
  await write('.record form > input', name);
  await rig.panel.click('.record button[type=submit]');
  await shows('Kept as');
}
/** In a page where nothing has happened yet. */
async function replay(name: string, args: JsonObject = {}): Promise<readonly string[]> {
  acts.length = 0;
  const run = await server.call('recipe_run', { name, args });
  expect(run.isError, run.text).toBe(false);
  return [...acts];
}

async function discardTwo(): Promise<void> {
  expect(await rig.panel.evaluate('document.querySelectorAll(".recorded > li").length')).toBe(2);
  await rig.panel.click('.record form .controls .c-button:last-child');
  await expect.poll(() => rig.panel.evaluate(LEFT)).toEqual([[], 'on', 0]);
}

/** Things that a recording could leave behind: steps, a badge, and scripts. */
const LEFT = `Promise.all([
  chrome.storage.local.get('recording').then((all) => Object.keys(all)),
  chrome.action.getBadgeText({}),
  chrome.scripting.getRegisteredContentScripts().then(({ length }) => length),
])`;

beforeAll(async () => {
  site = await serveFiles({
    '/': file(ORDER, HTML),
    '/frames': file(FRAMES, HTML),
    '/inner': file(FRAME('inner', 'button'), HTML),
    '/outer': file(FRAME('outer', 'div'), HTML),
    '/keys': file(KEYS, HTML),
    '/widgets': file(WIDGETS, HTML),
    '/sent': file(page('<p>Sent'), HTML),
    '/tabs': file(TABS, HTML),
    '/next': file(NEXT, HTML),
    '/twins': (response, request) => file(page(twins), HTML)(response, request),
    '/log': (response, { url = '' }) => {
      acts.push(decodeURIComponent(url.slice('/log?'.length)));
      response.end();
    },
  });
  const secrets = join(profile.folder, 'secrets');
  writeFileSync(secrets, `PASS=${PLANTED.password}\n`, { mode: 0o600 });
  rig = await PanelRig.start(profile, {
    home,
    args: ['--tools', 'default,recipes', '--secrets', secrets, '--upload-root', profile.folder],
  });
  ({ server } = rig);
});
beforeEach(() => void (acts.length = 0));
let twins = `${field('City', 'city')}${TWINS}${twin('three')}`;

it('keeps each act with a role and a name, and replays it; secrets leave the page nowhere', async () => {
  const bag = ['bag.txt', 'box.txt'].map((name) => join(profile.folder, name));
  for (const path of bag) writeFileSync(path, 'flour');
  await start('/');
  await type('#city', 'Deventer');
  for (const [name, text] of Object.entries(PLANTED)) await type(`#${name}`, text);
  await tab.evaluate("document.getElementById('country').focus()");
  await tab.press('ArrowDown');
  await tab.click('#gift');
  await tab.click('#fast');
  await type('#note', 'Coarse');
  const { root } = await tab.send<{ root: { nodeId: number } }>('DOM.getDocument');
  const found = await tab.send<{ nodeId: number }>('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: '#bag',
  });
  await tab.send('DOM.setFileInputFiles', { files: bag, nodeId: found.nodeId });
  await tab.click('#grain');
  const option = await boxOf('[role=option]:last-child');
  await clickAt(option.x + 5, option.y + 5);
  await tab.click('#oats');
  await tab.click('#two');
  const { innerWidth: x, innerHeight: y } = await tab.evaluate<{ innerWidth: number; innerHeight: number }>(
    '({ innerWidth, innerHeight })',
  );
  await clickAt(x - 40, y - 20);
  await shows('Deep');
  const done = [...acts];
  await stop();
  const kept = await rig.panel.evaluate<string>('chrome.storage.local.get().then(JSON.stringify)');
  await keep('Order flour');
  expect(actsOf('order_flour').slice(-5)).toEqual([
    { do: 'click', target: { role: 'combobox', name: 'Grain', near: 'under "Order"' } },
    { do: 'click', target: { role: 'option', name: 'Spelt', near: 'under "Order"' } },
    {
      do: 'click',
      target: { role: 'button', name: 'Fill', near: String.raw`row "Oats 27\""`, nth: 1, of: 1 },
    },
    {
      do: 'click',
      target: { role: 'button', name: 'Grind', near: 'under "Order"', selector: 'css=#two', nth: 2, of: 2 },
    },
    { do: 'click', target: { role: 'button', name: 'Deep' } },
  ]);
  const { parameters } = saved('order_flour');
  expect(parameters['required']).toEqual(['key_of_the_mill', 'password', 'code', 'card', 'bag']);
  const description = 'Path of each file, such as bag.txt,box.txt';
  expect(parameters['properties']).toMatchObject({ bag: { type: 'array', description } });
  const written = filesBelow(home)
    .map((path) => readIfThere(path)?.toString('latin1'))
    .join('\n');
  expect(written).toContain('recipe_recorded');
  for (const secret of Object.values(PLANTED)) expect(kept + written + server.said()).not.toContain(secret);
  const args = { key_of_the_mill: PLANTED.key, code: PLANTED.otp, card: PLANTED.card, bag };
  expect((await replay('order_flour', { ...args, password: 'secret:PASS' })).toSorted()).toEqual(
    done.toSorted(),
  );
  for (const [name, text] of Object.entries({ ...args, password: PLANTED.password }))
    given[`PARAM_${name.toUpperCase()}`] = [text].flat().join('\n');
  asTests.push({ name: 'order_flour', does: done });
});

itDeep(
  'records right and double clicks, choices, keys and addresses once, and no click of a script',
  async () => {
    await start('/tabs');
    await tab.send('Page.navigate', { url: site.url('/keys'), transitionType: 'address_bar' });
    tab = await until('the page', () => rig.browser.find(site.url('/keys')));
    await heard(site.url('/keys'));
    const [menu, twice] = [await boxOf('#menu'), await boxOf('#twice')];
    await clickAt(menu.x + 5, menu.y + 5, { button: 'right' });
    await tab.evaluate("document.getElementById('grains').focus()");
    await tab.press('ArrowDown');
    await tab.press('ArrowDown', '', SHIFT);
    await clickAt(twice.x + 5, twice.y + 5, { clicks: 2 });
    await tab.evaluate("document.getElementById('key').focus()");
    await tab.press('Enter', '\r');
    await tab.click('#lie');
    await tab.click('#cross');
    await tab.evaluate("document.getElementById('tags').focus()");
    await tab.press('Backspace');
    await type('#q', 'rye');
    await tab.press('Enter', '\r');
    await shows('Press Enter');
    const done = [...acts];
    const rest = ['twice', 'twice', 'dblclick twice', 'key', 'twice', 'no husk', 'no tag', 'q=rye', 'go'];
    expect(done).toEqual(['menu', 'grains=Rye', 'grains=Rye,Oats', ...rest]);
    await stop();
    await keep('By key');
    expect(saved('by_key').steps.map(({ tool }) => tool)).toEqual(['navigate', 'navigate', 'interact']);
    expect(actsOf('by_key').map((act) => act['do'])).toEqual([
      ...['right_click', 'select', 'double_click', 'click', 'click', 'click', 'press', 'fill', 'press'],
    ]);
    const once = ['menu', 'grains=Rye,Oats', ...rest];
    expect(await replay('by_key')).toEqual(once);
    asTests.push({ name: 'by_key', does: once });
  },
);

itDeep('records what widgets make of a press, a paste and a text', async () => {
  await start('/widgets');
  for (const selector of ['#flour', '#drawn', '#maize']) {
    const at = await boxOf(selector);
    await clickAt(at.x + 5, at.y + 15);
    await clickAt(310, 45);
  }
  await tab.click('#bin');
  await type('#seek', 'rye');
  // The second waits while the page submits its form.
  await Promise.all([tab.press('Enter', '\r'), tab.press(' ', ' ')]);
  const rail = await boxOf('#rail');
  await clickAt(rail.x + 60, rail.y + 15);
  await tab.evaluate("document.getElementById('note').focus(); document.execCommand('selectAll')");
  await tab.evaluate("navigator.clipboard.writeText('Coarse\\nWet')");
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'v', modifiers: 2, commands: ['paste'] });
  const team = await boxOf('#team');
  await clickAt(team.x + 5, team.y + 10);
  await tab.evaluate("document.getElementById('month').focus()");
  for (const key of '12') await tab.press(key, key);
  await tab.send('Input.insertText', { text: 'Pea' });
  await clickAt(310, 45);
  await tab.evaluate("document.getElementById('ink').focus()");
  await tab.press('x', 'x');
  await type('#sack', '12');
  await clickAt(600, 500);
  await shows('Press Tab');
  await shows('2 actions cannot be repeated');
  const ends =
    'flour Spelt;sort Whole;maize Flint;bin;seek=rye;sought rye;lit true;speed 5;note Coarse,Wet;team=true;month 12;seed=Pea;seed Pea;sack=12';
  const done = ends.split(';');
  expect(acts).toEqual(done);
  await stop();
  await keep('Widgets');
  const again = await replay('widgets');
  expect(again.filter((act) => !/^speed [0-4]$/.test(act))).toEqual(done);
});

itDeep('follows the person into frames of both sites, and into tabs that the page opens', async () => {
  await start('/frames');
  await clickAt(50, 120);
  await clickAt(50, 220);
  await shows('outer');
  await stop();
  await keep('Frames');
  expect(await replay('frames')).toEqual(['inner', 'outer']);
  asTests.push({ name: 'frames', does: ['inner', 'outer'] });
  acts.length = 0;
  await start('/tabs');
  await tab.click('#next');
  await heard(site.url('/next'));
  await turnTo('/next');
  await tab.click('#there');
  await turnTo('/tabs');
  await tab.click('#back');
  await shows('Back here');
  await stop();
  await keep('Tabs of the mill');
  expect(acts).toEqual(['there', 'back']);
  expect(await replay('tabs_of_the_mill')).toEqual(['there', 'back']);
  asTests.push({ name: 'tabs_of_the_mill', does: ['there', 'back'] });
});

itDeep('is edited before it is kept, and acts on no twin of what was recorded', async () => {
  await start('/twins');
  await type('#city', 'Deventer');
  for (const say of ['one', 'two']) await tab.click(`[data-say=${say}]`);
  await shows('number 2 of 3');
  const acted = await server.call('interact', { steps: ['fill css=#city Ede'] });
  expect(acted.isError, acted.text).toBe(false);
  await tab.click('[data-say=three]');
  await shows('number 3 of 3');
  await shows('An agent acted in a tab of this recording');
  await stop();
  // Removes the click on the first, renames the parameter, and keeps the address.
  await rig.panel.click('.recorded li:nth-child(3) .recorded-step button');
  await write('.recorded-parameter input[type=text]', 'no name');
  await shows('A parameter takes letters');
  await write('.recorded-parameter input[type=text]', 'town');
  await keep('Grind twice');
  const { parameters } = saved('grind_twice');
  expect(parameters['properties']).toEqual({
    town: { type: 'string', description: 'City', default: 'Deventer' },
  });
  expect(await replay('grind_twice', { town: 'Zwolle' })).toEqual(['city=Zwolle', 'two', 'three']);
  twins = `${twin('four')}${twins}`;
  acts.length = 0;
  const { isError, text } = await server.call('recipe_run', { name: 'grind_twice', args: {} });
  expect({ isError, acts }).toEqual({ isError: true, acts: ['city=Deventer', 'two'] });
  expect(text).toContain('recipe_target_not_found');
});

itDeep('ends with a takeover, and with the worker, and keeps its steps', async () => {
  await start('/keys');
  await tab.click('#key');
  await shows('By key');
  const asked = server.call('request_human_input', { type: 'takeover', message: 'Log in.' });
  await rig.press('#takeover-show');
  await shows('You took a tab over');
  await until('the end of the takeover', async () => {
    const isOver = await rig.panel.evaluate<boolean>("document.querySelector('#takeover-done') === null");
    if (!isOver) await rig.panel.click('#takeover-done');
    return isOver;
  });
  await asked;
  await discardTwo();
  await start('/keys');
  await tab.click('#key');
  await shows('By key');
  await rig.browser.endWorker();
  await shows('The browser ended the recording');
  await discardTwo();
  // The next worker may still be connecting.
  await expect.poll(async () => (await server.call('tabs')).code()).toBeUndefined();
});

itDeep(
  'ends with the panel and keeps its steps, and records nothing that the rules keep from agents',
  async () => {
    await rig.deny('localhost');
    await start('/frames');
    await shows('Not recorded: your rules keep http://localhost');
    await clickAt(50, 220);
    await clickAt(50, 120);
    await shows('inner');
    await rig.reopen();
    await shows('Keep as recipe');
    await discardTwo();
    await show('/twins');
    await rig.deny('127.0.0.1');
    await rig.panel.click('.record > .c-button');
    await shows('Your rules keep this page from agents');
    expect(await rig.panel.evaluate(LEFT)).toEqual([[], 'on', 0]);
  },
);

itDeep('does the same as a Playwright test', async () => {
  const texts: string[] = [];
  for (const { name } of asTests) texts.push((await server.call('recipe_export', { name })).text);
  acts.length = 0;
  expect(await runExported(texts, given)).toContain(`${asTests.length} passed`);
  // Reports of one page's acts may overtake each other.
  const did = asTests.map(({ does }) => acts.splice(0, does.length).toSorted());
  expect(did).toEqual(asTests.map(({ does }) => does.toSorted()));
  expect(acts).toEqual([]);
});
