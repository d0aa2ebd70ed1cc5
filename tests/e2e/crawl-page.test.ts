import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { CrawlRig } from './crawl-page/rig.ts';

let rig: CrawlRig;
let site: FixtureServer;

beforeAll(async () => {
  [rig, site] = await Promise.all([CrawlRig.start(), serveFixtures()]);
});

afterAll(async () => {
  await rig.close();
  await site.close();
});

const host = (path: string): string => `http://fixture.test:${site.port}${path}`;

describe('a fetched page', () => {
  it('answers content, links, title and facts, sealed', async () => {
    const { result, text, links, sealed } = await rig.page(host('/many-pages/links.html'));
    expect(sealed).toBe(true);
    expect(result).toMatchObject({
      final_url: host('/many-pages/links.html'),
      redirects: [],
      status: 200,
      content_type: 'text/html; charset=utf-8',
      rendered: false,
      error: null,
    });
    expect(result.title).not.toBe('');
    expect(text).toContain('](http://fixture.test');
    expect(links.length).toBeGreaterThan(3);
    for (const { url } of links) expect(url).toMatch(/^https?:\/\/[^#]+$/);
  });

  it('names the addresses that redirected', async () => {
    const { result } = await rig.page(host('/__/redirect/3?to=/many-pages/article.html'));
    expect(result).toMatchObject({ status: 200, final_url: host('/many-pages/article.html') });
    expect(result.redirects.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(result.redirects[0]?.url).toBe(host('/__/redirect/3?to=/many-pages/article.html'));
  });

  it('keeps the redirects of pages apart that are asked for at once', async () => {
    const asked = host('/__/redirect/2?to=/many-pages/article.html');
    const pages = await Promise.all(Array.from({ length: 12 }, () => rig.page(asked)));
    for (const { result } of pages) expect(result.redirects).toHaveLength(2);
  });

  it('reads robots.txt and its like as they are', async () => {
    const { text, status, error } = await rig.resource(host('/many-pages/mill.svg'));
    expect({ status, error }).toEqual({ status: 200, error: null });
    expect(text).toContain('<svg');
  });
});

describe('a rendered page', () => {
  it('is read in a background tab as read_page reads it', async () => {
    const before = (await rig.port.call('tabs.active', {})).tab.id;
    const { result, text, links, sealed } = await rig.page(host('/many-pages/article.html'), {
      render: 'always',
    });
    expect(result.error).toBe(null);
    expect(sealed).toBe(true);
    expect(result).toMatchObject({
      status: 200,
      rendered: true,
      final_url: host('/many-pages/article.html'),
      content_type: 'text/html; charset=utf-8',
    });
    expect(text.length).toBeGreaterThan(500);
    expect(links.length).toBeGreaterThan(0);
    expect((await rig.port.call('tabs.active', {})).tab.id).toBe(before);
  });
});
