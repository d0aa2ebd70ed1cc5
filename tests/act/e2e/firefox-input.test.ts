import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { namingFirefox } from '../../support/firefox.ts';
import { startServer } from '../../support/stdio-server.ts';

/*
 * Trusted input in a Firefox that the server has started. In a person's own, scripts give it:
 * tests/core/e2e/firefox.test.ts.
 */
const SAYS = `<output id=out style="position:fixed;bottom:0;left:0"></output><script>
  const say = (...words) => out.append(words.join(' ') + '; ');
  const tell = (event) => say(event.type, event.isTrusted);</script>`;
const BOX = 'position:absolute;width:120px;height:60px;background:#ccf';
const HTML5 = `<div id=card draggable=true style="${BOX};left:10px;top:80px">Card</div>
  <div id=zone style="${BOX};left:300px;top:200px">Zone</div><script>
  card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
  card.ondragend = (event) => say('ended', event.dataTransfer.dropEffect);
  let isOver = false;
  zone.ondragover = (event) => { event.preventDefault(); event.dataTransfer.dropEffect = 'copy';
    if (!isOver) say('over', event.isTrusted); isOver = true; };
  zone.ondrop = (event) => { event.preventDefault(); say('dropped', event.dataTransfer.getData('text/plain'), event.dataTransfer.dropEffect, event.isTrusted); };</script>`;
const REFUSES = `<div id=card draggable=true style="${BOX};left:10px;top:80px">Card</div>
  <div id=zone style="${BOX};left:300px;top:200px">Zone</div><script>
  card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
  addEventListener('drop', () => say('dropped', 'true'));</script>`;
const MOVED = `<div id=card style="${BOX};left:10px;top:80px">Card</div><div id=zone style="${BOX};left:300px;top:200px">Zone</div><script>
  card.onmousedown = () => addEventListener('mousemove', (event) => {
    card.style.left = event.clientX - 20 + 'px'; card.style.top = event.clientY - 20 + 'px'; });
  addEventListener('mouseup', (event) => say('let go', event.clientX > 300 && event.clientY > 200, event.isTrusted));</script>`;
const BUTTON = `<button onclick="tell(event); fetch('/pressed')">Pay</button>`;
const FIELD = `<input aria-label=Name oninput="say(value, event.isTrusted)">`;
const framed = (host: string): string =>
  `<div style="height:80px"></div><iframe src="http://${host}:PORT/inner" style="width:400px;height:200px"></iframe>`;

const PAGES: Readonly<Record<string, string>> = {
  button: BUTTON,
  twice: '<button ondblclick="tell(event)">Twice</button>',
  menu: '<button oncontextmenu="tell(event)">Menu</button>',
  shift: '<button onclick="say(event.shiftKey, event.ctrlKey, event.isTrusted)">Shift</button>',
  tap: `<button onpointerdown="say(event.pointerType, event.isTrusted)" onclick="tell(event)">Tap</button>`,
  field: `${FIELD}<script>document.querySelector('input').onkeydown = (event) => say(event.key, event.code, event.isTrusted);</script>`,
  html5: HTML5,
  refuses: REFUSES,
  moved: MOVED,
  wheel: `<div id=box style="width:200px;height:100px;background:#ccf" onwheel="say(event.deltaY, event.isTrusted)">Box</div>`,
  same: framed('a.test'),
  other: framed('b.test'),
  denied: framed('denied.test'),
  inner: `${BUTTON}${FIELD}`,
  file: `<input type=file aria-label=Photo oninput="tell(event)" onchange="say(files[0].name, files[0].size, event.isTrusted); files[0].text().then(say)">`,
  kept: `<input type=file multiple aria-label=Photos onchange="say([...files].map(({ name }) => name), event.isTrusted); value = ''">`,
  shut: `<div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<input type=file aria-label=Photo onchange="say(files[0].name, event.isTrusted)">'</script>`,
  framedFile: `<div style="height:80px"></div><iframe src="http://b.test:PORT/file" style="width:400px;height:200px"></iframe>`,
  ask: `<button onclick="say(confirm('Pay twice?'))">Ask</button>`,
  prompt: `<button onclick="say(prompt('Who?', 'me'))">Ask</button>`,
  later: `<button onclick="setTimeout(() => say(alert('Late') ?? 'closed'), 300)">Ask</button>`,
  unsaved: `<button>Ask</button><script>onbeforeunload = (event) => event.preventDefault()</script>`,
  greets: `<p>Here</p><script>alert('Hi')</script>`,
  front: `<button onclick="say(document.visibilityState, document.hasFocus(), event.isTrusted)">Front</button>`,
  map: '<div id=map style="width:200px;height:100px">Map</div>',
};

