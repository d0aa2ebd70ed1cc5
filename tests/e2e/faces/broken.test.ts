import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FaceAnswer, FaceCall } from '../../../extension/panel/tools/face.ts';
import { openFacePage, type FacePage } from '../../support/face-page/face-page.ts';
import { launchBrowser } from '../../support/widget-hosts/open.ts';

/* Faces that fail: a person sees the general one, the log says which it was, and nothing else is harmed. */

const throws = (api: string): string =>
  `export const faces = { ${api}: () => { throw new Error('The sails are torn.'); } };`;

let browser: Browser;
let faces: FacePage;
beforeAll(async () => {
  browser = await launchBrowser();
  faces = await openFacePage(browser, {
    'tabs/inspector.tsx': throws('tabs'),
    'find/render.tsx': throws('find'),
    'fetch/render.tsx': `throw new Error('The file is gone.');`,
    'console/render.tsx': 'export const faces = {};',
  });
});
afterAll(() => browser.close());
beforeEach(() => faces.logged.splice(0));

const callOf = (tool: string): FaceCall => ({
  callId: `call_${tool}`,
  tool,
  args: { url: 'https://mill.example/' },
  state: 'ok',
  code: null,
  handle: null,
  durationMs: 1,
  sizeBytes: 1,
  progress: null,
});
const answer: FaceAnswer = {
  ok: true,
  value: { grain: 'rye' },
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
};

it('shows the general line in the place of one that throws', async () => {
  await faces.show({ call: callOf('tabs'), answer, surface: 'inspector' });
  expect(await faces.text()).toBe('tabs https://mill.example/');
  expect(faces.logged.join()).toContain('tabs Inspector');
});

it('shows the general result in the place of one that throws, and says so', async () => {
  await faces.show({ call: callOf('find'), answer });
  await expect.poll(() => faces.text()).toContain('rye');
  expect(await faces.text()).toContain('The view of this tool has failed.');
  expect(faces.logged.join()).toContain('find Render');
  expect(faces.logged.join()).toContain('The sails are torn.');
});

it('shows the general result where the own one cannot be loaded, and says so', async () => {
  await faces.show({ call: callOf('fetch'), answer });
  await expect.poll(() => faces.text()).toContain('rye');
  expect(await faces.text()).toContain('could not be loaded');
  expect(faces.logged.join()).toContain('fetch Render');
});

it('shows the general result where a folder has none for an api', async () => {
  await faces.show({ call: callOf('console'), answer });
  await expect.poll(() => faces.text()).toContain('rye');
  expect(faces.logged).toEqual([]);
});

it('shows other tools as ever', async () => {
  await faces.show({ call: callOf('find'), answer });
  await faces.show({
    call: callOf('navigate'),
    answer: { ...answer, value: { title: 'Mill', status: 200 } },
  });
  await expect.poll(() => faces.text()).toContain('HTTP 200');
  expect(await faces.text()).not.toContain('has failed');
});
