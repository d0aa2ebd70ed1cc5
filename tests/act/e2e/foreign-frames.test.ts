import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { IN_FIREFOX } from '../../support/engine.ts';
import { rounds, sample } from '../../support/depth.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';

/*
 * An approval for one site does not act in another site's frame. The person allows a.test and c.test, forbids b.test
 * and x.a.test, and has not been asked about d.test. Each row is a page of a.test that tries to divert its act's input
 * into a frame. A frame's score is the trusted events of its listeners, and its link's navigations. In Firefox, acts send
 * only events that are not trusted.
 */

const TYPES =
  'pointerover pointermove mousemove pointerdown mousedown pointerup mouseup click auxclick contextmenu keydown keypress keyup beforeinput input dragenter dragover drop paste submit';
const LISTENS = `<script>
window.seen = []; window.hits = 0;
for (const type of '${TYPES}'.split(' ')) addEventListener(type, (event) => {
  if (!event.isTrusted && !${IN_FIREFOX}) return;
  seen.push(type);
  try { localStorage.seen = (localStorage.seen ?? '') + type + ' '; } catch {}
  if (type === 'click' && event.target.closest('[data-target]')) hits += 1;
}, true);
</script>`;
const FILLS = 'position:fixed;left:0;top:0;width:100%;height:100%;border:0';

/** A frame's document: one large link or field. */
const frameDocument = (query: URLSearchParams): string => `<!doctype html>${LISTENS}
<style>html,body{margin:0;height:100%}a,input,iframe{${FILLS}}</style>
${query.has('field') ? '<input>' : '<a href="/followed">Pay</a>'}
${query.has('in') ? `<iframe src="${query.get('in')}"></iframe>` : ''}<script>
const take = () => { window.focus(); document.querySelector('input, a').focus(); };
onmessage = take;
${query.has('grabs') ? 'setInterval(take, 1);' : ''}${query.has('busy') ? 'setInterval(() => { const until = performance.now() + 80; while (performance.now() < until); }, 90);' : ''}${query.has('reloads') ? 'setTimeout(() => location.reload(), 15);' : ''}
</script>`;

const TARGET = `<!doctype html>${LISTENS}<button data-target id="inner" style="position:fixed;left:100px;top:100px;width:200px;height:60px">In</button><input id="field">`;
const BUSY = `<!doctype html><script>const until = performance.now() + 2500; while (performance.now() < until);</script>${TARGET}`;
const topDocument = (body: string): string => `<!doctype html><title>top</title>${LISTENS}<style>
.f{${FILLS};opacity:.01} #t{position:fixed;left:100px;top:100px;width:200px;height:60px} #i{position:fixed;left:100px;top:200px}
</style><button data-target id="t">Target</button><input id="i" aria-label="Field">${body}`;

const at = (host: string, path = '/frame'): string => `http://${host}:PORT${path}`;
const frame = (src = at('b.test'), more = ''): string => `<iframe class="f" src="${src}" ${more}></iframe>`;
const holder = (src: string): string =>
  `<iframe src="${src}" style="position:fixed;left:0;top:0;width:600px;height:400px"></iframe>`;
const drawn = (body: string, root = 'document'): string =>
  `<script>{ const F = ${root}.querySelector('.f'); let n = 0; (function go() { n += 1; ${body}; requestAnimationFrame(go); })(); }</script>`;
const on = (types: string, body: string): string =>
  `<script>for (const type of '${types}'.split(' ')) addEventListener(type, (event) => { const F = document.querySelector('.f'); ${body} }, true);</script>`;
const TOGGLES = "F.style.pointerEvents = n % 2 ? 'none' : 'auto'";
const toggled = drawn(TOGGLES);
const LETS = '<style>.f{pointer-events:none}</style>';
const SHOW = "F.style.pointerEvents = 'auto'";
const SLOW = 'const until = performance.now() + 150; while (performance.now() < until);';
const inserted = `if (!F) document.body.insertAdjacentHTML('beforeend', '${frame()}');`;
const field = frame(at('b.test', '/frame?field'));
const GIVE = "frames[0].focus(); frames[0].postMessage('', '*')";
const PRESS = ['focus css=#i', 'press a b c Enter'];