const pressed: (string | undefined)[] = [];
const site = await servePages(
  Object.fromEntries(
    Object.entries(PAGES).map(([name, html]) => [
      name,
      `<!doctype html><title>${name}</title>${SAYS}${html}`,
    ]),
  ),
  { '/pressed': (response, { headers }) => void response.end(String(pressed.push(headers.host))) },
);
const address = (page: string): string => site.url(`/${page}`).replace('127.0.0.1', 'a.test');
const firefox = namingFirefox();
atEndOfFile(() => firefox.close());
const server = await startServer({
  env: firefox.serverEnv,
  args: [
    '--launch',
    '--headless',
    '--browser',
    'firefox',
    '--upload-root',
    tmpdir(),
    '--denied-sites',
    'http://denied.test',
  ],
});
atEndOfFile(() => server.close());
const { ok, failed, openTab } = calling(() => server);
const photo = join(server.home, 'photo.txt');
writeFileSync(photo, 'abc');
const empty = join(server.home, 'empty.txt');
writeFileSync(empty, '');

interface Row {
  readonly page: string;
  readonly steps: readonly (string | object)[];
  /** On the page afterwards. */
  readonly shows: string;
  /** In the receipt. */
  readonly notes?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a click': { page: 'button', steps: ['click "Pay"'], shows: 'click true;' },
  'a double click': { page: 'twice', steps: ['double_click "Twice"'], shows: 'dblclick true;' },
  'a right click': { page: 'menu', steps: ['right_click "Menu"'], shows: 'contextmenu true;' },
  'a click with modifiers': {
    page: 'shift',
    steps: [{ do: 'click', target: '"Shift"', modifiers: ['Shift'] }, 'click "Shift"'],
    shows: 'true false true; false false true;',
  },
  'a tap': { page: 'tap', steps: ['tap "Tap"'], shows: 'touch true; click true;' },
  'typed keys': {
    page: 'field',
    steps: ['type "Name" aB', 'press Control+a Delete'],
    shows:
      'a KeyA true; a true; Shift ShiftLeft true; B KeyB true; aB true; Control ControlLeft true; a KeyA true; Delete Delete true; true;',
  },
  'text of a field': { page: 'field', steps: ['fill "Name" Žižek'], shows: 'Žižek true;' },
  'a drag that the page runs': {
    page: 'moved',
    steps: ['drag css=#card css=#zone'],
    shows: 'let go true true;',
  },
  'a drag that Firefox runs': {
    page: 'html5',
    steps: ['drag css=#card css=#zone'],
    shows: 'over true; dropped card copy false; ended copy;',
    notes: 'a script dropped it',
  },
  'the wheel': { page: 'wheel', steps: ['wheel css=#box down'], shows: 'true;' },
  'a frame of the same site': {
    page: 'same',
    steps: ['click "Pay"', 'type "Name" hi'],
    shows: 'click true; h true; hi true;',
  },
  'a frame of another site': {
    page: 'other',
    steps: ['click "Pay"', 'type "Name" hi'],
    shows: 'click true; h true; hi true;',
  },
  'an upload': {
    page: 'file',
    steps: [`upload "Photo" ${photo}`],
    shows: 'input true; photo.txt 3 true; abc;',
    notes: 'has photo.txt',
  },
  'files that the page takes out of the field at once': {
    page: 'kept',
    steps: [{ do: 'upload', target: '"Photos"', value: [photo, empty] }],
    shows: 'photo.txt,empty.txt true;',
  },
  'an upload in a closed root': {
    page: 'shut',
    steps: [`upload "Photo" ${photo}`],
    shows: 'photo.txt true;',
  },
  'an upload in a frame of another site': {
    page: 'framedFile',
    steps: [`upload "Photo" ${photo}`],
    shows: 'photo.txt 3 true; abc;',
  },
};

