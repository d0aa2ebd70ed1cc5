import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveEvil, type EvilServer } from '../../../fixtures/evil.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { CrawlRig } from '../e2e/rig.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { withGrowingDeadline } from '../../support/growing-deadline.ts';
import { answerAt } from '../../support/file-site.ts';

const DEEP = 100_000;
const WIDE = 20_000;

const count = (times: number, make: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => make(index)).join('');

/** Each is read, or ended by its deadline. */
const BOMBS: Readonly<Record<string, () => string>> = {
  'nested tables': () => '<table><tr><td>'.repeat(DEEP),
  'bold of different kinds': () => count(DEEP, (index) => `<b id=b${index}>`),
  'formatting of paragraphs': () => `${count(DEEP, (index) => `<i id=i${index}>`)}${'<p>x'.repeat(DEEP)}`,
  templates: () => '<template>'.repeat(DEEP),
  'shadow trees': () => '<div><template shadowrootmode=open>'.repeat(DEEP),
  'stray end tags': () => `${'<div>'.repeat(DEEP)}${'</p>'.repeat(DEEP)}`,
  'XML elements': () => `<?xml version="1.0"?>${'<a>'.repeat(DEEP)}${'</a>'.repeat(DEEP)}`,
  attributes: () => `<p ${count(WIDE, (index) => `a${index}=1 `)}>x</p>`,
  'a long attribute': () => `<p title="${'x'.repeat(5_000_000)}">x</p>`,
  'body tags': () => count(2_000, (index) => `<body a${index}=1>`),
  'html tags': () => count(2_000, (index) => `<html a${index}=1>`),
  'misnested formatting': () => '<b><i><u><p></b></i></u>'.repeat(WIDE / 10),
  'content next to a table': () => `<table>${'x<b>'.repeat(900)}</table>`,
  cells: () => `<table>${'<tr><td colspan=1000 rowspan=65534>x'.repeat(WIDE / 10)}`,
  options: () => `<select>${'<option>x'.repeat(WIDE)}`,
  comments: () => '<!-- x -->'.repeat(WIDE),
  'comments that do not end': () => '<!--'.repeat(WIDE),
  'scripts in comments': () => `<script>${'<!--<script>'.repeat(WIDE)}`,
  entities: () => '&amp;&notit;&#x110000;'.repeat(WIDE),
  'less-than signs': () => '<'.repeat(WIDE),
  'one long word': () => `<p>${'w'.repeat(1_000_000)}`,
  'an unfinished tag': () => `<div ${'a="'.repeat(WIDE)}`,
};

/** The parser of any browser merges the attributes of each further body into the first: minutes. */
const endless = (): string => count(60_000, (index) => `<body a${index}=1>`);
const good = (name: string): string => `<title>${name}</title><p>The good page ${name}.</p>`;

/** A site of all bombs, by name, with good pages at all other names. */
const bombs = await answerAt((request, response) => {
  const name = decodeURIComponent((request.url ?? '/').slice(1));
  const xml = name.startsWith('XML') ? 'application/xml' : 'text/html; charset=utf-8';
  response.setHeader('content-type', xml);
  response.end(name === 'endless' ? endless() : (BOMBS[name]?.() ?? good(name)));
});

let rig: CrawlRig;
let evil: EvilServer;

beforeAll(async () => ([rig, evil] = await Promise.all([CrawlRig.start(), serveEvil()])));

afterAll(() => evil.close());

const at = (path: string): string => `http://evil.test:${evil.port}${path}`;
const RUSSIAN = 'Съешь ещё этих мягких французских булок';