interface Row {
  readonly body: string;
  readonly steps: readonly string[];
  /** Number of attempts, if the outcome is a race. */
  readonly times: number;
}
const once = (body: string, ...steps: readonly string[]): Row => ({ body, steps, times: 1 });
const race = (body: string, ...steps: readonly string[]): Row => ({
  ...once(body, ...steps),
  times: rounds(4, 1),
});
const covered = frame() + toggled;
const INNER = 'click css=#inner';
const TYPE = 'type css=#i hello and a lot more than twenty letters';
const FILL = 'fill css=#i secret text';
const grabs = frame(at('b.test', '/frame?field&grabs')) + LETS;
const ANIMATED =
  '<style>@keyframes k{0%{pointer-events:none}50%{pointer-events:auto}}.f{animation:k 40ms step-end infinite}</style>';
const DRAG = `event.dataTransfer.setData('text/plain', 'x'); setTimeout(() => { ${SHOW}; })`;
const filling = frame().replace('class="f"', `style="${FILLS}"`);
const nested = at('c.test', `/frame?in=${encodeURIComponent('http://b.test:PORT/frame')}`);

const ATTACKS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'a frame that comes and goes': {
    'by pointer-events': race(covered),
    'by animation': race(ANIMATED + frame()),
    'by place': race(frame() + drawn("F.style.left = n % 2 ? '-3000px' : '0'")),
    'by z-index': race('<style>#t{z-index:5}</style>' + frame() + drawn('F.style.zIndex = n % 2 ? 1 : 10')),
    'under a right click': race(covered, 'right_click css=#t'),
    'over what opens a chooser': race(
      `<style>#x{position:fixed;left:9px;top:9px}</style><button id="x" onclick="y.click()">Up</button><input type="file" id="y" hidden>${covered}`,
      'click css=#x',
    ),
  },
  'a frame that comes with the gesture': {
    'as the pointer moves': once(LETS + frame() + on('pointermove', SHOW)),
    'as the button goes down': once(LETS + frame() + on('pointerdown', SHOW), 'double_click css=#t'),
    'inserted as the pointer moves': once(on('pointermove', inserted)),
    'inserted in a drag': once(on('pointerdown', inserted + SLOW), 'drag css=#t by=200,100'),
    'under a drag': once(LETS + frame() + on('pointerdown', SHOW), 'drag css=#t by=200,100'),
    'under HTML drag and drop': once(
      `<p draggable="true" id="d">drag</p>${LETS}${frame()}${on('dragstart', DRAG)}`,
      'drag css=#d css=#t',
    ),
  },
  'a frame of another kind': {
    'about which nobody was asked': race(frame(at('d.test')) + toggled),
    sandboxed: race(frame(at('b.test'), 'sandbox="allow-scripts"') + toggled),
    'an object': race(`<object class="f" data="${at('b.test')}" type="text/html"></object>${toggled}`),
    'in a closed tree': race(
      `<p id="h"></p><script>const root = h.attachShadow({ mode: 'closed' }); root.innerHTML = '${filling.replace('<iframe', '<iframe class="f"')}';</script>${drawn(TOGGLES, 'root')}`,
    ),
    'a popover': race(
      frame(at('b.test'), 'popover="manual"') + drawn(`if (n === 1) F.showPopover(); ${TOGGLES}`),
    ),
    'in a modal dialog': race(
      `<dialog id="m" style="all:unset"><button data-target id="t2" style="${FILLS}">T2</button>${frame()}</dialog><script>m.showModal()</script>${toggled}`,
      'click css=#t2',
    ),
    'in a permitted frame': race(frame(nested) + toggled),
    'in about:blank': race(
      `<iframe class="f"></iframe><script>document.querySelector('.f').contentDocument.body.innerHTML = '${filling}';</script>${toggled}`,
    ),
    'that goes to the other site': race(
      frame(at('a.test')) +
        drawn(`${TOGGLES}; if (n % 30 === 0) F.src = n % 60 ? '${at('b.test')}' : '${at('a.test')}'`),
    ),
    'over a frame of the page': race(holder('/target') + covered, INNER),
    'that is busy': race(holder('/target') + frame(at('b.test', '/frame?busy')) + toggled, INNER),
    'that is the target': once(frame(at('b.test'), 'id="fe"'), 'click css=#fe'),
  },
  'a frame that takes the focus': {
    'from typed text': once(field + LETS + on('keydown', GIVE), TYPE),
    'by a clock': race(
      `${field}${LETS}<script>setInterval(() => { frames[0].focus(); setTimeout(() => i.focus(), 3); }, 6);</script>`,
      ...PRESS,
    ),
    'by itself, from typed text': race(`${grabs}<script>setInterval(() => i.focus(), 2);</script>`, TYPE),
    'as the field gets it': race(`${field}${LETS}<script>i.onfocus = () => { ${GIVE}; };</script>`, FILL),
    'by Tab': once(field + LETS, 'focus css=#i', 'press Tab x y'),
    'and reloads': race(frame(at('b.test', '/frame?field&grabs&reloads')) + LETS, TYPE),
  },
};

