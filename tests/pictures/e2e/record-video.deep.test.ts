import { beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { secretsFolder } from '../../support/test-folder.ts';
import { fetchAll } from '../../evidence/e2e/unpack.ts';

/** Each colour tells what a frame shows. Nothing but what must be painted over is lime. */
const BOX = (colour: string, more = '') =>
  `<p style="background:${colour};height:60px;width:300px;margin:8px" ${more}></p>`;
const SECRET = (more: string) =>
  `<input ${more} style="background:lime;color:lime;border:0;width:300px;height:40px;display:block">`;
const PAGES: Readonly<Record<string, (at: string) => string>> = {
  '/': (at) => `<title>Mill</title><body style="margin:0">${BOX('red', 'id=state')}
    ${SECRET('type=password value=four-sails')}${SECRET('autocomplete=cc-number value=4111')}
    <label>Key <input name=key style="color:lime;font:700 40px sans-serif"></label>
    <iframe src="${at}/frame" width=320 height=60></iframe>
    <button onclick="state.style.background = 'yellow'; document.body.prepend(grow)">Grind</button>
    <a href="${at}/next">Next</a><p id=grow style="height:90px">Wheat</p>`,
  '/frame': () => `<body style="margin:0">${SECRET('autocomplete=one-time-code value=1234')}`,
  '/next': () => `<title>Next</title>${BOX('blue')}<button onclick="window.open('/popup')">Popup</button>`,
  '/popup': () => `<title>Popup</title><body style="background:lime">`,
  '/taken': () => `<title>Taken</title><body style="background:lime">`,
  '/film.html': () => '<title>Film</title><video muted preload=auto></video>',
};
const { secrets } = secretsFolder('KEY@*.test=four-sails-37\n');
let film: Buffer = Buffer.alloc(0);

let rig: PersonRig;
beforeAll(async () => {
  rig = await personRig(
    ({ url = '' }, response) => {
      const page = PAGES[url]?.(rig.at('other.test', ''));
      if (page === undefined) response.setHeader('content-type', 'video/webm');
      response.end(page ?? film);
    },
    ...['--secrets', secrets],
  );
  await rig.setRules([
    { id: 'denied', effect: 'deny', sites: ['denied.test'] },
    { id: 'all', effect: 'allow' },
  ]);
});

const open = (path = '/', host = 'mill.test'): Promise<string> => rig.openTab(rig.at(host, path));
const record = (tab: string, args: object) => rig.server.call('record_video', { tab, ...args });

type Facts = { readonly output_handle: string; readonly mime_type: string; readonly size_bytes: number };

/** The colours of a film's frames, as red, green and blue in 0 and 1, by how many frames have them; some seconds of it. */
const COLOURS = `async (colours, from) => {
  const blob = await (await fetch('/film')).blob();
  const count = (picture, width, height) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const bits = [0, 1, 2].map((j) => (data[i + j] > 180 ? 1 : data[i + j] < 75 ? 0 : '-')).join('');
      counts[bits] = (counts[bits] ?? 0) + 1;
    }
    for (const [bits, count] of Object.entries(counts)) if (count > 40) colours[bits] = (colours[bits] ?? 0) + 1;
  };
  if ((await blob.slice(0, 3).text()) === 'GIF') {
    const decoder = new ImageDecoder({ type: 'image/gif', data: await blob.arrayBuffer() });
    await Promise.all([decoder.tracks.ready, decoder.completed]);
    let [width, duration] = [0, 0];
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      width = image.displayWidth;
      duration += image.duration / 1e6;
      count(image, width, image.displayHeight);
    }
    return { width, duration, colours, next: null };
  }
  const video = document.querySelector('video');
  video.src = URL.createObjectURL(blob);
  await new Promise((done, fail) => Object.assign(video, { onloadeddata: done, onerror: () => fail(Error(video.error.message)) }));
  const { videoWidth: width, videoHeight: height, duration } = video;
  const until = performance.now() + 5_000;
  for (let at = from; at < duration; at += 0.1) {
    if (performance.now() > until) return { width, duration, colours, next: at };
    video.currentTime = at;
    await new Promise((done) => (video.onseeked = done));
    count(video, width, height);
  }
  return { width, duration, colours, next: null };
}`;

async function stop(tab: string) {
  const stopped = await rig.ok('record_video', { tab, action: 'stop' });
  const facts = stopped.json<Facts>();
  film = await fetchAll(rig.server, facts.output_handle);
  // Pictures are decoded on secure sites only.
  const player = await open('/film.html', 'localhost');
  type Shown = { width: number; duration: number; colours: Record<string, number>; next: number | null };
  // A script is stopped after 30 s, and a busy machine may take longer for a film.
  const look = async (...args: [seen: object, from: number]): Promise<Shown> => {
    const more = { code: COLOURS, args, timeout_ms: 30_000 };
    const shown = (await rig.ok('evaluate', { tab: player, ...more })).json<Shown>();
    return shown.next === null ? shown : look(shown.colours, shown.next);
  };
  return { ...(await look({}, 0)), facts, notes: stopped.notes };
}

it.each([
  ['video/webm', { fps: 10 }],
  ['image/gif', { format: 'gif' }],
])('shows the acts on several pages as %s, and paints over secrets wherever they move', async (type, how) => {
  const tab = await open();
  expect((await record(tab, { action: 'start', width: 640, ...how })).isError).toBe(false);
  expect((await record(tab, { action: 'start' })).code()).toBe('tab_busy');
  const steps = ['click text=Grind', 'scroll down', 'scroll to top', 'click text=Next'];
  await rig.ok('interact', { tab, fields: { Key: 'secret:KEY' }, steps });
  await rig.server.call('interact', { tab, steps: ['click text=Popup'] });
  const { width, colours, duration, facts, notes } = await stop(tab);
  expect([facts.mime_type, width]).toEqual([type, 640]);
  expect(duration).toBeGreaterThan(4);
  expect(Object.keys(colours)).toEqual(expect.arrayContaining(['001', '100', '110']));
  expect(colours).not.toHaveProperty('010');
  expect(notes).toContain('Secret fields are painted over');
  expect((await record(tab, { action: 'stop' })).code()).toBe('capture_not_running');
});

it('shows a card while a person has the tab, and for pages that may not be read', async () => {
  const tab = await open('/next');
  const id = tab.split(':')[1] ?? '';
  expect((await record(tab, { action: 'start', fps: 10, width: 320 })).isError).toBe(false);
  const person = new TakeoverPerson(rig.worker);
  const asked = { type: 'takeover', message: 'Please grind.', tab };
  const asking = rig.server.call('request_human_input', asked);
  await person.card();
  expect((await record(tab, { action: 'stop' })).code()).toBe('person_has_tab');
  const goTo = (path: string, host = 'mill.test') =>
    rig.worker.evaluate(`chrome.tabs.update(${id}, { url: '${rig.at(host, path)}' }).then(() => null)`);
  for (const path of ['/taken', '/next']) {
    await goTo(path);
    await expect.poll(() => titleOf(id), PATIENCE).toBe(path === '/next' ? 'Next' : 'Taken');
  }
  await person.press('done');
  expect((await asking).isError).toBe(false);
  await goTo('/taken', 'denied.test');
  await goTo('/');
  await expect.poll(() => titleOf(id), PATIENCE).toBe('Mill');
  const { colours, notes } = await stop(tab);
  expect(colours).toMatchObject({ '001': expect.any(Number), 100: expect.any(Number) });
  expect(colours).not.toHaveProperty('010');
  expect(notes).toContain('while a person had the tab');
});

const titleOf = (id: string) => rig.worker.evaluate(`chrome.tabs.get(${id}).then(({ title }) => title)`);
