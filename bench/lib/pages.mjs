import { sendHtml, serveOnLoopback } from './loopback.mjs';

/*
 * Pages that are the same on every machine and in every run: what a server answers for them can be
 * compared by its tokens. No picture, no script, no request beyond the page.
 */

const WORDS =
  'river stone water market letter garden silver paper glass window light field engine forest signal bridge sound board winter house'.split(
    ' ',
  );

/** Words picked by position alone, spread by the golden ratio's bits. */
export function words(count, seed) {
  const pick = (at) => WORDS[(Math.imul(seed * 101 + at + 1, 0x9e37_79b1) >>> 8) % WORDS.length];
  return Array.from({ length: count }, (_, at) => pick(at)).join(' ');
}

const sentence = (count, seed) => {
  const text = words(count, seed);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
};

const document = (title, body, head = '') =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body>\n${body}\n</body>\n</html>\n`;

const repeat = (count, write) => Array.from({ length: count }, (_, at) => write(at + 1)).join('\n');

function smallPage() {
  const places = ['Home', 'Books', 'Events', 'Rooms', 'Maps', 'Prices', 'News', 'Shop', 'About us'];
  const links = places.map((place, at) => `<li><a href="/place/${at}">${place}</a></li>`).join('\n');
  return document(
    'Reading room',
    `<nav aria-label="Main"><ul>\n${links}\n</ul></nav>
<main>
<h1>Reading room</h1>
<p>The room opens at nine and closes at six. Bring your card and a pencil.</p>
<form action="/book" method="post">
<label>Name <input type="text" name="name"></label>
<label>Email <input type="email" name="email"></label>
<label>Phone <input type="tel" name="phone"></label>
<label>Seat <select name="seat"><option>Window</option><option>Aisle</option></select></label>
<label>Remarks <textarea name="remarks"></textarea></label>
<label><input type="checkbox" name="news"> Send me news</label>
<button type="submit">Book a seat</button>
</form>
<p>Questions? <a href="/contact">Write to us</a>.</p>
</main>`,
  );
}

export function article() {
  const part = (at) =>
    `<h2>Part ${at}: ${words(3, at)}</h2>\n<p>${[0, 1, 2, 3, 4].map((nth) => sentence(20, at * 5 + nth)).join(' ')}</p>`;
  return document(
    'A long read',
    `<article>\n<h1>A long read</h1>\n<p>${sentence(24, 5)}</p>\n${repeat(60, part)}\n</article>`,
  );
}

export function stock() {
  const row = (at) =>
    `<tr><td>${at}</td><td>Item ${at}</td><td>${words(3, at)}</td><td>${(at * 37) % 1000}.50 EUR</td></tr>`;
  return document(
    'Stock',
    `<h1>Stock</h1>
<table><thead><tr><th>No</th><th>Name</th><th>Place</th><th>Price</th></tr></thead><tbody>
${repeat(2_000, row)}
</tbody></table>`,
  );
}

function sections(head = '') {
  const section = (at) =>
    `<section><h2>Section ${at}</h2><p>${sentence(16, at)}</p><a href="/sections/${at}">more</a></section>`;
  return document(
    'Ten thousand sections',
    `<h1>Ten thousand sections</h1>\n${repeat(10_000, section)}`,
    head,
  );
}

/** Layers, variables, utilities, components, icons, and states. */
function siteSheet() {
  const utility = (at) =>
    `.m-${at}{margin:${at % 64}px}.o-${at}:hover{opacity:.${at % 10}}.w-${at}{width:calc(${at % 100}% - var(--gap))}`;
  const component = (at) =>
    `.card-${at}{position:relative;overflow:hidden;background:var(--paper)}.card-${at}>.title::before{content:"";position:absolute;inset:0}.card-${at}:is(:focus-within,:hover) .more{transform:translateY(-${at % 8}px);visibility:visible}@media (max-width:${300 + (at % 900)}px){.card-${at}{display:grid}}`;
  return `@layer reset,base,parts,utilities;
:root{--ink:#1d2433;--paper:#fff;--link:#0b57d0;--gap:12px}
@layer reset{*,::before,::after{box-sizing:border-box;border:0 solid}body{margin:0}}
@layer base{body{color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,sans-serif}a{color:var(--link);text-decoration:none}h2{font-size:1.25rem}section{padding:var(--gap)}code{font-family:ui-monospace,monospace;white-space:pre}.sr-only{position:absolute;width:1px;height:1px;clip:rect(0,0,0,0);overflow:hidden}}
@layer parts{${repeat(500, component)}}
@layer utilities{${repeat(700, utility)}}
.icon::before{font-family:icons;content:"\\e001"}.fade{animation:fade 1s}@keyframes fade{from{opacity:0}}
`;
}

/** The sheets are the site's own, and one of another origin, whose rules cannot be read. */
const styled = (address) =>
  sections(
    `<link rel="stylesheet" href="/site.css"><link rel="stylesheet" href="${address.replace('127.0.0.1', 'localhost')}/fonts.css">`,
  );

/**
 * `last` occurs only at the page's end: a result without it was cut.
 * @type {readonly { name: string, title: string, last: string, html: () => string }[]}
 */
export const PAGES = [
  { name: 'small', title: 'small page', last: 'Write to us', html: smallPage },
  { name: 'article', title: 'article, 60 parts', last: 'Part 60', html: article },
  { name: 'table', title: 'table, 2,000 rows', last: 'Item 2000', html: stock },
  { name: 'sections', title: '10,000 sections', last: 'Section 10000', html: sections },
];

/** The sections as a site would serve them; only the walk is measured on it. */
export const STYLED = { name: 'styled', title: '10,000 sections with the style sheets of a site' };
const SHEETS = { '/site.css': siteSheet(), '/fonts.css': '@font-face{font-family:icons;src:local("Icons")}' };

/**
 * Serves the pages on loopback.
 * @returns {Promise<{ url: (name: string) => string, close: () => Promise<void> }>}
 */
export async function servePages() {
  const bodies = new Map(PAGES.map(({ name, html }) => [`/${name}`, Buffer.from(html())]));
  const site = await serveOnLoopback((request, response) => {
    const css = SHEETS[request.url ?? ''];
    if (css !== undefined) response.writeHead(200, { 'content-type': 'text/css' }).end(css);
    else if (request.url === `/${STYLED.name}`) sendHtml(response, styled(site.origin));
    else sendHtml(response, bodies.get(request.url ?? ''));
  });
  return { url: (name) => `${site.origin}/${name}`, close: site.close };
}
