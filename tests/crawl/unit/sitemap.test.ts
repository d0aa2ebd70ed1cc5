import { expect, test } from 'vitest';
import { readSitemap, type SitemapPage } from '../../../server/crawl/seed.ts';
import { GraphSource, SITE } from './graph-source.ts';

const graph = { nodes: {}, robots: null, sitemaps: {} };
const ROOT = `${SITE}/sitemap.xml`;

type Answer = NonNullable<NonNullable<ConstructorParameters<typeof GraphSource>[1]>['resources']>[string];

async function read(resources: Readonly<Record<string, string | Answer>>) {
  const given = Object.entries(resources).map(([path, value]) => [
    `${SITE}${path}`,
    typeof value === 'string' ? { text: value } : value,
  ]);
  const source = new GraphSource(graph, { resources: Object.fromEntries(given) });
  const notes: string[] = [];
  const pages: SitemapPage[] = [];
  const options = {
    signal: new AbortController().signal,
    onNote: (note: string) => void notes.push(note),
    admits: (href: string) => href.startsWith(SITE),
    onRead: () => undefined,
  };
  for await (const page of readSitemap(source, ROOT, options)) pages.push(page);
  return { pages, notes };
}

const urlset = (...entries: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`;
const url = (loc: string, more = ''): string => `<url><loc>${loc}</loc>${more}</url>`;
const index = (...locs: readonly string[]): string =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;

test('names pages with their dates, in order', async () => {
  const gone = `<!-- ${url('/gone')} -->`;
  const text = urlset(
    gone + url(`${SITE}/a?x=1&amp;y=2&#038;z=&#x33;`, '<lastmod>2026-11-01</lastmod>'),
    url(` ${SITE}/b\n`),
    '<url><loc><![CDATA[http://site.test/c]]></loc></url>',
    '<url><lastmod>2026</lastmod></url>',
    url('no address: at all') + gone,
  );
  const { pages } = await read({ '/sitemap.xml': text });
  expect(pages.map(({ href, lastmod }) => [href, lastmod])).toEqual([
    [`${SITE}/a?x=1&y=2&z=3`, '2026-11-01'],
    [`${SITE}/b`, undefined],
    [`${SITE}/c`, undefined],
    [`${SITE}/no%20address:%20at%20all`, undefined],
  ]);
});

test.each([
  `<rss><channel><link>${SITE}/</link><image><url>${SITE}/l.png</url></image><item><title>A</title><link>${SITE}/a?x=1&amp;y</link></item></channel></rss>`,
  `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><entry><link rel="enclosure" href="/a.mp3"/><link href="/a?x=1&amp;y"/></entry></feed>`,
])('names the pages of a feed: %#', async (text) => {
  expect((await read({ '/sitemap.xml': text })).pages.map(({ href }) => href)).toEqual([`${SITE}/a?x=1&y`]);
});

test('an index is followed, once each, and what cannot be read of it is noted', async () => {
  const error = { code: 'response_too_large', message: 'Only its beginning was read.' };
  const { pages, notes } = await read({
    '/sitemap.xml': index(
      ...['one', 'gone', 'one', 'sitemap', 'html'].map((name) => `${SITE}/${name}.xml`),
      'http://other.test/a.xml',
    ),
    '/one.xml': { status: 200, text: urlset(url(`${SITE}/a`), '<url><loc>'), error },
    '/gone.xml': { status: 404 },
    '/html.xml': '<!doctype html><p>No sitemap',
  });
  expect(pages.map(({ href }) => href)).toEqual([`${SITE}/a`]);
  const unread = ['gone.xml answers 404', 'html.xml lists no page'];
  const named = ['other.test/a.xml is of another host', error.message, ...unread];
  expect(notes).toEqual(named.map((note) => expect.stringContaining(note)));
});

test('of an index that has too many, the first are read, and a note says so', async () => {
  const many = Array.from({ length: 1_001 }, (_, at) => `${SITE}/${at}.xml`);
  const { pages, notes } = await read({ '/sitemap.xml': index(...many), '/0.xml': urlset(url(`${SITE}/a`)) });
  expect(pages.map(({ href }) => href)).toEqual([`${SITE}/a`]);
  expect(notes[0]).toBe(`sitemap: ${ROOT} has over 1000 sitemaps; the rest was left.`);
});

test.each<[Parameters<typeof read>[0], string, string]>([
  [{ '/sitemap.xml': { status: 404 } }, 'invalid_argument', 'answers 404'],
  [{ '/sitemap.xml': '<!doctype html><title>Home</title>' }, 'invalid_argument', 'lists no page'],
  [{ '/sitemap.xml': { error: { code: 'dns_failed', message: 'No host.' } } }, 'dns_failed', 'No host'],
])('an invalid sitemap fails with its code: %#', async (resources, code, message) => {
  await expect(read(resources)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test('entities of a document type are not expanded', async () => {
  const bomb = `<!DOCTYPE urlset [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`;
  const { pages } = await read({ '/sitemap.xml': `${bomb}${urlset(url(`${SITE}/&b;`), url(`${SITE}/ok`))}` });
  expect(pages.map(({ href }) => href.length < 100)).toEqual([true, true]);
});
