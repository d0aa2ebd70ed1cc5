import { text } from 'node:stream/consumers';
import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';
import { words } from '../lib/pages.mjs';
import * as pages from './pages.mjs';

/**
 * The secret that a run of any flow has to find: a new one each time, known only to the server. The letter
 * distinguishes it from refs and ports.
 */
export const codeOf = (run) => `Q${10_007 + ((run * 7_919) % 89_989)}`;
const WRONG = 'That is not it.';
const LOGGED_IN = 'customer=ada';
const PER_PAGE = 20;

const html = (response, body) => sendHtml(response, body);
const plain = (response, body) => response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
const json = (response, body) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const after = (ms, send) => void setTimeout(send, ms);

/** Whether the fields of a form are those of `wanted`. */
function isForm(body, wanted) {
  const sent = new URLSearchParams(body);
  return Object.entries(wanted).every(
    ([name, value]) => sent.get(name)?.trim() === (value === true ? 'on' : value),
  );
}
function isJson(body, wanted) {
  const sent = JSON.parse(body);
  return Object.entries(wanted).every(([name, value]) => sent[name] === value);
}

/** A page of the table. The lot of the first row of the wanted one is the code. */
function rows(query, code) {
  const at = Number(query.get('page'));
  const sort = query.get('sort');
  return Array.from({ length: PER_PAGE }, (_, row) => {
    const nth = (at - 1) * PER_PAGE + row + 1;
    const isWanted = sort === 'price' && at === 3 && row === 0;
    const lot = isWanted ? code : `${sort.length}0${nth}`;
    return [`Lot ${lot}`, words(2, nth + sort.length), words(1, nth), `${nth * 3}.00`];
  });
}

function entries(query, code) {
  const from = Number(query.get('from'));
  const count = Math.max(0, Math.min(pages.ENTRY.batch, pages.ENTRY.all - from + 1));
  return Array.from({ length: count }, (_, at) => {
    const nth = from + at;
    return nth === pages.ENTRY.wanted ? `${pages.entry(nth)}, ticket ${code}` : pages.entry(nth);
  });
}

/**
 * Responses by path behind the run's number.
 * @typedef {{ request: object, response: object, query: URLSearchParams, code: string, other: string }} Visit
 * @type {Record<string, (visit: Visit) => void>}
 */
const GET = {
  login: ({ response }) => html(response, pages.login(false)),
  account: ({ request, response, code }) => {
    if (request.headers.cookie?.includes(LOGGED_IN) !== true)
      response.writeHead(303, { location: 'login' }).end();
    else html(response, pages.account(`Customer number ${code}`));
  },
  search: ({ response }) => html(response, pages.search),
  results: ({ response, query }) => html(response, pages.results(query.get('q'))),
  form: ({ response }) => html(response, pages.form),
  table: ({ response }) => html(response, pages.table),
  rows: ({ response, query, code }) => json(response, rows(query, code)),
  board: ({ response }) => html(response, pages.board),
  upload: ({ response }) => html(response, pages.upload),
  widget: ({ response }) => html(response, pages.widget),
  pay: ({ response, other }) => html(response, pages.pay(other)),
  card: ({ response }) => html(response, pages.card),
  feed: ({ response }) => html(response, pages.feed),
  entries: ({ response, query, code }) =>
    after(pages.ENTRY.waitMs, () => json(response, entries(query, code))),
  closing: ({ response }) => html(response, pages.closing),
  app: ({ response }) => html(response, pages.app),
  orders: ({ response }) => after(pages.ROUTE_MS, () => html(response, pages.orders)),
  download: ({ response }) => html(response, pages.download),
  'export.csv': ({ response, code }) =>
    response
      .writeHead(200, {
        'content-type': 'text/csv',
        'content-disposition': `attachment; filename="sales-${code}.csv"`,
      })
      .end('month,sales\nJanuary,48\nFebruary,31\n'),
};

const isText = (wanted) => (body) => body === wanted;
/** Expected reports of the pages, and how the answer begins then. */
const TOLD = {
  move: [isText(pages.MOVED), 'Moved, number'],
  document: [isText(pages.DOCUMENT), 'Stored, number'],
  basket: [isText(pages.IN_BASKET), 'Basket'],
  payment: [(body) => isJson(body, pages.CARD), 'Paid, receipt'],
  close: [isText(pages.ACCOUNT), 'Closed, reference'],
};

function post({ response, run, name, body, code }) {
  if (name === 'login') {
    if (!isForm(body, pages.PERSON)) return html(response, pages.login(true));
    response.setHeader('set-cookie', `${LOGGED_IN}; Path=/${run}`);
    return response.writeHead(303, { location: 'account' }).end();
  }
  if (name === 'form')
    return html(response, pages.ordered(isForm(body, pages.ORDER) ? `Order ${code} received` : WRONG));
  const [isRight, beginning] = TOLD[name] ?? [() => false];
  return plain(response, isRight(body) ? `${beginning} ${code}` : WRONG);
}

/** Pages whose names hold a number. */
function numbered({ response, name, code }) {
  const [, kind, at] = /^(item\/|orders-)(\d+)$/.exec(name) ?? [];
  const nth = Number(at);
  if (kind === 'item/') html(response, pages.item(nth, `Stock number ${nth === 3 ? code : nth}`));
  else if (kind === 'orders-')
    after(pages.ROUTE_MS, () => html(response, pages.order(nth, nth === 7 ? `Tracking number ${code}` : '')));
  else html(response, undefined);
}

/**
 * Serves the flows on loopback.
 * @returns {Promise<{ url: (run: number, name: string) => string, close: () => Promise<void> }>}
 */
export async function serveFlows() {
  const site = await serveOnLoopback(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url, 'http://localhost');
    const [, run, name] = /^\/(\d+)\/(.+)$/.exec(pathname) ?? [];
    const code = codeOf(Number(run));
    if (request.method === 'POST') return post({ response, run, name, body: await text(request), code });
    // Browsers resolve every name that ends in localhost to loopback, and give this one's frame a process of its own.
    const other = `http://pay.localhost:${site.port}/${run}/card`;
    const answer = GET[name];
    if (answer === undefined) return numbered({ response, name: name ?? '', code });
    return answer({ request, response, query, code, other });
  });
  return { url: (run, name) => `${site.origin}/${run}/${name}`, close: site.close };
}
