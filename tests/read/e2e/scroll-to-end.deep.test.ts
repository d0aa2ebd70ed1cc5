import { describe, expect, it, type ExpectStatic } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallAnswer } from '../../support/call-tool.ts';
import { file, serveFiles } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

const HEAD = `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0 } .row { height: 40px } .far { height: 1500px } .box { height: 400px; overflow-y: auto }
</style>`;

interface VirtualList {
  readonly rows: number;
  /** How rows out of view keep their place. */
  readonly kind: 'absolute' | 'padding' | 'table';
  /** Of row `at` in pixels, as a script. */
  readonly height?: string;
  /** Rows that are kept ready on each side. */
  readonly ready?: number;
  /** Shows how many rows there are, and the number of each. */
  readonly counted?: boolean;
  /** Placeholders, shown until the rows come ten frames after the scrolling. */
  readonly placeholder?: 'Loading…';
}

/**
 * A virtual list.
 * @param scroller a script's expression for the scrolled element; `null` for the window
 */
function draw(scroller: string, list: VirtualList): string {
  const { rows, kind, height = '40', ready = 2, counted = false, placeholder = null } = list;
  return `{
    const view = ${scroller};
    const all = document.getElementById('Row') ?? globalThis.root.getElementById('Row');
    const tops = [0];
    for (let at = 0; at < ${rows}; at += 1) tops.push(tops[at] + (${height}));
    const total = tops[${rows}];
    const isTable = ${kind === 'table'};
    if (${kind === 'absolute'}) all.style = 'position: relative; height: ' + total + 'px';
    if (${counted}) all.setAttribute('aria-rowcount', ${rows});
    let isLate = false;
    const update = () => {
      const seen = view === null ? innerHeight : view.clientHeight;
      const start = view === null ? Math.max(0, -all.getBoundingClientRect().top) : view.scrollTop;
      let first = 0;
      while (first < ${rows} - 1 && tops[first + 1] <= start) first += 1;
      let last = first;
      while (last < ${rows} && tops[last] < start + seen) last += 1;
      first = Math.max(0, first - ${ready});
      last = Math.min(${rows}, last + ${ready});
      all.innerHTML = '';
      const spacer = (px) => {
        if (isTable) all.insertAdjacentHTML('beforeend', '<tr style="height: ' + px + 'px"></tr>');
      };
      spacer(tops[first]);
      for (let at = first; at < last; at += 1) {
        const row = document.createElement(isTable ? 'tr' : 'div');
        row.style = 'height: ' + (tops[at + 1] - tops[at]) + 'px; overflow: hidden';
        if (${kind === 'absolute'}) row.style.cssText += '; position: absolute; top: ' + tops[at] + 'px';
        const text = isLate ? ${JSON.stringify(placeholder)} : 'Row ' + (at + 1);
        row.innerHTML = isTable ? '<td>' + text + '</td><td>Edit</td>' : text;
        if (${counted}) row.setAttribute('aria-rowindex', at + 1);
        all.append(row);
      }
      spacer(total - tops[last]);
      if (${kind === 'padding'}) all.style = 'padding: ' + tops[first] + 'px 0 ' + (total - tops[last]) + 'px';
    };
    let scrolls = 0;
    const fill = (number, frames) => {
      if (number !== scrolls) return;
      if (frames > 0) return void requestAnimationFrame(() => fill(number, frames - 1));
      isLate = false;
      update();
    };
    (view ?? document).addEventListener('scroll', () => {
      scrolls += 1;
      isLate = ${placeholder !== null};
      update();
      if (isLate) fill(scrolls, 10);
    });
    update();
  }`;
}

const BOX = '<div class="box" id="box"><div id="Row"></div></div>';
const TABLE = `<table><thead><tr><th>Name</th><th>Action</th></tr></thead><tbody id="Row"></tbody></table>`;
const BOX_OF = `document.getElementById('box')`;