it.each([
  ['nothing listens', () => 'http://127.0.0.1:2/', 'host_unreachable', 'net::ERR_CONNECTION_REFUSED'],
  ['no such host', () => 'http://nowhere.invalid/', 'dns_failed', 'net::ERR_NAME_NOT_RESOLVED'],
  [
    'a certificate of its own',
    () => `https://evil.test:${evil.tlsPort}/plain`,
    'tls_failed',
    'net::ERR_CERT_',
  ],
  ['redirects without an end', () => at('/loop'), 'redirect_loop', 'net::ERR_TOO_MANY_REDIRECTS'],
  [
    'ten megabytes of headers',
    () => at('/headers'),
    'headers_too_large',
    'net::ERR_RESPONSE_HEADERS_TOO_BIG',
  ],
  ['a connection that is cut', () => at('/drop'), 'navigation_failed', 'net::ERR_EMPTY_RESPONSE'],
])('the error of a fetched page %s', async (_name, url, code, netError) => {
  const { result, lines } = await rig.page(url());
  expect(result.error?.code).toBe(code);
  expect(result.error?.message).toContain(netError);
  const status = code === 'redirect_loop' ? 302 : null;
  expect({ status: result.status, lines }).toEqual({ status, lines: [] });
});

it('the error of a fetched page distinguishes concurrent failures of the same address', async () => {
  const urls = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? at('/drop') : at('/plain')));
  const pages = await Promise.all(urls.map((url) => rig.page(url)));
  expect(pages.map(({ result }) => result.error?.code ?? null)).toEqual(
    urls.map((url) => (url === at('/drop') ? 'navigation_failed' : null)),
  );
});

it('the error of a fetched page that never answers: the time is over', async () => {
  const { result } = await rig.page(at('/silent'), { timeout_ms: 400 });
  expect(result).toMatchObject({ status: null, error: { code: 'response_timeout' } });
});

it('the readable part of an incomplete page: an endless one, at its deadline', async () => {
  const { result, text } = await withGrowingDeadline(
    (timeoutMs) => rig.page(at('/drip'), { timeout_ms: timeoutMs }),
    (page) => page.text.includes('drip'),
  );
  expect(result).toMatchObject({ status: 200, error: { code: 'response_timeout' } });
  expect(text).toContain('The beginning.');
  expect(text).toContain('drip');
});

it('the readable part of an incomplete page: one of 200 MB, at its limit', async () => {
  const { result, text } = await rig.page(at('/huge'), { max_bytes: 1_000_000 });
  expect(result).toMatchObject({
    status: 200,
    error: { code: 'response_too_large' },
    timing: { size_bytes: 1_000_000 },
  });
  expect(text).toContain('The beginning.');
  expect(text.length).toBeGreaterThan(500_000);
});

it('the readable part of an incomplete page: a compressed one that explodes, counted as it unpacks', async () => {
  const { result, text } = await rig.page(at('/gzip-bomb'), { max_bytes: 2_000_000 });
  expect(result.error?.code).toBe('response_too_large');
  expect(result.timing.size_bytes).toBe(2_000_000);
  expect(text).toContain('The beginning.');
});

it('the readable part of an incomplete page: one whose connection broke', async () => {
  const { result, text } = await withGrowingDeadline(
    (breakMs) => rig.page(at(`/truncated?ms=${breakMs}`)),
    (page) => page.text !== '',
  );
  expect(result).toMatchObject({ status: 200, error: { code: 'navigation_failed' } });
  expect(result.error?.message).toMatch(/was cut off after [1-9]\d* bytes with net::ERR_/);
  expect(text).toContain('The beginning.');
});

it.each(['/html-download', '/pdf', '/endless-file'])(
  'documents that are not pages %s, whose body is not read',
  async (path) => {
    const { result, lines } = await rig.page(at(path));
    expect(result).toMatchObject({ status: 200, error: { code: 'not_a_page' }, timing: { size_bytes: 0 } });
    expect(lines).toEqual([]);
  },
);

it.each([
  ['/charset/header', RUSSIAN],
  ['/charset/meta', RUSSIAN],
  ['/charset/unknown', RUSSIAN],
  ['/charset/invalid', 'caf\ufffd!'],
])('the encoding of %s', async (path, expected) => {
  const { text } = await rig.page(at(path), { format: 'text' });
  expect(text).toBe(`${expected}\n`);
});

