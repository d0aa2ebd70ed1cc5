/** Pages that load, or draw, what is scrolled into view. */

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
  /** Says what a row contains besides its name. */
  readonly more?: string;
  /** Says how many rows there are, and the number of each. */
  readonly counted?: boolean;
  /** What stands for rows until they come, ten frames after the scrolling, from row `lateFrom` on. */
  readonly placeholder?: '' | 'Loading…';
  readonly lateFrom?: number;
}

/**
 * A list that holds only the rows in view.
 *
 * @param scroller a script's expression of what is scrolled; `null` for the window
 */
function draw(name: string, scroller: string, list: VirtualList): string {
  const { rows, kind, height = '40', ready = 2, more = "''", counted = false, lateFrom = 0 } = list;
  const { placeholder = null } = list;
  return `{
    const view = ${scroller};
    const all = document.getElementById('${name}') ?? globalThis.root.getElementById('${name}');
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
        const text = isLate && at >= ${lateFrom} ? ${JSON.stringify(placeholder)} : '${name} ' + (at + 1);
        row.innerHTML = isTable ? '<td>' + text + '</td><td>Edit</td>' : text + ${more};
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

const box = (name: string): string => `<div class="box" id="box-${name}"><div id="${name}"></div></div>`;
const boxOf = (name: string): string => `document.getElementById('box-${name}')`;

const inBox = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1>${box('Row')}<p>After the list</p><script>${draw('Row', boxOf('Row'), list)}</script>`;

const inWindow = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1><div id="Row"></div><p>After the list</p><script>${draw('Row', 'null', list)}</script>`;

const tableInBox = (rows: number): string =>
  `${HEAD}<h1>Before the list</h1><div class="box" id="box-Row"><table><thead><tr><th>Name</th><th>Action</th></tr></thead>
  <tbody id="Row"></tbody></table></div><p>After the list</p><script>${draw('Row', boxOf('Row'), { rows, kind: 'table' })}</script>`;

const tableInWindow = (rows: number): string =>
  `${HEAD}<h1>Before the list</h1><table><thead><tr><th>Name</th><th>Action</th></tr></thead><tbody id="Row"></tbody></table>
  <p>After the list</p><script>${draw('Row', 'null', { rows, kind: 'table' })}</script>`;

/** Begins in the middle of the page and of its list, and says where both are: all the time, or when that changes. */
const placed = (list: VirtualList, isRestless = false): string =>
  `${inBox(list).replace('<p>After', '<p id="at" style="height: 20px"></p><div class="far"></div><p>After')}<script>
    scrollTo(0, 700);
    ${boxOf('Row')}.scrollTop = 840;
    const say = () => { at.textContent = 'at ' + scrollY + ' and ' + ${boxOf('Row')}.scrollTop; };
    say();
    addEventListener('scroll', say, true);
    let ticks = 0;
    if (${isRestless}) setInterval(() => { say(); at.append(' ' + ticks++); }, 50);</script>`;

const inShadow = (list: VirtualList): string =>
  `${HEAD}<h1>Before the list</h1><div id="host"></div><p>After the list</p><script>
    globalThis.root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="height: 400px; overflow-y: auto"><div id="Row"></div></div>';
    ${draw('Row', 'root.firstElementChild', list)}</script>`;

/** How long a list that grows takes to add rows: real ones load them. Nothing has to happen before that. */
const LOADING_MS = 100;

/** Adds rows when its end comes near, up to `most`. */
const growing = (id: string, most: number): string => `
  const add = () => { for (let at = 0; at < 20; at += 1) list.insertAdjacentHTML('beforeend', '<div class="row">Inner ' + list.children.length + '</div>'); };
  add();
  ${id}.onscroll = () => {
    if (list.children.length < ${most} && ${id}.scrollTop + ${id}.clientHeight > ${id}.scrollHeight - 50) setTimeout(add, ${LOADING_MS});
  };`;

const lazy = (style = ''): string => `${HEAD}<style>.far { height: 900px } ${style}</style>${Array.from(
  { length: 6 },
  (_, at) => `<div class="far" data-at="${at}">…</div>`,
).join('')}<script>
  const seen = new IntersectionObserver((entries) => entries.forEach(async ({ isIntersecting, target }) => {
    if (!isIntersecting) return;
    seen.unobserve(target);
    target.textContent = await (await fetch('/part?at=' + target.dataset.at)).text();
  }));
  document.querySelectorAll('.far').forEach((el) => seen.observe(el));</script>`;

/** Every page by its path; `/part?at=3` answers `Part 3` after a moment. */
export const SCROLL_PAGES: Readonly<Record<string, string>> = {
  lazy: lazy(),
  'lazy-smooth': lazy(
    'html { scroll-behavior: smooth; scroll-snap-type: y mandatory } .far { scroll-snap-align: start }',
  ),
  endless: `${HEAD}<div id="list"></div><div id="end">End marker</div><script>
    let page = 0;
    const more = async () => {
      if (page === 5) return;
      page += 1;
      const text = await (await fetch('/part?at=' + page)).text();
      for (let at = 0; at < 20; at += 1) list.insertAdjacentHTML('beforeend', '<div class="row">' + text + ' row ' + at + '</div>');
    };
    new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && more()).observe(end);</script>`,
  inner: `${HEAD}<div class="box" id="box"><div id="list"></div></div><script>${growing('box', 60)}</script>`,
  forever: `${HEAD}<div class="box" id="box"><div id="list"></div></div><script>${growing('box', 1_000_000)}</script>`,
  nested: `${HEAD}<div class="box"><div class="far">Outer</div><div class="box" id="box"><div id="list"></div></div></div>
    <script>${growing('box', 60)}</script>`,
  short: `${HEAD}<p>Nothing to scroll</p>`,
  carousel: `${HEAD}<div id="slides" style="width: 600px; height: 200px; overflow-x: auto; white-space: nowrap"><div style="width: 9000px; height: 100px">Slides</div></div>
    <p id="moved">not moved</p><script>slides.onscroll = () => { moved.textContent = 'moved' };</script>`,
  back: `${HEAD}<div class="far">Stubborn</div><script>onscroll = () => scrollTo(0, 0);</script>`,
  leaves: `${HEAD}<div class="far">Here</div><div class="far"></div><script>
    onscroll = () => { if (scrollY > 1200) location.href = '/short'; };</script>`,
  'virtual-leaves': inBox({ rows: 100, kind: 'absolute' }).replace(
    '</script>',
    `${boxOf('Row')}.addEventListener('scroll', ({ target }) => { if (target.scrollTop > 2_500) location.href = '/short'; });</script>`,
  ),
  virtual: inBox({ rows: 60, kind: 'absolute' }),
  'virtual-5000': inBox({ rows: 5_000, kind: 'absolute', height: '4' }),
  'window-1000': inWindow({ rows: 1_000, kind: 'padding', height: '4' }),
  'virtual-padding': inBox({ rows: 60, kind: 'padding' }),
  'virtual-buttons': inBox({
    rows: 60,
    kind: 'padding',
    height: '60',
    more: "'<div>Edit</div><div>Delete</div>'",
    ready: 0,
  }),
  'virtual-variable': inBox({ rows: 60, kind: 'absolute', height: '20 + (at * 37) % 90', ready: 6 }),
  'virtual-window': inWindow({ rows: 60, kind: 'absolute' }),
  'virtual-window-padding': inWindow({ rows: 60, kind: 'padding', ready: 10 }),
  'virtual-table': tableInBox(60),
  'virtual-window-table': tableInWindow(60),
  'late-blank': inBox({ rows: 60, kind: 'absolute', placeholder: '', ready: 0 }),
  'late-loading': inBox({ rows: 60, kind: 'padding', placeholder: 'Loading…' }),
  'late-at-last': inBox({ rows: 100, kind: 'absolute', placeholder: 'Loading…', lateFrom: 70 }),
  placed: placed({ rows: 40, kind: 'absolute' }),
  'placed-5000': placed({ rows: 5_000, kind: 'absolute' }, true),
  'virtual-shadow': inShadow({ rows: 60, kind: 'absolute' }),
  'virtual-counted': inBox({ rows: 60, kind: 'absolute', counted: true }),
  'virtual-two': `${HEAD}<h1>Before the list</h1>${box('Left')}<p>Between</p>${box('Right')}<p>After the list</p>
    <script>${draw('Left', boxOf('Left'), { rows: 40, kind: 'absolute' })}
    ${draw('Right', boxOf('Right'), { rows: 50, kind: 'padding' })}</script>`,
  'in-frame': `${HEAD}<p>Before</p><iframe src="/virtual" width="800" height="300"></iframe><p>After</p>`,
};