// In the gate a click, typed keys and a frame of another site.
it.each(sample(Object.entries(ROWS), 5))(
  '%s arrives as from a person',
  async (_name, { page, steps, shows, notes = '' }) => {
    const tab = await openTab(address(page));
    const answer = await ok('interact', { tab, steps });
    expect(answer.text + answer.notes).toContain(notes);
    if (notes.match(/script/) === null) expect(answer.text + answer.notes).not.toMatch(/script/);
    await expect.poll(async () => (await ok('read_page', { tab, format: 'text' })).text).toContain(shows);
  },
);

const DIALOGS = [
  ['ask', 'confirm "Pay twice?"', { action: 'accept' }, 'true;'],
  ['ask', 'confirm "Pay twice?"', { action: 'dismiss' }, 'false;'],
  ['prompt', 'prompt "Who?"', { action: 'accept', text: 'Ada' }, 'Ada;'],
  ['prompt', 'prompt "Who?"', { action: 'accept' }, 'me;'],
  ['later', 'alert "Late"', { action: 'accept' }, 'closed;'],
] as const;

it.each(sample(DIALOGS, 3))(
  'leaves the dialog of %s open until it is answered: %s',
  async (page, told, answer, shows) => {
    const tab = await openTab(address(page));
    const { text } = await ok('interact', { tab, steps: ['click "Ask"', 'wait text never'] });
    expect(text).toContain(`dialog ${told}`);
    expect(await failed('read_page', { tab })).toMatchObject({ code: 'dialog_open' });
    await ok('dialog', { tab, ...answer });
    await expect.poll(async () => (await ok('read_page', { tab, format: 'text' })).text).toContain(shows);
  },
);

itDeep('leaves the question open whether to leave a page', async () => {
  const tab = await openTab(address('unsaved'));
  await ok('interact', { tab, steps: ['click "Ask"'] });
  const go = { tab, url: address('button') };
  expect(await failed('navigate', go)).toMatchObject({ code: 'dialog_open' });
  expect((await ok('dialog', { tab, action: 'dismiss' })).json()).toMatchObject({ url: address('unsaved') });
  expect(await failed('navigate', go)).toMatchObject({ code: 'dialog_open' });
  const left = { navigated: true, url: address('button') };
  expect((await ok('dialog', { tab, action: 'accept' })).json()).toMatchObject(left);
});

it('dismisses the dialogs of a page in which nobody has acted', async () => {
  const tab = await openTab(address('greets'));
  expect((await ok('read_page', { tab, format: 'text' })).text).toContain('Here');
});

it('brings a tab to the front', async () => {
  const tab = await openTab(address('front'));
  await ok('tabs', { action: 'open', url: address('button'), activate: true });
  await ok('interact', { tab, steps: ['click "Front"'] });
  expect((await ok('read_page', { tab, format: 'text' })).text).toContain('visible true true;');
});

it.each(
  sample(
    [
      ['refuses', 'drag css=#card css=#zone', { code: 'not_delivered' }],
      ['map', 'pinch css=#map 2', { code: 'unsupported_in_firefox' }],
      ['field', 'press css=input F13', { code: 'unsupported_in_firefox' }],
    ] as const,
    3,
  ),
)('says of %s that it takes no %s', async (page, step, error) => {
  const tab = await openTab(address(page));
  expect(await failed('interact', { tab, steps: [step] })).toMatchObject(error);
  expect((await ok('read_page', { tab, format: 'text' })).text).not.toContain('true;');
});

it('reaches no frame of a site that the rules deny', async () => {
  const tab = await openTab(address('denied'));
  expect(await failed('interact', { tab, steps: ['click "Pay"'] })).toMatchObject({
    code: 'selector_not_found',
  });
  expect(await failed('interact', { tab, steps: ['click css=iframe at 40,20'] })).toMatchObject({
    code: 'target_unsuitable',
  });
  expect(pressed.filter((host) => host?.startsWith('denied.test'))).toEqual([]);
});
