import { words } from '../lib/pages.mjs';

/*
 * The pages of the flows. Each lies between the navigation and the footer of a small shop, and none contains the proof
 * of its flow: the server sends that after the right message or request.
 */

const PLACES = ['Home', 'Lamps', 'Chairs', 'Tables', 'Offers', 'Stores', 'Help', 'Contact'];
const BOTTOM = ['Terms', 'Privacy', 'Imprint', 'Careers'];
const link = (name) => `<li><a href="#${name.toLowerCase()}">${name}</a></li>`;
const repeat = (count, write) => Array.from({ length: count }, (_, at) => write(at + 1)).join('\n');
const title = (text) => text[0].toUpperCase() + text.slice(1);

/** Available to every script: reports to the server, and shows the page its answer. */
const TELL = `const said = (text, root = document) => { root.querySelector('[role=status]').textContent = text; };
const tell = async (what, body, root) => said(await (await fetch(what, { method: 'POST', body })).text(), root);`;

const page = (name, body, script = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<style>body{font:16px sans-serif;margin:0 40px}nav ul{display:flex;gap:16px}section,li{margin:4px}
.board{display:flex;gap:20px}.board section{width:220px;min-height:260px;border:1px solid}iframe{width:500px;height:320px}</style></head>
<body><header><nav aria-label="Main"><ul>${PLACES.map(link).join('')}</ul></nav></header>
<main><h1>${name}</h1>
${body}
</main>
<footer><p>Northgate Supplies, 12 Quay Street</p><ul>${BOTTOM.map(link).join('')}</ul></footer>
<script>${TELL}
${script}</script></body></html>`;

export const login = (isWrong) =>
  page(
    'Log in',
    `${isWrong ? '<p role="alert">Wrong email or password.</p>' : ''}
<form method="post"><p><label>Email <input name="email" type="email"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
<p><label><input type="checkbox" name="stay"> Stay logged in</label></p>
<button>Log in</button> <a href="#forgotten">Forgotten your password?</a></form>`,
  );
/** Who can log in, by the names of the fields. */
export const PERSON = { email: 'ada@example.test', password: 'difference engine' };
export const account = (proof) =>
  page(
    'Welcome, Ada',
    `<p>${proof}</p><ul>${['Orders', 'Addresses', 'Invoices', 'Settings', 'Log out'].map(link).join('')}</ul>`,
  );

export const search = page(
  'Find a product',
  `<form action="results"><label>Search <input name="q" type="search"></label> <button>Go</button></form>`,
);
export const results = (query) =>
  page(
    `Results for ${query}`,
    `<p>10 of 48</p>\n<ol>${repeat(10, (at) => `<li><h2><a href="item/${at}">${title(words(2, at))} ${query}</a></h2><p>${title(words(14, at * 3))}. ${at * 12}.50</p></li>`)}</ol>`,
  );
export const item = (at, proof) =>
  page(
    `${title(words(2, at))} lamp`,
    `<p>${proof}</p><p>${title(words(20, at))}.</p><button>Add to basket</button>`,
  );

/** The fields of the long form, by label; the server wants exactly these. */
export const ORDER = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Email: 'ada@example.test',
  Phone: '555 0104',
  Company: 'Analytical Engines',
  Street: 'Quay Street',
  'House number': '12',
  'Postal code': 'NG1 4AB',
  City: 'Oxford',
  Country: 'France',
  Language: 'English',
  'Delivery date': '2026-12-24',
  Boxes: '14',
  Reference: 'AL-1815',
  'Discount code': 'WINTER',
  Size: 'Medium',
  Express: true,
  'Gift wrap': true,
  'Delivery note': 'Leave it at the gate.',
  Remarks: 'Thank you',
};
const CHOICES = { Country: ['Spain', 'Italy', 'France'], Language: ['German', 'English', 'French'] };
const TYPES = { Email: 'email', Phone: 'tel', 'Delivery date': 'date', Boxes: 'number' };

function control(name) {
  if (name === 'Size')
    return `<fieldset><legend>Size</legend>${['Small', 'Medium', 'Large'].map((size) => `<label><input type="radio" name="Size" value="${size}"> ${size}</label>`).join(' ')}</fieldset>`;
  if (CHOICES[name] !== undefined)
    return `<label>${name} <select name="${name}">${CHOICES[name].map((choice) => `<option>${choice}</option>`).join('')}</select></label>`;
  if (ORDER[name] === true) return `<label><input type="checkbox" name="${name}"> ${name}</label>`;
  if (name === 'Remarks') return `<label>${name} <textarea name="${name}"></textarea></label>`;
  return `<label>${name} <input name="${name}" type="${TYPES[name] ?? 'text'}"></label>`;
}
export const form = page(
  'Place an order',
  `<form method="post">${Object.keys(ORDER)
    .map((name) => `<p>${control(name)}</p>`)
    .join('\n')}\n<button>Place order</button></form>`,
);
export const ordered = (proof) => page('Thank you', `<p role="status">${proof}</p>`);

export const table = page(
  'Auction',
  `<table><thead><tr>${['Lot', 'Name', 'Place', 'Price'].map((name) => `<th><button data-sort="${name.toLowerCase()}">${name}</button></th>`).join('')}</tr></thead><tbody></tbody></table>
<p><button id="back">Previous page</button> <span role="status"></span> <button id="next">Next page</button></p>`,
  `let sort = 'lot', at = 1;
const show = async () => {
  const rows = await (await fetch('rows?sort=' + sort + '&page=' + at)).json();
  document.querySelector('tbody').innerHTML = rows.map((row) => '<tr>' + row.map((cell) => '<td>' + cell + '</td>').join('') + '</tr>').join('');
  said('Page ' + at + ' of 10, by ' + sort);
};
for (const button of document.querySelectorAll('[data-sort]')) button.onclick = () => { sort = button.dataset.sort; at = 1; show(); };
next.onclick = () => { at = Math.min(10, at + 1); show(); };
back.onclick = () => { at = Math.max(1, at - 1); show(); };
show();`,
);

const CARDS = ['Order paper', 'Call the printer', 'Fix the pump', 'Write the offer', 'Book a room'];
export const board = page(
  'Board',
  `<div class="board">${['To do', 'Doing', 'Done'].map((name, at) => `<section aria-label="${name}"><h2>${name}</h2>${at === 0 ? CARDS.map((card) => `<div class="card" role="group" aria-label="${card}" draggable="true">${card}</div>`).join('') : ''}</section>`).join('')}</div><p role="status"></p>`,
  `let dragged = null;
for (const card of document.querySelectorAll('.card')) card.ondragstart = (event) => { dragged = card; event.dataTransfer.setData('text/plain', card.textContent); };
for (const column of document.querySelectorAll('section')) {
  column.ondragover = (event) => event.preventDefault();
  column.ondrop = (event) => {
    event.preventDefault();
    column.append(dragged);
    tell('move', event.dataTransfer.getData('text/plain') + ' to ' + column.getAttribute('aria-label'));
  };
}`,
);
export const MOVED = 'Fix the pump to Done';

export const upload = page(
  'Send a document',
  `<p><label>Document <input type="file" id="file"></label></p><button id="send">Send</button><p role="status"></p>`,
  `send.onclick = async () => tell('document', file.files[0] === undefined ? '' : await file.files[0].text());`,
);
export const DOCUMENT = 'The contract of 22 November.\n';

export const widget = page(
  'Desk lamp',
  `<p>${title(words(20, 7))}.</p><basket-picker></basket-picker>`,
  `customElements.define('number-step', class extends HTMLElement {
  connectedCallback() {
    this.value = 1;
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<button>Less</button> <output>1</output> <button>More</button>';
    const [less, more] = root.querySelectorAll('button');
    const show = () => { root.querySelector('output').textContent = this.value; };
    less.onclick = () => { this.value -= 1; show(); };
    more.onclick = () => { this.value += 1; show(); };
  }
});
customElements.define('basket-picker', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<number-step></number-step> <button>Add to basket</button><p role="status"></p>';
    root.querySelector('button').onclick = () => tell('basket', root.querySelector('number-step').value, root);
  }
});`,
);
export const IN_BASKET = '3';

/** @param {string} address of the page below, on another site */
export const pay = (address) =>
  page('Pay', `<p>To pay: 48.50</p><iframe title="Card" src="${address}"></iframe>`);
export const CARD = {
  'Name on card': 'Ada Lovelace',
  'Card number': '4242 4242 4242 4242',
  Expires: '12/29',
};
export const card = `<!doctype html><meta charset="utf-8"><title>Card</title><form>${Object.keys(CARD)
  .map((name) => `<p><label>${name} <input name="${name}"></label></p>`)
  .join('')}<button>Pay now</button></form><p role="status"></p>
