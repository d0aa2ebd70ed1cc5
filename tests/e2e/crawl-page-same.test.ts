import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sample } from '../support/depth.ts';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { CrawlRig } from './crawl-page/rig.ts';

/*
 * A fetched page reads as the same page in a tab does, but for what only a tab knows. Each exception
 * has its reason, and has to be one still.
 */
const ROOT = resolve(import.meta.dirname, '../../fixtures');
const STYLE = 'a style sheet hides, or sets apart';
const SCRIPT = 'a script makes content, or a shadow tree';
const FRAME = 'frames are documents of their own, and are not fetched';
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'pages/aria--names': STYLE,
  'pages/article--blog': STYLE,
  'pages/article--divs': STYLE,
  'pages/forms--controls': STYLE,
  'pages/forms--secrets': SCRIPT,
  'pages/frames--inline': FRAME,
  'pages/hidden--styles': STYLE,
  'pages/shadow--slots': SCRIPT,
  'pages/text--reading': STYLE,
  'sites/many-pages/aria': STYLE,
  'sites/many-pages/frame-middle': FRAME,
  'sites/many-pages/frames-cross': FRAME,
  'sites/many-pages/frames-nested': FRAME,
  'sites/many-pages/frames-same': FRAME,
  'sites/many-pages/frames-srcdoc': FRAME,
  'sites/many-pages/hidden': 'without scripts, `noscript` is shown',
  'sites/many-pages/scripted': SCRIPT,
  'sites/many-pages/shadow-closed': SCRIPT,
  'sites/many-pages/shadow-open': SCRIPT,
  'sites/many-pages/shadow-slots': SCRIPT,
};
const CASES = ['pages', 'sites/many-pages'].flatMap((folder) =>
  readdirSync(resolve(ROOT, folder))
    .filter((file) => file.endsWith('.html'))
    .map((file) => `${folder}/${file.slice(0, -'.html'.length)}`),
);

let rig: CrawlRig;
let site: FixtureServer;

beforeAll(async () => {
  [rig, site] = await Promise.all([CrawlRig.start(), serveFixtures({ root: ROOT })]);
});

afterAll(async () => {
  await rig.close();
  await site.close();
});

/** Title, links and content in Markdown and HTML; white space in HTML is the source's own. */
async function readAs(name: string, render: 'never' | 'always'): Promise<unknown> {
  const url = `http://fixture.test:${site.port}/${name}.html`;
  const markdown = await rig.page(url, { render });
  const html = await rig.page(url, { render, format: 'html' });
  expect([markdown.result.error, html.result.error]).toEqual([null, null]);
  const { title, canonical, robots } = markdown.result;
  const { links, text } = markdown;
  return { title, canonical, robots, links, text, html: html.text.replace(/\s+/g, ' ') };
}

it('knows every page that is an exception', () => {
  expect(Object.keys(EXCEPTIONS).filter((name) => !CASES.includes(name))).toEqual([]);
});

it.concurrent.each(sample(CASES, 8))('%s', async (name) => {
  const [fetched, rendered] = await Promise.all([readAs(name, 'never'), readAs(name, 'always')]);
  if (EXCEPTIONS[name] === undefined) expect(fetched).toEqual(rendered);
  else expect(fetched).not.toEqual(rendered);
});
