import { file, serveFiles, type FileSite } from '../../tests/support/file-site.ts';

/* A small shop with a manual: what agents read, fill in, crawl and record for the gallery of faces. */

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"><style>
  body{font:16px/1.5 Georgia,serif;margin:0 auto;max-width:46rem;padding:24px;color:#1d2733;background:#fbf8f2}
  nav a{margin-right:14px;color:#7a4a12} table{border-collapse:collapse;width:100%} td,th{padding:6px 10px;border-bottom:1px solid #ddd2bf;text-align:left}
  h1{color:#7a4a12}</style></head><body><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/docs/">Manual</a></nav><main>${body}</main></body></html>`;

const STONES = [
  ['Bed stone, granite', 'ST-100', 480, 'in stock'],
  ['Runner stone, granite', 'ST-101', 510, 'in stock'],
  ['Bed stone, basalt', 'ST-200', 350, '3 weeks'],
  ['Sail cloth, 12 m', 'SA-012', 129.5, 'in stock'],
  ['Brake rope', 'RO-001', 39, 'sold out'],
  ['Grease, 5 kg', 'GR-005', 24.9, 'in stock'],
] as const;

const MANUAL: Readonly<Record<string, string>> = {
  sails: 'Set the sails to the wind before you release the brake.',
  stones: 'Dress the stones after every hundred hours of milling.',
  brake: 'Never leave the mill with the brake open.',
};

const HOME = page(
  'The Mill',
  `<h1>The Mill</h1><p>Parts and advice for <strong>windmills</strong> since 1784.</p>
  <h2>Opening hours</h2><ul><li>Monday to Friday: 8 to 17</li><li>Saturday: 9 to 12</li></ul>
  <form action="/thanks"><label>Name <input name="name"></label> <label>Email <input name="email" type="email"></label>
  <label><input type="checkbox" name="news"> Send me news</label> <button>Subscribe</button></form>
  <p><a href="/gone">Old price list</a></p>
  <button onclick="prompt('Which stone do you want?','Granite')">Order by name</button>
  <button id="more" onclick="load()">Load offers</button><p id="offers"></p>
  <script>console.warn('The price list is from 2019.');console.error('offers.js: no offers were loaded');
  async function load(){const a=await fetch('/api/offers?page=1');const b=await fetch('/api/basket',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({sku:'ST-100',count:2})});await fetch('/api/broken');document.querySelector('#offers').textContent=(await a.json()).length+' offers, '+(await b.json()).total}</script>`,
);

const SHOP = page(
  'Shop',
  `<h1>Shop</h1><table><tr><th>Name</th><th>Number</th><th>Price</th><th>Stock</th></tr>${STONES.map(
    ([name, number, price, stock]) =>
      `<tr><td>${name}</td><td>${number}</td><td>€ ${price.toFixed(2)}</td><td>${stock}</td></tr>`,
  ).join('')}</table>`,
);

const manual = (name: string, text: string): string =>
  page(`Manual: ${name}`, `<h1>${name}</h1><p>${text}</p><p><a href="/docs/">All pages</a></p>`);

const html = (body: string, status = 200) =>
  file(body, { 'content-type': 'text/html; charset=utf-8' }, status);
const json = (body: unknown, status = 200) =>
  file(JSON.stringify(body), { 'content-type': 'application/json', 'cache-control': 'no-store' }, status);
const topics = [...Object.keys(MANUAL), 'ropes'].map(
  (name) => `<li><a href="/docs/${name}">${name}</a></li>`,
);
const prices = STONES.map(([name, number, price]) => `"${name}",${number},${price}\n`);

/** Serves the shop on loopback. */
export const serveMill = (): Promise<FileSite> =>
  serveFiles({
    '/': html(HOME),
    '/shop': html(SHOP),
    '/thanks': html(page('Thank you', '<h1>Thank you</h1><p>You will hear from us.</p>')),
    '/docs/': html(page('Manual', `<h1>Manual</h1><ul>${topics.join('')}</ul>`)),
    ...Object.fromEntries(
      Object.entries(MANUAL).map(([name, text]) => [`/docs/${name}`, html(manual(name, text))]),
    ),
    '/api/offers': json(STONES.slice(0, 3).map(([name, sku, price]) => ({ name, sku, price }))),
    '/api/basket': json({ total: '€ 960.00', items: 2 }, 201),
    '/api/broken': json({ error: 'The stock is being counted.' }, 503),
    '/prices.csv': file(`name,number,price\n${prices.join('')}`, { 'content-type': 'text/csv' }),
  });
