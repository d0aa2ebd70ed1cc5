import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveEvil, type EvilServer } from '../../fixtures/evil.ts';
import { CrawlRig } from '../e2e/crawl-page/rig.ts';
import { withGrowingDeadline } from '../support/growing-deadline.ts';

let rig: CrawlRig;
let evil: EvilServer;

beforeAll(async () => {
  [rig, evil] = await Promise.all([CrawlRig.start(), serveEvil()]);
});

afterAll(async () => {
  await rig.close();
  await evil.close();
});

const at = (path: string): string => `http://evil.test:${evil.port}${path}`;
const RUSSIAN = 'Съешь ещё этих мягких французских булок';

describe('what a fetched page fails with', () => {
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
  ])('%s', async (_name, url, code, netError) => {
    const { result, lines } = await rig.page(url());
    expect(result.error?.code).toBe(code);
    expect(result.error?.message).toContain(netError);
    const status = code === 'redirect_loop' ? 302 : null;
    expect({ status: result.status, lines }).toEqual({ status, lines: [] });
  });

  it('names the hops of a loop, and where it stopped', async () => {
    const { result } = await rig.page(at('/loop'));
    expect(result.redirects.length).toBeGreaterThan(5);
    expect(result.redirects[0]).toEqual({ url: at('/loop'), status: 302 });
    expect(result.final_url).toBe(at('/loop?again'));
  });

  it('distinguishes concurrent failures of the same address', async () => {
    const urls = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? at('/drop') : at('/plain')));
    const pages = await Promise.all(urls.map((url) => rig.page(url)));
    expect(pages.map(({ result }) => result.error?.code ?? null)).toEqual(
      urls.map((url) => (url === at('/drop') ? 'navigation_failed' : null)),
    );
  });

  it('never answers: the time is over', async () => {
    const { result } = await rig.page(at('/silent'), { timeout_ms: 400 });
    expect(result).toMatchObject({ status: null, error: { code: 'response_timeout' } });
  });
});

describe('what is kept of a page that is not whole', () => {
  it('an endless one, at its deadline', async () => {
    const { result, text } = await withGrowingDeadline(
      (timeoutMs) => rig.page(at('/drip'), { timeout_ms: timeoutMs }),
      (page) => page.text.includes('drip'),
    );
    expect(result).toMatchObject({ status: 200, error: { code: 'response_timeout' } });
    expect(text).toContain('The beginning.');
    expect(text).toContain('drip');
  });

  it('one of 200 MB, at its limit', async () => {
    const { result, text } = await rig.page(at('/huge'), { max_bytes: 1_000_000 });
    expect(result).toMatchObject({
      status: 200,
      error: { code: 'response_too_large' },
      timing: { size_bytes: 1_000_000 },
    });
    expect(text).toContain('The beginning.');
    expect(text.length).toBeGreaterThan(500_000);
  });

  it('a compressed one that explodes, counted as it unpacks', async () => {
    const { result, text } = await rig.page(at('/gzip-bomb'), { max_bytes: 2_000_000 });
    expect(result.error?.code).toBe('response_too_large');
    expect(result.timing.size_bytes).toBe(2_000_000);
    expect(text).toContain('The beginning.');
  });

  it('one whose connection broke', async () => {
    const { result, text } = await withGrowingDeadline(
      (breakMs) => rig.page(at(`/truncated?ms=${breakMs}`)),
      (page) => page.text !== '',
    );
    expect(result).toMatchObject({ status: 200, error: { code: 'navigation_failed' } });
    expect(result.error?.message).toMatch(/was cut off after [1-9]\d* bytes with net::ERR_/);
    expect(text).toContain('The beginning.');
  });
});

describe('documents that are not pages', () => {
  it.each(['/download', '/html-download', '/file.bin', '/pdf', '/picture', '/json', '/endless-file'])(
    '%s, whose body is not read',
    async (path) => {
      const { result, lines } = await rig.page(at(path));
      expect(result).toMatchObject({ status: 200, error: { code: 'not_a_page' }, timing: { size_bytes: 0 } });
      expect(lines).toEqual([]);
    },
  );
});

describe('the encoding', () => {
  it.each([
    ['/charset/header', RUSSIAN],
    ['/charset/meta', RUSSIAN],
    ['/charset/bom', RUSSIAN],
    ['/charset/none', RUSSIAN],
    ['/charset/unknown', RUSSIAN],
    ['/charset/invalid', 'caf\ufffd!'],
  ])('of %s', async (path, expected) => {
    const { text } = await rig.page(at(path), { format: 'text' });
    expect(text).toBe(`${expected}\n`);
  });

  it('is believed when it is wrong, as in a tab', async () => {
    const fetched = await rig.page(at('/charset/wrong'), { format: 'text' });
    const rendered = await rig.page(at('/charset/wrong'), { format: 'text', render: 'always' });
    expect(fetched.text).not.toContain(RUSSIAN);
    expect(fetched.text).toBe(rendered.text);
  });
});

it('cancels a page: the connection goes, and the next page is fetched', async () => {
  const { id, page } = rig.begin({ url: at('/drip'), timeout_ms: 30_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.asked.filter((path) => path === '/drip').length).toBeGreaterThan(0);
  rig.port.cancel(id);
  await expect(page).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => evil.open).toEqual([]);
  expect((await rig.page(at('/plain'))).text).toContain('A plain page.');
});
