import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createProfile } from '../../support/browser.ts';
import { runExported } from '../../support/exported-test.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import { CdpTarget } from '../worker/cdp-target.ts';
import { PanelRig, until } from './side-panel.ts';

/* A person's clicks and keys become a recipe, which does the same in a new page, and as an exported test. */

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Pages report each effect to the site, in order. */
const LOG = `<script>
  const log = (what) => { const at = new XMLHttpRequest(); at.open('GET', '/log?' + encodeURIComponent(what), false); at.send(); };
  const sayOf = (event) => event.composedPath()[0]?.dataset?.say;
  for (const type of ['click', 'dblclick'])
    document.addEventListener(type, (event) => sayOf(event) && log((type === 'click' ? '' : type + ' ') + sayOf(event)));
  document.addEventListener('change', ({ target }) =>
    log(target.name + '=' + (target.type === 'checkbox' || target.type === 'radio' ? target.checked : target.type === 'file' ? target.files[0].name : target.multiple ? [...target.selectedOptions].map(({ text }) => text) : target.value)));
</script>`;
const page = (body: string): string => `<!doctype html><title>Mill</title>${LOG}${body}`;
const field = (label: string, name: string, more = ''): string =>
  `<label>${label} <input id=${name} name=${name} ${more}></label>`;
const twin = (say: string, more = ''): string => `<button data-say=${say} ${more}>Grind</button>`;
const TWINS = twin('one', 'id=one') + twin('two', 'id=two');
/** A combobox in the style of libraries: it forgets text that is not chosen. */
const COMBOBOX = `<label for=grain>Grain</label> <input id=grain role=combobox aria-controls=list aria-expanded=false><ul id=list role=listbox hidden></ul><script>
  const list = document.getElementById('list');
  const open = (is) => { list.hidden = !is; grain.setAttribute('aria-expanded', is); list.innerHTML = ['Rye', 'Spelt'].map((one) => '<li role=option>' + one).join(''); };
  grain.onclick = () => open(true);
  grain.onblur = () => open(false);
  list.onmousedown = (event) => { event.preventDefault(); grain.value = event.target.textContent; log('grain ' + grain.value); open(false); };
</script>`;
const ORDER = page(`<h1>Order</h1><form action=/sent>
  ${field('City', 'city')} ${field('Key of the mill', 'key')} ${field('Password', 'password', 'type=password')}
  ${field('Code', 'otp', 'autocomplete=one-time-code')} ${field('Card', 'card', 'autocomplete=cc-number')}
  <label>Country <select id=country name=country><option>Belgium<option>France</select></label>
  <label><input type=checkbox id=gift name=gift>As a gift</label>
  <label><input type=radio name=speed>Slow</label><label id=fast><input type=radio name=fast>Fast</label>
  <div contenteditable aria-label=Note id=note style="height:30px" onblur="log('note ' + innerText)"></div>
  ${field('Bag', 'bag', 'type=file')}</form>${COMBOBOX}
  <table><tr><th>Sack<th>Do<tr><td>Wheat<td><button data-say=wheat>Fill</button><tr><td>Oats 27"<td><button id=oats data-say=oats>Fill</button></table>
  <div id=host></div>${TWINS}
  <script>
    host.attachShadow({ mode: 'open' }).innerHTML = '<button data-say=shadow style="position:fixed;right:0;bottom:0;width:80px;height:40px">Deep</button>';
  </script>`);
const FRAME = (say: string): string =>
  page(`<style>*{margin:0}</style><button data-say=${say} style="width:100px;height:40px">${say}</button>`);
const FRAMES =
  page(`<p>Frames</p><iframe style="position:fixed;left:0;top:100px;border:0" src=/inner></iframe>
  <iframe id=far style="position:fixed;left:0;top:200px;border:0"></iframe><script>far.src = '//localhost:' + location.port + '/outer';</script>`);
const KEYS =
  page(`<h1>{{ keys }}</h1><button id=menu oncontextmenu="event.preventDefault(); log('menu')">Menu</button>
  <label>Grains <select id=grains name=grains multiple><option>Rye<option>Oats<option>Spelt</select></label><button id=twice data-say=twice>Twice</button><button id=key data-say=key>By key</button>
  <form action=/sent>${field('Search', 'q')}<button data-say=go>Go</button></form>
  <button id=lie onclick="document.getElementById('twice').click()">Liar</button>
  <script>Array.prototype.includes = JSON.stringify = () => { throw new Error('a lie'); };</script>`);
