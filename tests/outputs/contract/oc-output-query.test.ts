import { expect, test } from 'vitest';
import { TAB } from '../../support/tool-cases.ts';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
server.bridge.addBrowser({
  1: { url: 'https://a.test/p', title: 'A', content: () => ['# One two three\n'] },
});

async function stored(): Promise<string> {
  const { text } = await server.call('read_page', { tab: TAB, output_mode: 'handle' });
  return (JSON.parse(text) as { output_handle: string }).output_handle;
}

test('names places that oc_output_fetch reads, and says whose text it is', async () => {
  const handle = await stored();
  const answer = await server.call('oc_output_query', { output_handle: handle, regex: '\\w+', limit: 2 });
  expect(answer.isError, answer.text).toBe(false);
  const page = JSON.parse(answer.text) as { content: { offset: number; match: string }[] };
  expect(page).toMatchObject({ output_handle: handle, returned: 2, eof: false });
  for (const { offset, match } of page.content) {
    const place = { output_handle: handle, offset, limit: Math.max(4, match.length) };
    const fetched = await server.call('oc_output_fetch', place);
    expect((JSON.parse(fetched.text) as { content: string }).content.startsWith(match)).toBe(true);
  }
  expect(answer.notes).toContain('offset and total count bytes.');
  expect(answer.notes).toMatch(/untrusted/i);
});

test('refuses two questions at once, and names them', async () => {
  const questions = { output_handle: await stored(), search: 'a', stats: true };
  const answer = await server.call('oc_output_query', questions);
  expect(answer.code()).toBe('invalid_argument');
  expect(answer.text).toContain('search cannot be used together with stats');
});