<script>${TELL}
document.querySelector('form').onsubmit = (event) => {
  event.preventDefault();
  tell('payment', JSON.stringify(Object.fromEntries(new FormData(event.target))));
};</script>`;

export const feed = page(
  'News',
  // A page that stays at its end by itself would load all of it after one scroll.
  '<style>html,body{overflow-anchor:none}</style><ol></ol><p id="end">Loading…</p>',
  `const list = document.querySelector('ol');
let isLoading = false;
const more = async () => {
  if (isLoading) return;
  isLoading = true;
  const entries = await (await fetch('entries?from=' + (list.children.length + 1))).json();
  for (const entry of entries) list.append(Object.assign(document.createElement('li'), { textContent: entry }));
  isLoading = false;
  if (entries.length === 0) { watch.disconnect(); end.textContent = 'That is all.'; return; }
  watch.unobserve(end);
  watch.observe(end);
};
const watch = new IntersectionObserver(([entry]) => { if (entry.isIntersecting) more(); });
watch.observe(end);`,
);
export const ENTRY = { wanted: 117, batch: 20, all: 160, waitMs: 40 };
export const entry = (at) => `Entry ${at}: ${words(9, at)}`;

export const closing = page(
  'Settings',
  `<p>${title(words(12, 3))}.</p><button id="close">Close account</button><p role="status"></p>`,
  `document.querySelector('#close').onclick = () => { tell('close', prompt('Type the name of the account to close it.') ?? ''); };`,
);
export const ACCOUNT = 'ada-1815';

export const app = page(
  'Dashboard',
  `<p><a href="orders" data-route>Orders</a> <a href="bills" data-route>Bills</a></p><div id="view"><p>${title(words(15, 8))}.</p></div>`,
  `document.addEventListener('click', async (event) => {
  const link = event.target.closest('[data-route]');
  if (link === null) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  document.querySelector('#view').innerHTML = await (await fetch(link.href + '?view')).text();
});`,
);
export const ROUTE_MS = 100;
export const orders = `<h2>Orders</h2><ul>${repeat(12, (at) => `<li><a href="orders-${at}" data-route>Order ${at}</a> ${title(words(3, at))}</li>`)}</ul>`;
export const order = (at, proof) =>
  `<h2>Order ${at}</h2><p>${title(words(6, at))}.</p><p>Sent yesterday. ${proof}</p>`;

export const download = page(
  'Sales',
  `<p>${title(words(12, 5))}.</p><p><a href="export.csv">Export as CSV</a> <a href="#print">Print</a></p>`,
);
