import { serveOnLoopback } from '../lib/loopback.mjs';
import { article, stock, words } from '../lib/pages.mjs';

/*
 * The pages that the reading tasks ask about. Two servers on two hosts, so that a frame can come from
 * another site. Answers that a task has to find are picked by number: nothing repeats them elsewhere.
 */

const page = (title, body, head = '') =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body>\n${body}\n</body></html>\n`;

const repeat = (count, write) => Array.from({ length: count }, (_, at) => write(at + 1)).join('\n');
/** The price of a product or an order. */
export const priceOf = (at) => `${((at * 7919) % 900) + 100}.${String((at * 31) % 100).padStart(2, '0')}`;

const library = page(
  'Town library',
  `<nav><a href="/a">Catalogue</a> <a href="/b">Events</a> <a href="/c">Rooms</a></nav>
<main><h1>Town library</h1><p>On Thursdays the library is open from 10:40 to 19:20.</p></main>`,
);

/** A news article between what news sites put around theirs. */
const clutter = (() => {
  const links = (label, count) =>
    `<aside class="${label}"><h3>${label}</h3><ul>${repeat(count, (at) => `<li><a href="/${label}/${at}">${words(9, at + count)}</a></li>`)}</ul></aside>`;
  const paragraph = (at) => `<p>${[1, 2, 3].map((nth) => `${words(18, at * 9 + nth)}.`).join(' ')}</p>`;
  return page(
    'Ferry returns',
    `<header>${links('sections', 30)}</header>${links('trending', 20)}
<article><h1>Ferry returns</h1><p class="byline">By A. Reporter</p>${repeat(12, paragraph)}
<p>The crossing will cost 7.35 crowns, the operator said on Monday.</p>${repeat(6, (at) => paragraph(at + 40))}</article>
${links('related', 40)}${links('newsletter', 10)}<footer>${links('legal', 30)}</footer>`,
  );
})();

const product = (at) =>
  `<div class="card"><a href="/product/${at}"><img alt="" src="data:,"><h3>Lamp ${at}</h3></a><span class="price">$${priceOf(at)}</span><p>${words(14, at)}</p><button>Add to cart</button></div>`;
const products = page('Lamps', `<h1>Lamps</h1><div class="grid">${repeat(60, product)}</div>`);

const orders = page(
  'Orders',
  `<h1>Orders</h1><p id="state">Loading</p><script>
const ids = Array.from({ length: 30 }, (_, at) => at + 1);
Promise.all(ids.map((id) => fetch('/api/orders/' + id).then((answer) => answer.json())))
  .then((orders) => { document.querySelector('#state').textContent = orders.length + ' orders'; });
</script>`,
);

const late = page(
  'Dashboard',
  `<div id="app">Loading…</div><script>
setTimeout(() => { document.querySelector('#app').innerHTML = '<h1>Dashboard</h1><p>Balance: 4,917.20 crowns</p>'; }, 900);
</script>`,
);

const frame = (address) =>
  page('Booking', `<h1>Booking</h1><p>Seats are shown below.</p><iframe src="${address}"></iframe>`);
const framed = page(
  'Seats',
  `<seat-map></seat-map><script>
customElements.define('seat-map', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>Seats left in row K: 17</p>'; }
});
</script>`,
);

/** A list that holds only the rows in view, as React's and Angular's do. */
const virtual = page(
  'Members',
  `<h1>Members</h1><div id="list" style="height:600px;overflow:auto"><div id="room" style="position:relative"></div></div><script>
const count = 5000, height = 32, list = document.querySelector('#list'), room = document.querySelector('#room');
room.style.height = count * height + 'px';
const draw = () => {
  const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
  const rows = Array.from({ length: 30 }, (_, at) => first + at).filter((at) => at < count);
  room.innerHTML = rows.map((at) => '<div style="position:absolute;top:' + at * height + 'px">Member ' + (at + 1) + ', card ' + (((at + 1) * 7919) % 100003) + '</div>').join('');
};
list.addEventListener('scroll', draw);
draw();
</script>`,
);

const guide = (at) =>
  page(
    `Guide ${at}`,
    `<h1>Guide ${at}</h1>${repeat(6, (nth) => `<p>${words(40, at * 13 + nth)}.</p>`)}${at === 11 ? '<p>The default port of the relay is 48613.</p>' : ''}`,
  );
const guides = page(
  'Guides',
  `<h1>Guides</h1><ul>${repeat(12, (at) => `<li><a href="/guides/${at}">Guide ${at}</a></li>`)}</ul>`,
);

/** A PDF of twelve pages, written by hand: a catalogue, its pages, a font and a line of text on each. */
function pdf() {
  const count = 12;
  const line = (at) =>
    at === 9 ? 'Clause 9: the notice period is 47 days.' : `Clause ${at}: ${words(8, at)}.`;
  const stream = (at) => `BT /F1 12 Tf 72 720 Td (${line(at)}) Tj ET`;
  const pages = Array.from({ length: count }, (_, at) => at + 1);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${pages.map((at) => `${2 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${3 + at * 2} 0 R >>`,
      `<< /Length ${stream(at).length} >>\nstream\n${stream(at)}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

const order = (id) => JSON.stringify({ id, total: priceOf(id), status: 'sent' });

const HTML = 'text/html; charset=utf-8';

function answer(path, other) {
  const [, area, id] = path.split('/');
  if (area === 'api') return ['application/json', order(Number(path.split('/').at(-1)))];
  if (area === 'guides' && id !== undefined) return [HTML, guide(Number(id))];
  const pages = { library, clutter, products, late, framed, virtual, guides };
  if (area === 'article') return [HTML, article()];
  if (area === 'stock') return [HTML, stock()];
  if (area === 'frame') return [HTML, frame(`${other}/framed`)];
  if (area === 'contract.pdf') return ['application/pdf', pdf()];
  if (area === 'orders') return [HTML, orders];
  return pages[area] === undefined ? undefined : [HTML, pages[area]];
}

/**
 * Serves the pages on loopback.
 * @returns {Promise<{ url: (path: string) => string, close: () => Promise<void> }>}
 */
export async function serveTasks() {
  const site = await serveOnLoopback((request, response) => {
    const path = request.url ?? '/';
    if (path === '/account') return void response.writeHead(302, { location: '/library' }).end();
    const found = answer(path, `http://localhost:${site.port}`);
    if (found === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': found[0] }).end(found[1]);
  });
  return { url: (path) => site.origin + path, close: site.close };
}