const writes = (name: string): readonly string[] => [
  `fill css=${name} hello`,
  `type css=${name} you`,
  `press css=${name} Enter`,
];
const escaped = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const adds = (attributes: string): string =>
  `<button id="add" style="position:fixed;left:700px;top:100px" onclick="document.body.append(held.content)">Add</button>
<template id="held"><iframe style="position:fixed;left:0;top:0;width:600px;height:400px" ${attributes}></iframe></template>`;
const BESIDE = '<style>.f{left:700px}</style>';
const ALLOWED: Readonly<Record<string, Row>> = {
  'a click on a page with other frames': once(BESIDE + frame()),
  'a click in a permitted frame': once(holder(at('c.test', '/target')), INNER),
  'a click in a frame of the page, next to another one': once(BESIDE + holder('/target') + frame(), INNER),
  ...Object.fromEntries(
    Object.entries({
      'of the page': `src="/target"`,
      'of a permitted site': `src="${at('c.test', '/target')}"`,
      'of a srcdoc': `srcdoc="${escaped(TARGET)}"`,
      'that is blank': `onload="if (!this.contentDocument.body.firstChild) { this.contentDocument.write(this.dataset.html); this.contentDocument.close(); }" data-html="${escaped(TARGET)}"`,
      'that is busy at first': `src="${at('c.test', '/busy')}"`,
      'in a frame': `src="${at('c.test', `/frame?in=${encodeURIComponent(at('c.test', '/target'))}`)}"`,
    }).flatMap(([name, attributes]) => [
      [`a click in a frame that has just come, ${name}`, once(adds(attributes), 'click css=#add', INNER)],
      [
        `text in a frame that has just come, ${name}`,
        once(adds(attributes), 'click css=#add', ...writes('#field'), INNER),
      ],
    ]),
  ),
  'text in a permitted frame': once(holder(at('c.test', '/target')), ...writes('#field'), INNER),
  'text on a page with other frames': once(BESIDE + field, ...writes('#i'), 'click css=#t'),
};

const PAGES = new Map(
  [...Object.values(ATTACKS), ALLOWED]
    .flatMap((rows) => Object.entries(rows))
    .map(([name, { body }]) => [`/${encodeURIComponent(name)}`, topDocument(body)]),
);
PAGES.set('/target', TARGET);
PAGES.set('/busy', BUSY);