it('cancels a page: the connection goes, and the next page is fetched', async () => {
  const { id, page } = rig.begin({ url: at('/drip'), timeout_ms: 200_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.open).toContain('/drip');
  rig.port.cancel(id);
  await expect(page).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => evil.open).toEqual([]);
  expect((await rig.page(at('/plain'))).text).toContain('A plain page.');
});

itDeep(
  'a rendered page fails as a file, as a script that never ends, and as a tab that crashed',
  async () => {
    expect((await rig.page(at('/download'), { render: 'always' })).result.error?.code).toBe('not_a_page');
    const { result } = await rig.page(at('/hang'), { render: 'always', timeout_ms: 1_500 });
    expect(['response_timeout', 'page_unresponsive']).toContain(result.error?.code);
    const { page } = rig.begin({ url: at('/drip'), render: 'always', timeout_ms: 200_000 });
    const pages = () => rig.browser.devtools.contexts().flatMap((context) => context.pages());
    await expect.poll(() => pages().map((other) => other.url())).toContain(at('/drip'));
    const crawled = pages().find((other) => other.url() === at('/drip'));
    const session = await crawled?.context().newCDPSession(crawled);
    session?.send('Page.crash').catch(() => undefined);
    expect((await page).result.error?.code).toBe('page_crashed');
    expect((await rig.page(at('/plain'), { render: 'always' })).text).toContain('A plain page.');
  },
);

const read = (name: string, more: Parameters<CrawlRig['page']>[1] = {}) =>
  rig.page(`http://bombs.test:${bombs}/${encodeURIComponent(name)}`, { timeout_ms: 200_000, ...more });

it.each(sample(Object.keys(BOMBS), 99, 11))(
  'a fetched page that is deep or large is read, or too complex: %s',
  async (name) => {
    const { result } = await read(name);
    expect([null, 'page_too_complex']).toContain(result.error?.code ?? null);
    expect((await read('next')).text).toContain('The good page next.');
  },
);

itDeep('aborts a page that hangs the parser, and reads the others', async () => {
  const names = ['before', 'endless', 'between', 'after'];
  const pages = await Promise.all(names.map((name) => read(name)));
  expect(pages.map(({ result }) => result.error?.code ?? null)).toEqual([
    null,
    'page_too_complex',
    null,
    null,
  ]);
  for (const [at, name] of names.entries())
    if (pages[at]?.result.error === null) expect(pages[at].text).toContain(`The good page ${name}.`);
  expect((await read('next')).text).toContain('The good page next.');
});

async function end(type: string, path: string): Promise<void> {
  const session = await rig.browser.devtools.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const url = `chrome-extension://${EXTENSION_ID}/${path}`;
  const target = targetInfos.find((found) => found.type === type && found.url === url);
  if (target === undefined) throw new Error(`There is no ${path}.`);
  await session.send('Target.closeTarget', { targetId: target.targetId });
  await session.detach();
}

it('the offscreen document goes: its pages fail, the next one is read', async () => {
  const { page } = rig.begin({ url: at('/drip'), timeout_ms: 200_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.open).toContain('/drip');
  await end('background_page', 'core/offscreen/offscreen.html');
  await expect(page).rejects.toMatchObject({ code: 'page_crashed' });
  expect((await rig.page(at('/plain'))).text).toContain('A plain page.');
});

it('the worker goes: the next one closes the tabs of its crawls, and no other', async () => {
  await rig.port.call('crawl.release', { crawl: 'test-crawl' });
  const before = (await rig.port.call('tabs.list', {})).tabs.map(({ id }) => id);
  await Promise.all([1, 2, 3].map(() => rig.page(at('/plain'), { render: 'always' })));
  const { page } = rig.begin({ url: at('/drip'), render: 'always', timeout_ms: 200_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.open).toContain('/drip');
  expect((await rig.port.call('tabs.list', {})).tabs.length).toBeGreaterThan(before.length);
  await end('service_worker', 'worker.js');
  const port = await rig.host.port(2);
  port.open(1);
  await expect.poll(async () => (await port.call('tabs.list', {})).tabs.map(({ id }) => id)).toEqual(before);
  await expect.poll(() => evil.open).toEqual([]);
});
