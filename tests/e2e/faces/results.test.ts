import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallState, FaceAnswer, FaceCall } from '../../../extension/panel/tools/face.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { openFacePage, type FacePage } from '../../support/face-page/face-page.ts';
import { launchBrowser } from '../../support/widget-hosts/open.ts';

/*
 * What a person sees of a call of any tool, whatever it answered: never nothing, never a wait that has no end, and never
 * what a page wanted to be markup.
 */

const TOOLS: readonly ToolManifest[] = MANIFESTS;
/** Tools of other servers have names of their own. */
const NAMES = [...TOOLS.map(({ name }) => name), 'other_server__search'];

let browser: Browser;
let faces: FacePage;
beforeAll(async () => {
  browser = await launchBrowser();
  faces = await openFacePage(browser);
});
afterAll(() => browser.close());

const callOf = (tool: string, state: CallState = 'ok', more: Partial<FaceCall> = {}): FaceCall => ({
  callId: `call_${tool}`,
  tool,
  args: {},
  state,
  code: null,
  handle: null,
  durationMs: 12,
  sizeBytes: 34,
  progress: null,
  ...more,
});

const EMPTY: FaceAnswer = {
  ok: true,
  value: undefined,
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
};

const FAILED: FaceAnswer = {
  ...EMPTY,
  ok: false,
  error: {
    code: 'page_unresponsive',
    message: 'The page hangs.',
    hint: 'Reload the mill.',
    body: { sails: 'torn' },
  },
};

/** What any version of a server could answer: each of the shapes that JSON has. */
const VALUES = [
  '',
  'wind',
  'done 2\nurl https://mill.example/\nrequests 3 (act a1)\n+ e1 button Grind',
  0,
  null,
  true,
  [],
  {},
  [1, 'two', null],
  [{ a: 1, b: [2] }],
  { items: [] },
  { items: [{ text: 'x' }, 'y', null] },
  { tabs: [null, 7], redirects: 'no', matches: {}, answered: 5, added: [1] },
] as const;

/** What there is to read once nothing is on the way. */
async function settledText(): Promise<string> {
  await expect.poll(() => faces.page.locator('.c-skeleton').count()).toBe(0);
  return faces.text();
}

describe.each(NAMES)('a call of %s', (tool) => {
  it('that answered nothing says so', async () => {
    await faces.show({ call: callOf(tool), answer: EMPTY });
    expect(await settledText()).toContain('It answered nothing.');
  });

  it('that failed says why, what to do, and what there was until then', async () => {
    const answer = { ...FAILED, state: { committed: 'two pages' } };
    await faces.show({ call: callOf(tool, 'failed'), answer });
    await expect.poll(() => faces.text()).toContain('page_unresponsive');
    const text = await faces.text();
    for (const part of ['The page hangs.', 'Reload the mill.', 'torn']) expect(text).toContain(part);
  });

  it('is shown whatever it answered', async () => {
    for (const value of VALUES) {
      faces.logged.length = 0;
      await faces.show({ call: callOf(tool), answer: { ...EMPTY, value } });
      expect(await settledText(), JSON.stringify(value)).toMatch(/\S/);
      expect(faces.logged, JSON.stringify(value)).toEqual([]);
    }
  });

  it('that is stored says where, and opens it', async () => {
    const stored = {
      handle: 'oh_mill',
      mimeType: 'text/markdown',
      sizeBytes: 70_000,
      itemCount: 12,
      preview: '# Mill',
    };
    await faces.show({ call: callOf(tool), answer: { ...EMPTY, stored } });
    await expect.poll(() => faces.text()).toContain('oh_mill');
  });

  it('waits only while it runs', async () => {
    const busy = faces.page.locator('.c-skeleton, progress, .c-icon.busy');
    const progress = { done: 1, total: 4, message: 'grinding' };
    for (const call of [callOf(tool, 'running'), callOf(tool, 'running', { progress })]) {
      await faces.show({ call, answer: null });
      await expect.poll(() => busy.count()).toBeGreaterThan(0);
      // Its server has left: how it ended is not known.
      await faces.show({ call, answer: null, isLost: true });
      await expect.poll(() => faces.text()).toContain('Its server has gone');
      expect(await busy.count()).toBe(0);
    }
    await faces.show({ call: callOf(tool), answer: 'reading' });
    await expect.poll(() => busy.count()).toBeGreaterThan(0);
    for (const answer of [null, EMPTY, FAILED]) {
      await faces.show({ call: callOf(tool), answer });
      await expect.poll(() => busy.count()).toBe(0);
      expect(await faces.text()).toMatch(/\S/);
    }
  });

  it('that waits for a person says so', async () => {
    await faces.show({ call: callOf(tool, 'waiting'), answer: null });
    expect(await faces.text()).toContain('waited for a person');
  });

  it('keeps what a page says as text', async () => {
    const evil = '<img src=x onerror="document.title=1"> \u202Egpj.exe\u200B **b**';
    const answer = {
      ...EMPTY,
      value: {
        title: evil,
        url: `javascript:alert(1)//${evil}`,
        text: evil,
        items: [{ text: evil, a: evil }],
      },
      state: { title: evil, url: 'javascript:alert(1)' },
      notes: [evil],
    };
    const args = { url: evil, text: evil, query: evil, selector: evil };
    for (const surface of ['inspector', 'face', 'portal'] as const)
      for (const value of [answer.value, evil, [{ text: evil }]]) {
        await faces.show({ call: callOf(tool, 'ok', { args }), answer: { ...answer, value }, surface });
        const text = await settledText();
        expect(text).toMatch(/\S/);
        expect(
          await faces.page.locator('main img[src="x"], main script, main a[href^="javascript"]').count(),
        ).toBe(0);
        expect(text).not.toMatch(/[\u202E\u200B]/);
      }
    expect(await faces.page.title()).toBe('Faces');
  });
});

/** Tools whose arguments have no face of their own. */
const GENERAL = NAMES.filter(
  (name) => TOOLS.find((tool) => tool.name === name)?.faces.panel.includes('Intervention') !== true,
);

it.each(GENERAL)('shows all arguments of %s that a person is to approve', async (tool) => {
  const args = { url: 'https://mill.example/a', text: 'grain', count: 7, nested: { deep: ['flour'] } };
  await faces.show({ call: callOf(tool), answer: null, surface: 'intervention', args });
  await expect.poll(() => faces.text()).toContain('flour');
  const text = await faces.text();
  for (const part of ['grain', '7', 'mill.example/a']) expect(text).toContain(part);
});