let rig: PersonRig;
let tab: string;
let followed: string[] = [];
beforeAll(async () => {
  rig = await personRig(
    (request, response) => {
      const { host = '' } = request.headers;
      const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
      if (pathname === '/followed') followed.push(host + pathname);
      const html = PAGES.get(pathname) ?? (pathname === '/frame' ? frameDocument(searchParams) : '');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(html.replaceAll('PORT', host.split(':')[1] ?? ''));
    },
    ...['--denied-sites', 'b.test', '--approvals', 'deny'],
  );
  await rig.setRules([
    { id: 'yes', sites: ['a.test', 'c.test'], effect: 'allow' },
    { id: 'no', sites: ['b.test', 'x.a.test'], effect: 'deny' },
  ]);
  const url = rig.at('a.test', '/none');
  const opened = await rig.server.call('tabs', { action: 'open', url, activate: true });
  ({ opened: tab } = opened.json<{ opened: string }>());
});

type Heard = { readonly host: string; readonly seen: readonly string[]; readonly hits: number };

const heard = (): Promise<readonly Heard[]> =>
  rig.worker
    .evaluate(`chrome.tabs.query({ url: 'http://*.test/*' }).then(([{ id }]) => chrome.scripting.executeScript({
    target: { tabId: id, allFrames: true }, injectImmediately: true, world: 'MAIN', func: () => {
      let kept = '';
      try { kept = localStorage.seen ?? ''; delete localStorage.seen; } catch {}
      const facts = { host: location.hostname || origin.replace(/^http:..|:[0-9]+$/g, ''), seen: [...window.seen ?? [], ...kept.split(' ').filter(Boolean)], hits: window.hits ?? 0 };
      window.seen = []; window.hits = 0;
      return facts;
    } })).then((answers) => answers.map(({ result }) => result).filter(Boolean))`);

interface Tried {
  readonly isDone: boolean;
  readonly code: string | undefined;
  readonly text: string;
  readonly delivered: readonly string[];
  readonly hits: number;
}

async function attempt(name: string, { steps: given, times }: Row): Promise<readonly Tried[]> {
  const steps = given.length > 0 ? given : ['click css=#t'];
  const tried: Tried[] = [];
  await rig.server.call('navigate', { tab, url: rig.at('a.test', `/${encodeURIComponent(name)}`) });
  await heard();
  for (let count = 0; count < times; count += 1) {
    followed = [];
    const answer = await rig.server.call('interact', { tab, steps, show: 'none' });
    const all = await heard();
    const got = all.filter(({ host, seen }) => seen.length > 0 && !['a.test', 'c.test'].includes(host));
    const foreign = followed.filter((url) => !/^[ac]\.test/.test(url));
    tried.push({
      isDone: !answer.isError,
      code: answer.code(),
      text: answer.text,
      delivered: [...got.map(({ host, seen }) => `${host}: ${[...new Set(seen)].join(' ')}`), ...foreign],
      hits: all.reduce((sum, { hits }) => sum + hits, 0),
    });
  }
  return tried;
}

describe.each(Object.entries(ATTACKS))('%s', (_kind, rows) => {
  it.each(sample(Object.entries(rows), 4))('gets nothing: %s', async (name, row) => {
    const tried = await attempt(name, row);
    expect(tried.flatMap(({ delivered }) => delivered)).toEqual([]);
    // Everything reported as done was done at its target.
    if (row.steps.length === 0) for (const { isDone, hits } of tried) if (isDone) expect(hits).toBe(1);
    for (const { code, text } of tried)
      if (code === 'frame_not_permitted') expect(text).toMatch(/frame of http:\/\//);
  });
});

it.each(sample(Object.entries(ALLOWED), 8))('continues as before: %s', async (name, row) => {
  for (const { text, isDone, delivered, hits } of await attempt(name, row))
    expect({ text, isDone, delivered, hits }).toEqual({ text, isDone: true, delivered: [], hits: 1 });
});

it('says where input was kept from, and so does the ledger', async () => {
  const [tried] = await attempt('by Tab', once('', 'focus css=#i', 'press Tab x y'));
  expect(tried).toMatchObject({ isDone: false, code: 'frame_not_permitted' });
  const site = rig.at('b.test', '');
  expect(tried?.text).toContain(`kept from a frame of ${site}`);
  const folder = join(rig.server.home, 'ledger');
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  const written = { kind: 'outcome', outcome: 'failed', code: 'frame_not_permitted', went_to: site };
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining(written));
});