/** Widgets in the style of libraries, which react to a press, and draw over their controls. */
const WIDGETS = page(`<style>.box{width:120px;height:30px}</style>
  <div class=box id=flour role=combobox tabindex=0 aria-label=Flour>Any</div>
  <div><div class=box id=drawn><span>Sort</span><input id=sort role=combobox aria-label=Sort readonly style="opacity:0;width:8px"></div><div class=box id=bin onclick="log('bin')">Bin</div></div>
  <form onsubmit="event.preventDefault(); log('sought ' + seek.value)"><input id=seek name=seek role=combobox aria-label=Seek><button>Go</button></form>
  <div id=shade></div><div class=box id=rail><span id=speed role=slider tabindex=0 aria-label=Speed aria-valuemin=0 aria-valuemax=10 aria-valuenow=0>.</span></div>
  <div id=note contenteditable aria-label=Note><p>Fine</p><p>Dry</p></div>
  <input id=sack name=sack aria-label=Sack oninput="this.ariaLabel = 'Sack is full'"><script>
  const $ = (id) => document.getElementById(id);
  const offer = (of, list) => {
    document.body.insertAdjacentHTML('beforeend', '<div id=over style="position:fixed;inset:0"><ul role=listbox style="position:fixed;left:300px;top:0;margin:0;padding:0">' + list.map((one) => '<li role=option style="height:30px">' + one).join('') + '</ul></div>');
    for (const option of $('over').querySelectorAll('li')) option.onclick = () => { log(of + ' ' + option.textContent); $('over').remove(); };
  };
  $('flour').onmousedown = () => offer('flour', ['Rye', 'Spelt']);
  $('drawn').onclick = () => $('sort').focus() || offer('sort', ['Coarse', 'Whole']);
  $('shade').attachShadow({ mode: 'open' }).innerHTML = '<label><input type=checkbox id=lit>Lit</label>';
  $('shade').shadowRoot.addEventListener('change', ({ target }) => log('lit ' + target.checked));
  const set = (value) => { $('speed').ariaValueNow = value; log('speed ' + value); };
  $('rail').onpointerdown = ({ clientX }) => set(Math.round((clientX - $('rail').getBoundingClientRect().x) / 12));
  $('speed').onkeydown = ({ key }) => { const by = { ArrowRight: 1, ArrowLeft: -1 }[key]; if (by) set(Number($('speed').ariaValueNow) + by); };
  $('note').onblur = () => log('note ' + [...$('note').children].map((p) => p.textContent));
  $('note').onpaste = (event) => {
    event.preventDefault();
    $('note').innerHTML = event.clipboardData.getData('text/plain').split('\\n').map((line) => '<p>' + line).join('');
  };
  </script>`);
const TABS = page(
  '<a id=next href=/next target=_blank>Next</a><button id=back data-say=back>Back here</button>',
);
const NEXT = page('<button id=there data-say=there>There</button>');

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

