import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, expect, it } from 'vitest';
import { file, serveFiles } from '../../support/file-site.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import { PanelRig, until } from '../../support/side-panel.ts';
import { itDeep } from '../../support/depth.ts';

/* A person points at elements of a page, from the side panel itself. */

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Only secrets are lime. */
const LIME = 'background:lime;color:lime;border:0;height:40px;position:fixed';
const FRAME = `<title>Frame</title><button style="position:fixed;inset:0 60px 0 0">In the frame</button>
  <input autocomplete=cc-number value=4111 style="${LIME};right:0;top:0;width:50px">`;
const PAGE = `<title>Mill</title><style>*{margin:0}</style>
  <div id=host style="height:40px"></div>
  <label>Key <input type=password value=overshot style="${LIME};left:200px;top:50px;width:100px"></label>
  <iframe src=/inside style="position:fixed;left:210px;top:0;width:80px;height:40px;border:0"></iframe>
  <iframe id=other style="position:fixed;left:0;top:60px;width:200px;height:100px;border:0"></iframe>
  <script>
    window.events = [];
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown'])
      document.documentElement.addEventListener(type, ({ type }) => events.push(type), true);
    document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML =
      '<button style="width:100px;height:40px"><b>Grind</b></button>';
    document.getElementById('other').src = '//localhost:' + location.port + '/frame';
  </script>`;

let rig: PanelRig;
let server: StdioServer;
let panel: CdpTarget;
let tab: CdpTarget;

type Picks = readonly { id: string; tab: string; ref: string; has_picture: boolean }[];
const picked = async (args: object = {}): Promise<Picks> =>
  (await server.call('picked', { ...args })).json<{ picks: Picks }>().picks;
const click = async ({ tab, ref = '' }: Partial<Picks[number]> = {}): Promise<void> => {
  const acted = await server.call('interact', { tab, steps: [{ do: 'click', target: ref }] });
  expect(acted.isError, acted.text).toBe(false);
};
/** Whether the pick's picture has a spot of lime. */
async function isLime({ id = '' }: Partial<Picks[number]> = {}): Promise<boolean> {
  const { raw } = await server.call('picked', { picture: id });
  const [image] = raw.content;
  expect(image).toMatchObject({ type: 'image', mimeType: 'image/webp' });
  const bytes = JSON.stringify(image !== undefined && 'data' in image ? image.data : '');
  return panel.evaluate(`(async () => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(${bytes}), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let lime = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] < 75 && data[i + 1] > 180 && data[i + 2] < 75) lime += 1;
    return lime > 40;
  })()`);
}
/** The next picture is taken as the page moves a secret. */
async function moveInNextPicture(): Promise<void> {
  await rig.browser.evaluate(`(() => {
    const { scripting, tabs } = chrome;
    const { captureVisibleTab } = tabs;
    const func = () => void (document.querySelector('input').style.left = '190px');
    tabs.captureVisibleTab = async (...all) => {
      tabs.captureVisibleTab = captureVisibleTab;
      const [{ id }] = await tabs.query({ active: true, lastFocusedWindow: true });
      await scripting.executeScript({ target: { tabId: id }, func });
      return captureVisibleTab(...all);
    };
  })()`);
}
const shows = (what: string): Promise<unknown> => rig.shows(what);
const events = (): Promise<readonly string[]> => tab.evaluate('window.events');

async function clickAt(x: number, y: number): Promise<void> {
  const event = { x, y, button: 'left', clickCount: 1 };
  await tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  await tab.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
  await tab.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
}
const MARKED = "document.querySelector('[popover=manual]') !== null";
const marked = (): Promise<boolean> => tab.evaluate(MARKED);
/** Frames begin to listen on their own, some of them in other processes. */
const isMarkedInAll = (): Promise<boolean> =>
  panel.evaluate(`chrome.tabs.query({ active: true, lastFocusedWindow: true })
    .then(([{ id }]) => chrome.scripting.executeScript({ target: { tabId: id, allFrames: true }, func: () => ${MARKED} }))
    .then((all) => all.every(({ result }) => result))`);

/** As long as the panel shows a choice that has ended, its first button cancels. */
const isFree = () => panel.evaluate<boolean>("!document.body.innerText.includes('Escape cancels')");
async function startPicking(): Promise<void> {
  await until('the end of the last choice', isFree);
  await rig.press('.pick > .c-button');
  await shows('Escape cancels');
  await until('the mark', isMarkedInAll);
}
let sent = 0;
async function send(said: string): Promise<void> {
  sent += 1;
  await shows('What should the agent know');
  await rig.write('.pick textarea', said);
  await panel.click('.pick button[type=submit]');
}

