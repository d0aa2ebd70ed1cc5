import type { Browser } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import type { FaceCall } from '../../../extension/ui/faces/face.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import {
  callOf,
  NOTHING,
  openGallery,
  type Gallery,
  type GalleryPiece,
} from '../../support/face-page/gallery.ts';
import { launchBrowser } from '../../support/widget-hosts/open.ts';

/*
 * A person's view of a call of any tool with any answer: never blank, never an endless wait, and never markup from a
 * page. All tools are shown at once.
 */

const TOOLS: readonly ToolManifest[] = MANIFESTS;
/** Tools of other servers have names of their own. */
const NAMES = [...TOOLS.map(({ name }) => name), 'other_server__search'];
const BROKEN = {
  'act/panel/face.tsx': `export const Done = () => { throw new Error('The sails are torn.'); };`,
  'network/panel/face.tsx': `throw new Error('The file is gone.');`,
  'extract/panel/face.tsx': 'export {};',
};

let browser: Browser;
let whole: Gallery;
let broken: Gallery;
beforeAll(async () => {
  browser = await launchBrowser();
  [whole, broken] = [await openGallery(browser), await openGallery(browser, BROKEN)];
});

type Shown = Omit<GalleryPiece, 'name' | 'surface' | 'call'> & {
  readonly call?: Partial<FaceCall>;
  readonly surface?: GalleryPiece['surface'];
};

async function show(shown: Shown, names: readonly string[] = NAMES, gallery = whole) {
  const { call = {}, surface = 'Render', ...more } = shown;
  const pieces = names.map((name) => ({ name, surface, call: callOf(name, call), ...more }));
  gallery.messages.length = 0;
  await gallery.show({ pieces, language: 'en' });
  const found: [name: string, text: string, busy: number][] = await gallery.page.evaluate(
    `[...document.querySelectorAll('.piece')].map((piece) => [
      piece.dataset.piece,
      piece.querySelector('.detail').innerText,
      piece.querySelectorAll('.c-skeleton, progress, .c-icon.busy').length,
    ])`,
  );
  return found.map(([name, text, busy]) => ({ name, text, busy }));
}

/** Tools whose face lacks one of these texts. */
const without = (found: Awaited<ReturnType<typeof show>>, ...parts: readonly string[]): readonly string[] =>
  found.filter(({ text }) => !parts.every((part) => text.includes(part))).map(({ name }) => name);

/** Answers of any server version: every shape of JSON. */
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

it.each(
  sample(
    VALUES.map((value) => [value]),
    4,
  ),
)('a call of any tool is shown where it answered %j', async (value) => {
  const found = await show({ answer: { ...NOTHING, value } });
  expect(found.filter(({ text }) => text.trim() === '')).toEqual([]);
  expect(whole.messages).toEqual([]);
});

it('a call of any tool shows all arguments that a person is to approve, where no face of its own does', async () => {
  const general = NAMES.filter(
    (name) => TOOLS.find((tool) => tool.name === name)?.faces.panel.includes('Intervention') !== true,
  );
  const args = { url: 'https://mill.example/a', text: 'grain', count: 7, nested: { deep: ['flour'] } };
  const found = await show({ surface: 'Intervention', answer: null, args }, general);
  expect(without(found, 'flour', 'grain', '7', 'mill.example/a')).toEqual([]);
});

describe('where a face fails, a person sees the general one, and the log says which it was', () => {
  const answer = { ...NOTHING, value: { grain: 'rye', status: 200 } };
  const call = { args: { url: 'https://mill.example/' } };
  async function textOf(tool: string, surface: 'Inspector' | 'Render'): Promise<string> {
    const [own, other] = await show({ call, answer, surface }, [tool, 'navigate'], broken);
    expect(other?.text).toContain(surface === 'Render' ? 'HTTP 200' : 'mill.example');
    expect(other?.text).not.toContain('own view failed');
    return own?.text.trim() ?? '';
  }

  it.each([
    ['interact', 'This tool’s own view failed.', /interact Render.*The sails are torn\./s],
    ['network', 'could not be loaded', /network Render/],
    ['extract_data', 'rye', /^$/],
  ])('a result of %s: %s', async (tool, said, logged) => {
    const text = await textOf(tool, 'Render');
    expect(text).toContain('rye');
    expect(text).toContain(said);
    expect(broken.messages.join()).toMatch(logged);
  });
});
