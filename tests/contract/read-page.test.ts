import { afterEach, beforeEach, expect, it } from 'vitest';
import { pageFacts } from '../support/fake-tabs.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer();
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => [] } });
});
afterEach(() => server.close());

it('what is known of the article is a fact of the answer', async () => {
  const article = { title: 'The mill', byline: 'Ada Miller', published: '2021-05-04', site: 'Valley News' };
  const page = { ...pageFacts({ url: 'https://a.test/', title: 'A' }), article };
  server.bridge.answer({
    'page.read': async function* () {
      yield 'It ground corn.';
      return { page, coverage: [], hidden_elements: 0, main_content: 'found' };
    },
  });
  const answer = await server.call('read_page', { tab: 'b1:1', main_content_only: true, format: 'text' });
  expect(answer.text).toBe('It ground corn.');
  expect(answer.notes).toContain(`article: ${JSON.stringify(article)}`);
});

it('a page without main content says so once', async () => {
  const detail = 'No main content was found, so the whole page was read.';
  server.bridge.answer({
    'page.read': async function* () {
      yield '# A';
      const page = pageFacts({ url: 'https://a.test/', title: 'A' });
      const coverage = [{ kind: 'no_main_content' as const, detail }];
      return { page, coverage, hidden_elements: 0, main_content: 'whole_page' };
    },
  });
  const answer = await server.call('read_page', { tab: 'b1:1', main_content_only: true });
  expect(answer.text).toBe('# A');
  expect(answer.notes.match(/main content/gi)).toHaveLength(1);
  expect(answer.notes).toContain(detail);
});
