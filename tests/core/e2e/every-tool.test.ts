import { beforeAll, expect, it } from 'vitest';
import { inFirefox, methodsOf } from '../../../scripts/lib/docs-pages.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { IN_FIREFOX } from '../../support/engine.ts';
import { launched } from '../../support/launched.ts';

/** A call of each tool that asks the browser, which answers it in Chromium, or with the code. */
const CALLS: Readonly<Record<string, readonly [args: JsonObject, code?: string]>> = {
  tabs: [{}],
  read_page: [{}],
  find: [{ role: 'heading' }],
  html_skeleton: [{}],
  extract_data: [{ schema: { type: 'object', properties: { title: { type: 'string' } } } }],
  screenshot: [{}],
  console: [{}],
  audit: [{ rules: ['document-title'] }],
  inspect: [{ ref: 'e1' }],
  evaluate: [{ code: 'document.title' }],
  storage: [{}],
  clipboard: [{}],
  page_tools: [{}],
  page_tool_call: [{ name: 'missing' }, 'unknown_tool'],
  fetch: [{ url: 'SITE/console/frame.html' }],
  crawl: [{ url: 'SITE/console/frame.html', max_pages: 1 }],
  intercept: [{ action: 'add', url: '**/missing.png', block: true }],
  network: [{ action: 'start' }],
  wait_for: [{ text: 'A page that talks' }],
  interact: [{ steps: ['press PageDown'] }],
  downloads: [{}],
  oc_evidence_bundle: [{}],
  dialog: [{ action: 'accept' }, 'dialog_not_found'],
  emulate: [{ locale: 'de' }],
  page_pdf: [{}],
  record_video: [{ action: 'start' }],
  trace: [{ action: 'start' }],
  navigate: [{ action: 'reload' }],
};

const { site, server, ok } = await launched();

beforeAll(async () => {
  await ok('navigate', { url: `${site.url}/console/` });
  await ok('find', { role: 'heading' });
});

it('has a call of each tool that asks the browser', async () => {
  const asking = [];
  for (const manifest of MANIFESTS) if ((await methodsOf(manifest)).length > 0) asking.push(manifest.name);
  expect(Object.keys(CALLS).toSorted()).toEqual(asking.toSorted());
});

it.each(Object.entries(CALLS))(
  '%s answers, or its column says that it works in no Firefox',
  async (name, call) => {
    const [args, code] = call;
    const manifest = MANIFESTS.find((one) => one.name === name);
    const isMissing = IN_FIREFOX && manifest !== undefined && (await inFirefox(manifest)).startsWith('no');
    const asked = JSON.parse(JSON.stringify(args).replaceAll('SITE', site.url)) as JsonObject;
    const answer = await server.call(name, asked);
    expect(answer.code(), answer.text).toBe(isMissing ? 'unsupported_in_firefox' : code);
    if (isMissing) expect(answer.text).toContain('pass browser with the id of a Chromium');
  },
);