const inBox = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1>${BOX}<p>After the list</p><script>${draw(BOX_OF, list)}</script>`;

const inWindow = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1>${list.kind === 'table' ? TABLE : '<div id="Row"></div>'}<p>After the list</p><script>${draw('null', list)}</script>`;

/** Starts in the middle of the page and of its list, and reports the positions of both. */
const placed = (list: VirtualList): string =>
  `${inBox(list).replace('<p>After', '<p id="at" style="height: 20px"></p><div class="far"></div><p>After')}<script>
    scrollTo(0, 700);
    ${BOX_OF}.scrollTop = 840;
    const say = () => { at.textContent = 'at ' + scrollY + ' and ' + ${BOX_OF}.scrollTop; };
    say();
    addEventListener('scroll', say, true);</script>`;

const inShadow = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1><div id="host"></div><p>After the list</p><script>
    globalThis.root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="height: 400px; overflow-y: auto"><div id="Row"></div></div>';
    ${draw('root.firstElementChild', list)}</script>`;

/** Every page by its path; `/part?at=3` answers `Part 3` after a moment. */
const SCROLL_PAGES: Readonly<Record<string, string>> = {
  'lazy-smooth': `${HEAD}<style>html { scroll-behavior: smooth; scroll-snap-type: y mandatory } .far { height: 900px; scroll-snap-align: start }</style>
  ${Array.from({ length: 6 }, (_, at) => `<div class="far" data-at="${at}">…</div>`).join('')}<script>
  const seen = new IntersectionObserver((entries) => entries.forEach(async ({ isIntersecting, target }) => {
    if (!isIntersecting) return;
    seen.unobserve(target);
    target.textContent = await (await fetch('/part?at=' + target.dataset.at)).text();
  }));
  document.querySelectorAll('.far').forEach((el) => seen.observe(el));</script>`,
  upwards: `${HEAD}<div class="box" id="list" style="display: flex; flex-direction: column-reverse"></div><script>
    let rows = 0;
    const more = () => {
      for (const most = Math.min(100, rows + 20); rows < most; )
        list.insertAdjacentHTML('beforeend', '<div class="row" style="flex: none">Part ' + rows++ + '</div>');
    };
    list.onscroll = () => list.clientHeight - list.scrollTop > list.scrollHeight - 200 && more();
    more();</script>`,
  back: `${HEAD}<div class="far">Stubborn</div><script>onscroll = () => scrollTo(0, 0);</script>`,
  virtual: inBox({ rows: 60, kind: 'absolute' }),
  'window-1000': inWindow({ rows: 1_000, kind: 'padding', height: '4' }),
  'virtual-padding': inBox({ rows: 60, kind: 'padding' }),
  'virtual-variable': inBox({ rows: 60, kind: 'absolute', height: '20 + (at * 37) % 90', ready: 6 }),
  'virtual-window-table': inWindow({ rows: 60, kind: 'table' }),
  'late-loading': inBox({ rows: 60, kind: 'padding', placeholder: 'Loading…' }),
  placed: placed({ rows: 40, kind: 'absolute' }),
  'virtual-shadow': inShadow({ rows: 60, kind: 'absolute' }),
  'virtual-counted': inBox({ rows: 60, kind: 'absolute', counted: true }),
  'in-frame': `${HEAD}<p>Before</p><iframe src="/virtual" width="800" height="300"></iframe><p>After</p>`,
};

const HTML = { 'content-type': 'text/html; charset=utf-8' };

const rowsOf = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map(([, row]) => Number(row));

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Scrolls background tabs without a time limit that a busy machine would reach. */
async function scrollRig() {
  const { server, ok } = await launched('--sync-wait-ms', '120000');
  const site = await serveFiles({
    ...Object.fromEntries(Object.entries(SCROLL_PAGES).map(([name, html]) => [`/${name}`, file(html, HTML)])),
    '/part': (response, { url = '' }) =>
      void delay(120).then(() => response.end(`Part ${new URL(url, 'http://x').searchParams.get('at')}`)),
  });

  const openTab = async (name: string): Promise<string> =>
    (await ok('tabs', { action: 'open', url: site.url(`/${name}`) })).json<{ opened: string }>().opened;
  async function scrollThrough(name: string, args: object = {}): Promise<CallAnswer> {
    const tab = await openTab(name);
    return ok('read_page', { tab, format: 'text', scroll: 'to_end', ...args });
  }
  /** Whether a page of `placed` reports that it and its list are at their first positions. */
  async function isInPlace(tab: string): Promise<boolean> {
    const { text } = await server.call('read_page', { tab, format: 'text', find: 'at 700 and 840' });
    return text.includes('at 700 and 840');
  }
  /** With the `expect` of its own test: a shared poll fails if another test has just ended. */
  const expectPlace = (tab: string, { poll }: ExpectStatic): Promise<void> =>
    poll(() => isInPlace(tab)).toBe(true);
  return { server, openTab, scrollThrough, expectPlace };
}

const { server, openTab, scrollThrough, expectPlace } = await scrollRig();

// Most of the time is the browser's: several pages are scrolled at once.
describe.concurrent('read_page { scroll: "to_end" } of a hidden tab', () => {
  it.each([
    ['lazy-smooth', 5],
    ['upwards', 99],
  ])('loads what waits to come into view: %s', async (name, last) => {
    const { text, notes } = await scrollThrough(name);
    expect(rowsOf(text, 'Part')).toEqual(numbers(0, last));
    expect(notes).not.toContain('scroll_stopped');
  });

  it.each(['text', 'nodes'])('puts a virtual list together: %s', async (format) => {
    const { text, notes } = await scrollThrough('virtual', { format });
    if (format === 'nodes') {
      // Rows that the page shows again keep their references, and no others.
      const items = text.split('\n').filter((line) => line.includes('"text":"Row'));
      expect(items.at(0)).toContain('"ref":');
      expect(items.at(-1)).not.toContain('"ref":');
    }
    expect(rowsOf(text, format === 'nodes' ? '"text":"Row' : 'Row')).toEqual(numbers(1, 60));
    expect(text.indexOf('Before the list')).toBeLessThan(text.indexOf('Row 1'));
    expect(text.indexOf('After the list')).toBeGreaterThan(text.indexOf('Row 60'));
    expect(notes).toContain('the page keeps only the rows in view');
  });

  it.each([
    ['virtual-padding', 60],
    ['virtual-window-table', 60],
    ['virtual-variable', 60],
    ['virtual-counted', 60],
    ['virtual-shadow', 60],
    ['in-frame', 60],
    ['late-loading', 60],
    ['window-1000', 1_000],
  ])('gives each row of %s once and in order', async (name, rows) => {
    const { text, notes } = await scrollThrough(name, { format: 'markdown' });
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, rows));
    expect(notes).not.toMatch(/virtual_list|scroll_stopped/);
  });

  it('says how many rows of a counted list it has not seen', async () => {
    const { notes } = await scrollThrough('virtual-counted', { max_scrolls: 4 });
    expect(notes).toMatch(/virtual_list: \d\d of 60 rows were seen\./);
  });

  it('gives up a page that scrolls itself back', async () => {
    const { text, notes } = await scrollThrough('back');
    expect(text).toContain('Stubborn');
    expect(notes).toContain('scroll_stopped: a part of the page scrolls itself back');
  });

  it('lets two calls on one tab take turns, and puts the page and its list back where they were', async ({
    expect,
  }) => {
    const tab = await openTab('placed');
    await expectPlace(tab, expect);
    const read = () => server.call('read_page', { tab, format: 'text', scroll: 'to_end' });
    for (const { text } of await Promise.all([read(), read()]))
      expect(rowsOf(text, 'Row')).toEqual(numbers(1, 40));
    await expectPlace(tab, expect);
  });
});
