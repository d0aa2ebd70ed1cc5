import { afterAll, beforeAll, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { serveEvil, type EvilServer } from '../../../fixtures/evil.ts';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { planFields } from '../../../server/extract/plan.ts';
import { type ExtractRequest } from '../../../shared/libraries/values/plan.ts';
import { FoundRecord } from '../../../shared/libraries/values/request.ts';
import { CrawlRig } from './rig.ts';

let rig: CrawlRig;
let site: FixtureServer;
let pages: EvilServer;

beforeAll(async () => {
  [rig, site, pages] = await Promise.all([CrawlRig.start(), serveFixtures(), serveEvil()]);
});

afterAll(() => Promise.all([site.close(), pages.close()]));

const host = (path: string): string => `http://fixture.test:${site.port}${path}`;
const at = (path: string): string => `http://evil.test:${pages.port}${path}`;

it('a fetched page answers content, links, title and facts, sealed', async () => {
  const { result, text, links, sealed } = await rig.page(host('/many-pages/links.html'));
  expect(sealed).toBe(true);
  expect(result).toMatchObject({
    final_url: host('/many-pages/links.html'),
    redirects: [],
    status: 200,
    content_type: 'text/html; charset=utf-8',
    title: 'Links',
    rendered: false,
    error: null,
  });
  expect(text).toContain('](http://fixture.test');
  expect(links.length).toBeGreaterThan(3);
});

itDeep('a fetched page keeps the redirects of pages apart that are asked for at once', async () => {
  const asked = host('/__/redirect/2?to=/many-pages/article.html');
  const all = await Promise.all(Array.from({ length: 12 }, () => rig.page(asked)));
  for (const { result } of all) expect(result.redirects).toHaveLength(2);
});

it('a fetched page comes with the cookies of the person, SameSite=Strict ones too', async () => {
  await rig.page(at('/cookies'));
  expect((await rig.page(at('/cookies'))).text).toContain('session=kept');
});

it('a fetched page has the parts that React streams behind it in their places', async () => {
  const { text } = await rig.page(at('/streamed'));
  expect(text).toBe('# First part\n\nSecond part\n\nAfter\n');
});

it('a fetched page has the addresses that it moves on to, and says that its encoding is a guess', async () => {
  const { result, links, text } = await rig.page(at('/moves-on'));
  const rel = 'refresh';
  const unscripted = { url: at('/other/no-scripts'), text: '', rel };
  expect(links).toEqual([
    { url: at('/moved'), text: '', rel },
    unscripted,
    { url: at('/other/'), text: 'Ä part' },
  ]);
  expect((await rig.page(at('/moves-on?later'), { render: 'always' })).links).toContainEqual(unscripted);
  expect(text).toContain(`[Ä part](${at('/other/#part')})`);
  expect(result.coverage).toEqual([{ kind: 'encoding_guessed', detail: expect.stringContaining('UTF-8') }]);
});

it('a fetched page keeps secrets of forms in the page', async () => {
  for (const format of ['markdown', 'html', 'nodes'] as const) {
    const { lines } = await rig.page(at('/secrets'), { format });
    expect(JSON.stringify(lines)).not.toContain('canary');
  }
});

it('a rendered page is read in a background tab as read_page reads it', async () => {
  const before = (await rig.port.call('tabs.active', {})).tab.id;
  const { result, text, links, sealed } = await rig.page(host('/many-pages/article.html'), {
    render: 'always',
  });
  expect(sealed).toBe(true);
  expect(result).toMatchObject({
    status: 200,
    rendered: true,
    final_url: host('/many-pages/article.html'),
    content_type: 'text/html; charset=utf-8',
    error: null,
  });
  expect(text.length).toBeGreaterThan(500);
  expect(links.length).toBeGreaterThan(0);
  expect((await rig.port.call('tabs.active', {})).tab.id).toBe(before);
});

it.each([
  ['/shell', true, 'Made by a script'],
  ['/fades-in', true, 'Shown by a script'],
  ['/article', false, 'Words enough'],
])('%s is rendered only if its source does not show what it says: %s', async (path, rendered, words) => {
  const { result, text } = await rig.page(at(path), { render: 'auto' });
  expect(result).toMatchObject({ rendered, error: null });
  expect(text).toContain(words);
});

it.each(sample(['never', 'always'] as const, 2))(
  'names the addresses that redirected, render %s',
  async (render) => {
    const asked = host('/__/redirect/3?to=/many-pages/article.html');
    const { result } = await rig.page(asked, { render });
    expect(result).toMatchObject({ status: 200, final_url: host('/many-pages/article.html') });
    expect(result.redirects.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(result.redirects[0]?.url).toBe(asked);
  },
);

const request: ExtractRequest = {
  fields: planFields({ type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }),
  strategies: ['selectors', 'repeated'],
  selectors: null,
  scope: '.card',
  multiple: true,
};

itDeep('records are the same from a fetched page and from a rendered one', async () => {
  const [fetched, rendered] = await Promise.all(
    (['never', 'always'] as const).map((render) => rig.page(at('/cards'), { render, extract: request })),
  );
  const found = (fetched?.lines ?? []).flatMap((line) =>
    line.kind === 'found' ? [FoundRecord.parse(line.found)] : [],
  );
  expect(found).toHaveLength(4);
  expect(rendered?.lines).toEqual(fetched?.lines);
  expect(fetched?.text).toBe('');
});

itDeep('renders without the debugger when a person does not want it, and says so', async () => {
  await rig.port.call('crawl.release', { crawl: 'test-crawl' });
  await rig.evaluateInWorker(`chrome.storage.session.set({ debuggerCancelled: true })`);
  const { result, text } = await rig.page(at('/plain'), { render: 'always' });
  expect(result.error).toBeNull();
  expect(text).toContain('A plain page.');
  expect(result).toMatchObject({ error: null, coverage: [{ kind: 'background_tab' }] });
  expect((await rig.page(at('/pdf'), { render: 'always' })).result.error?.code).toBe('not_a_page');
  await rig.port.call('crawl.release', { crawl: 'test-crawl' });
  await rig.evaluateInWorker(`chrome.storage.session.remove('debuggerCancelled')`);
});