beforeAll(async () => {
  const site = await serveFiles({
    '/': file(PAGE, HTML),
    '/frame': file(FRAME, HTML),
    '/inside': file('<button style="position:fixed;inset:0">Inside</button>', HTML),
  });
  rig = await PanelRig.start();
  ({ server, panel } = rig);
  const opened = await server.call('navigate', { url: site.url('/') });
  expect(opened.isError, opened.text).toBe(false);
  tab = await rig.turnTo(site.url('/'));
});

it('gives the agent the element that a person clicks, their sentence and a picture, and the page gets no event', async () => {
  const updates: string[] = [];
  server.client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updates.push(params.uri),
  );
  await server.client.subscribeResource({ uri: 'spillway://picked' });
  await tab.evaluate("history.pushState(null, '', '/#grind')");
  await moveInNextPicture();
  const waiting = picked({ wait_ms: 60_000 });
  await startPicking();
  await clickAt(50, 20);
  expect(await events()).toEqual([]);
  await send('This one does nothing.');
  await shows('Sent to an-agent.');
  const [pick] = await waiting;
  expect(pick).toMatchObject({
    url: expect.stringContaining('/#grind'),
    person_says: 'This one does nothing.',
    role: 'button',
    name: 'Grind',
    has_picture: true,
  });
  await expect.poll(() => updates).toEqual(['spillway://picked']);
  const { contents } = await server.client.readResource({ uri: 'spillway://picked' });
  expect(contents.map(({ mimeType }) => mimeType)).toEqual(['application/json', 'image/webp', 'text/plain']);
  expect(await isLime(pick)).toBe(false);
  await click(pick);
  expect(await marked()).toBe(false);
});

it.each([
  ['a frame of the page', 'null', true],
  ['one while secrets move', 'void setInterval(() => (field.style.left = `${(n += 0.02)}px`))', false],
])('shows no secret around an element in %s', async (_where, does, hasPicture) => {
  await tab.evaluate(`var n = 200, field = document.querySelector('input'); ${does}`);
  // A slow page may have no picture, and one that is too busy to move its secrets has one.
  for (let isPictured: boolean | undefined; isPictured !== hasPicture;) {
    await startPicking();
    await clickAt(250, 20);
    await send('');
    await shows('Sent to an-agent.');
    const [pick] = await picked();
    expect(pick).toMatchObject({ name: 'Inside' });
    isPictured = pick?.has_picture;
    if (isPictured === true) expect(await isLime(pick)).toBe(false);
  }
});

itDeep(
  'points into a frame of another site, which has no picture, and tells the agent with its next answer',
  async () => {
    await startPicking();
    await clickAt(70, 130);
    await send('');
    await shows('Sent to an-agent.');
    expect((await server.call('tabs')).notes).toContain('call picked');
    expect((await server.call('tabs')).notes).not.toContain('call picked');
    const [pick] = await picked();
    expect(pick).toMatchObject({ name: 'In the frame', has_picture: false });
    expect(pick).not.toHaveProperty('person_says');
    await click(pick);
    expect(await picked({ all: true })).toHaveLength(sent);
  },
);

itDeep('is done by keys as well, and Escape leaves nothing behind', async () => {
  await startPicking();
  await tab.send('Page.bringToFront');
  await tab.press('Tab');
  await tab.press('Enter');
  await shows('What should the agent know');
  expect(await panel.evaluate('document.querySelector(".pick form > p").textContent')).toBe(
    'the button In the frame',
  );
  await panel.click('.pick .controls .c-button:last-child');
  await startPicking();
  await tab.press('Escape');
  await until('the end', async () => !(await marked()));
  await clickAt(50, 20);
  expect(await events()).toContain('click');
  expect(await picked()).toEqual([]);
});

it('says why a page cannot be pointed at, or may not be shown to the agent', async () => {
  await startPicking();
  await clickAt(50, 20);
  await shows('What should the agent know');
  await rig.deny('127.0.0.1');
  await panel.click('.pick button[type=submit]');
  await shows('Your rules keep this page from that agent.');
  await rig.browser.openOwnPage();
  const front =
    'chrome.tabs.query({ active: true }).then((tabs) => tabs.some(({ url }) => /^(?:chrome|about):/.test(url)))';
  await until('the page of the browser', () => panel.evaluate<boolean>(front));
  await panel.click('.pick .controls .c-button:nth-of-type(2)');
  await shows('Browsers keep extensions out of this page.');
});
