import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { file, redirect, serveFiles, type FileSite } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

/*
 * Where a crawl can be led: by redirects, scripts, forms and frames, to this machine, to other sites, and to addresses
 * that robots.txt disallows. Names below `.test` resolve to loopback, so that a site has a public name.
 */

const SECRET = 'SECRET of this machine';
const OUTSIDE = 'OUTSIDE of the crawl';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (body: string, head = ''): ReturnType<typeof file> =>
  file(`<!doctype html><html><head><title>T</title>${head}</head><body>${body}</body></html>`, HTML);

type Item = { readonly url: string; readonly markdown?: string; readonly error?: { readonly code: string } };

const { ok } = await launched();

let inner: FileSite;
let site: FileSite;
let asked: string[] = [];

const LEADING = ['by-address', 'by-name', 'script', 'form', 'meta'];
const REFUSED = [...LEADING, 'elsewhere', 'by-robots', 'others-robots'];

beforeAll(async () => {
  const secret: ReturnType<typeof file> = (response, request) => {
    asked.push(request.url ?? '');
    page(`<p>${SECRET}</p>`)(response, request);
  };
  inner = await serveFiles({ '/secret': secret, '/robots.txt': secret, '/sitemap.xml': secret });
  const to = (host: string): string => inner.url('/secret', host);
  const elsewhere =
    (path: string, host: string): ReturnType<typeof file> =>
    (response, request) =>
      redirect(site.url(path, host))(response, request);
  site = await serveFiles({
    '/': page(
      ['ok', ...REFUSED, 'framed', 'stays'].map((name) => `<a href="/${name}">${name}</a>`).join(' '),
    ),
    '/ok': page('<p>An ordinary page.</p>'),
    '/stays': redirect('/ok?stays'),
    '/by-address': redirect(to('127.0.0.1')),
    '/by-name': redirect(to('localhost')),
    '/elsewhere': elsewhere('/outside', 'other.test'),
    '/outside': page(`<p>${OUTSIDE}</p>`),
    '/by-robots': redirect('/private/page'),
    '/others-robots': elsewhere('/private/page', 'sub.public.test'),
    '/private/page': page(`<p>${OUTSIDE}</p>`),
    '/robots.txt': file('User-agent: *\nDisallow: /private/', { 'content-type': 'text/plain' }),
    '/script': page(`<p>Moves.</p><script>location.href = '${to('127.0.0.1')}';</script>`),
    '/form': page(
      `<form method="post" action="${to('127.0.0.1')}"></form><script>document.forms[0].submit();</script>`,
    ),
    '/meta': page('<p>Moves.</p>', `<meta http-equiv="refresh" content="0;url=${to('127.0.0.1')}">`),
    '/framed': page(`<p>A page with a frame.</p><iframe src="${to('127.0.0.1')}"></iframe>`),
    '/sitemap.xml': file(
      `<sitemapindex><sitemap><loc>${inner.url('/sitemap.xml')}</loc></sitemap><sitemap><loc>http://public.test/</loc></sitemap></sitemapindex>`,
      { 'content-type': 'application/xml' },
    ),
  });
});
beforeEach(() => void (asked = []));

async function crawl(args: Record<string, unknown>): Promise<ReadonlyMap<string, Item>> {
  const answer = await ok('crawl', { delay_ms: 0, output_mode: 'inline', ...args });
  return new Map(answer.json<readonly Item[]>().map((item) => [new URL(item.url).pathname.slice(1), item]));
}

describe.each(sample(['always', 'auto', 'never'], 2))('a crawl of a public site, render %s', (render) => {
  it('is led neither into this machine nor out of its scope', async () => {
    const items = await crawl({ url: site.url('/', 'public.test'), scope: 'host', render });
    expect(JSON.stringify([...items.values()])).not.toMatch(new RegExp(`${SECRET}|${OUTSIDE}`));
    expect(asked).toEqual([]);
    const follows = render === 'always' ? LEADING : ['by-address', 'by-name'];
    for (const name of [...follows, 'elsewhere'])
      expect(items.get(name), name).toMatchObject({ error: { code: 'redirect_refused' } });
    for (const name of ['by-robots', 'others-robots'])
      expect(items.get(name), name).toMatchObject({ error: { code: 'robots_disallowed' } });
    expect(items.get('ok')?.markdown).toContain('An ordinary page.');
    expect(items.get('stays')?.error).toBeUndefined();
    expect(items.get('framed')?.markdown).toContain('A page with a frame.');
  });

  it('reads what it is led to where it started there', async () => {
    const items = await crawl({ urls: [site.url('/by-address', '127.0.0.1')], render });
    expect(items.get('by-address')?.markdown).toContain(SECRET);
  });
});

it('a sitemap of another host is not read', async () => {
  await ok('crawl', { sitemap: site.url('/sitemap.xml', 'public.test') });
  expect(asked).toEqual([]);
});
