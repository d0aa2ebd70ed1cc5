import { expect, it } from 'vitest';
import { openPdf } from '../../../server/libraries/pdf-text/document.ts';
import type { OutputPage } from '../../../shared/core/descriptor.ts';
import { file, serveFiles } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

const { site, server, ok, openTab } = await launched();

const sentence =
  'The wind turns the sails of the mill on the hill, and the mill grinds the corn of three villages.';
const cjk = '人山水火木金土日月，見門馬。青、食、長、龍、高、鹿、麥。';
const cells = [
  ['Stone', sentence, '42 kg'],
  ['Sail of canvas, with a frame of pine', sentence, '9 kg'],
  ['Cap', 'Turns', '300 kg'],
];
const html = (body: string) =>
  file(
    `<!doctype html><meta charset=utf-8><style>td { width: 100px } div { columns: 2; width: 400px }</style>${body}`,
    {
      'content-type': 'text/html',
    },
  );
const pages = await serveFiles({
  '/cjk': html(`<p>${cjk}`),
  '/columns': html(`<div>${`<p>${sentence}`.repeat(4)}</div>`),
  '/table': html(`<table>${cells.map((row) => `<tr><td>${row.join('<td>')}`).join('')}</table>`),
});

const open = (): Promise<string> => openTab(`${site.url}/tables/`);

async function print(arguments_: Readonly<Record<string, unknown>>) {
  const { output_handle, ...printed } = (await ok('page_pdf', arguments_)).json<Record<string, unknown>>();
  // Its fonts are those of the machine, and may need several pages.
  const parts: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const read = { output_handle, encoding: 'base64', offset };
    const page: OutputPage = (await ok('oc_output_fetch', read)).json<OutputPage>();
    parts.push(Buffer.from(String(page.content), 'base64'));
    offset = page.next_offset;
  }
  return { ...printed, bytes: Buffer.concat(parts) };
}

it.each([
  ['/cjk', [cjk]],
  ['/columns', [sentence, sentence, sentence, sentence]],
  ['/table', cells.map((row) => row.join('\t'))],
])('a printed page has its text: %s', async (path, paragraphs) => {
  const { bytes } = await print({ tab: await openTab(pages.url(path)) });
  const pdf = await openPdf(Uint8Array.from(bytes), () => undefined);
  expect((await pdf.text(1)).split(/\n+/)).toEqual(paragraphs);
  await pdf.close();
});

it('prints a tab that is not in front, without leaving anything attached', async () => {
  const tab = await open();
  await open();
  const { bytes, ...printed } = await print({ tab, paper: 'letter', landscape: true, pages: '1' });
  expect(printed).toMatchObject({ mime_type: 'application/pdf', size_bytes: bytes.length });
  const text = bytes.toString('latin1');
  expect(text).toMatch(/^%PDF-1\.[\s\S]*%%EOF\s*$/);
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(text).toMatch(/\/MediaBox \[0 0 792 612\]/);
});

it.each([
  [{ pages: '900' }, 'pdf_failed'],
  [{ pages: 'all' }, 'invalid_argument'],
  [{ scale: 9 }, 'invalid_argument'],
  [{ tab: 'b1:1' }, 'tab_not_found'],
])('refuses %j', async (more, code) => {
  const tab = await open();
  expect((await server.call('page_pdf', { tab, ...more })).code()).toBe(code);
});
