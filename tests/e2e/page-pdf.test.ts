import { expect, it } from 'vitest';
import { launched } from '../support/launched.ts';

const { site, server, ok, openTab } = await launched();

const open = (): Promise<string> => openTab(`${site.url}/tables/`);

it('prints a tab that is not in front, without leaving anything attached', async () => {
  const tab = await open();
  await open();
  const answer = await ok('page_pdf', { tab, paper: 'letter', landscape: true, pages: '1' });
  const { output_handle, mime_type, size_bytes } = answer.json<Record<string, unknown>>();
  expect(mime_type).toBe('application/pdf');
  const page = await server.call('oc_output_fetch', { output_handle, encoding: 'base64', limit: 8_388_608 });
  const bytes = Buffer.from(page.json<{ content: string }>().content, 'base64');
  expect(bytes.length).toBe(size_bytes);
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