/** A page script of the extension listens there. */
const heard = (url: string): Promise<unknown> =>
  until(`the recorder in ${url}`, () =>
    rig.panel.evaluate<boolean>(`chrome.tabs.query({ url: ${JSON.stringify(url)} })
      .then(([{ id }]) => chrome.scripting.executeScript({ target: { tabId: id, allFrames: true }, func: () => Reflect.has(globalThis, Symbol.for('spillway.person')) }))
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
async function exported(name: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  acts.length = 0;
  const { text } = await server.call('recipe_export', { name });
  const printed = await runExported(text, { expects: '', ...env });
  expect(printed, text).toContain('1 passed');
  return [...acts];
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
    '/inner': file(FRAME('inner'), HTML),
    '/outer': file(FRAME('outer'), HTML),
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

it('keeps each act with a role and a name, replays it, and exports it; secrets leave the page nowhere', async () => {
  const bag = join(profile.folder, 'bag.txt');
  writeFileSync(bag, 'flour');
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
  await tab.send('DOM.setFileInputFiles', { files: [bag], nodeId: found.nodeId });
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
  const kept = await rig.panel.evaluate<string>(
    'chrome.storage.local.get().then((all) => JSON.stringify(all))',
  );
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
  const written = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
  for (const secret of Object.values(PLANTED)) expect(kept + written + server.said()).not.toContain(secret);
  const args = { key_of_the_mill: PLANTED.key, code: PLANTED.otp, card: PLANTED.card, bag };
  expect((await replay('order_flour', { ...args, password: 'secret:PASS' })).toSorted()).toEqual(
    done.toSorted(),
  );
  const env = Object.entries({ ...args, password: PLANTED.password });
  const given = Object.fromEntries(env.map(([name, text]) => [`PARAM_${name.toUpperCase()}`, text]));
  expect((await exported('order_flour', given)).toSorted()).toEqual(done.toSorted());
});

it('records right and double clicks, choices, keys and addresses once, and no click of a script', async () => {
  await start('/tabs');
  await tab.send('Page.navigate', { url: site.url('/keys'), transitionType: 'address_bar' });
  tab = await until('the page', () => CdpTarget.find(rig.browser, 'page', site.url('/keys')));
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
  await type('#q', 'rye');
  await tab.press('Enter', '\r');
  await shows('Press Enter');
  const done = [...acts];
  const rest = ['twice', 'twice', 'dblclick twice', 'key', 'twice', 'q=rye', 'go'];
  expect(done).toEqual(['menu', 'grains=Rye', 'grains=Rye,Oats', ...rest]);
  await stop();
  await keep('By key');
  expect(saved('by_key').steps.map(({ tool }) => tool)).toEqual(['navigate', 'navigate', 'interact']);
  expect(actsOf('by_key').map((act) => act['do'])).toEqual([
    ...['right_click', 'select', 'double_click', 'click', 'click', 'fill', 'press'],
  ]);
  const once = ['menu', 'grains=Rye,Oats', ...rest];
  expect(await replay('by_key')).toEqual(once);
  expect(await exported('by_key')).toEqual(once);
});

it('records what widgets make of a press, a paste and a text', async () => {
  await start('/widgets');
  for (const selector of ['#flour', '#drawn']) {
    const at = await boxOf(selector);
    await clickAt(at.x + 5, at.y + 15);
    await clickAt(310, 45);
  }
  await tab.click('#bin');
  await type('#seek', 'rye');
  await tab.press('Enter', '\r');
  await tab.evaluate("document.getElementById('shade').shadowRoot.getElementById('lit').focus()");
  await tab.press(' ', ' ');
  const rail = await boxOf('#rail');
  await clickAt(rail.x + 60, rail.y + 15);
  await tab.evaluate("document.getElementById('note').focus(); document.execCommand('selectAll')");
  await tab.evaluate("navigator.clipboard.writeText('Coarse\\nWet')");
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'v', modifiers: 2, commands: ['paste'] });
  await type('#sack', '12');
  await tab.press('Tab', '\t');
  await shows('Press Tab');
  const ends = 'flour Spelt;sort Whole;bin;seek=rye;sought rye;lit true;speed 5;note Coarse,Wet;sack=12';
  const done = ends.split(';');
  expect(acts).toEqual(done);
  await stop();
  await keep('Widgets');
  const again = await replay('widgets');
  expect(again.filter((act) => !/^speed [0-4]$/.test(act))).toEqual(done);
});

it('follows the person into frames of both sites, and into tabs that the page opens', async () => {
  await start('/frames');
  await clickAt(50, 120);
  await clickAt(50, 220);
  await shows('outer');
  await stop();
  await keep('Frames');
  expect(await replay('frames')).toEqual(['inner', 'outer']);
  expect(await exported('frames')).toEqual(['inner', 'outer']);
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
  expect(await exported('tabs_of_the_mill')).toEqual(['there', 'back']);
});

it('is edited before it is kept, and acts on no twin of what was recorded', async () => {
  await start('/twins');
  await type('#city', 'Deventer');
  for (const say of ['one', 'two']) await tab.click(`[data-say=${say}]`);
  await shows('Number 2 of 3');
  const acted = await server.call('interact', { steps: ['fill css=#city Ede'] });
  expect(acted.isError, acted.text).toBe(false);
  await tab.click('[data-say=three]');
  await shows('Number 3 of 3');
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

it('ends with the panel and keeps its steps, and records nothing that the rules keep from agents', async () => {
  await rig.deny('localhost');
  await start('/frames');
  await shows('Not recorded: your rules keep http://localhost');
  await clickAt(50, 220);
  await clickAt(50, 120);
  await shows('inner');
  await rig.reopen();
  await shows('Keep as recipe');
  expect(await rig.panel.evaluate('document.querySelectorAll(".recorded > li").length')).toBe(2);
  await rig.panel.click('.record form .controls .c-button:last-child');
  expect(await rig.panel.evaluate(LEFT)).toEqual([[], 'on', 0]);
  await show('/twins');
  await rig.deny('127.0.0.1');
  await rig.panel.click('.record > .c-button');
  await shows('Your rules keep this page from agents');
  expect(await rig.panel.evaluate(LEFT)).toEqual([[], 'on', 0]);
});
