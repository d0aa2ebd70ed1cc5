import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';

let server: MemoryServer;
beforeAll(async () => {
  server = await startMemoryServer();
});
afterAll(() => server.close());

interface Hit {
  readonly section: string;
}

test('a search and the page that it names, without any browser', async () => {
  const found = await server.call('docs_search', { query: 'doctor hops', limit: 3 });
  expect(found.isError, found.text).toBe(false);
  const hits = found.json<Hit[]>();
  expect(hits).toHaveLength(3);
  const fetched = await server.call('docs_fetch', { page: hits[0]?.section });
  expect(fetched.text).toContain('doctor');
  expect(fetched.notes).not.toContain('Untrusted');
});

test('a search that finds nothing says where to look', async () => {
  const answer = await server.call('docs_search', { query: 'zzqqxxvv' });
  expect(answer.json<Hit[]>()).toEqual([]);
  expect(answer.notes).toContain('docs_fetch without page');
});

test('no page lists the pages; a wrong one is answered with the nearest', async () => {
  expect((await server.call('docs_fetch')).text).toContain('- README.md: Spillway');
  const wrong = await server.call('docs_fetch', { page: 'capturs' });
  expect(wrong.code()).toBe('docs_page_not_found');
  expect(wrong.text).toContain('docs/captures.md');
  expect((await server.call('docs_search', { query: '  ' })).code()).toBe('invalid_argument');
});
