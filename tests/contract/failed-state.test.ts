import { expect, describe, it, onTestFinished } from 'vitest';
import type { RunScope } from '../../server/core/runs.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { interpret } from '../../server/widgets/common/model/answer.ts';
import type { JsonValue } from '../../shared/json.ts';
import { startMemoryServer, type MemoryParts } from '../support/memory-client.ts';
import { produceItems, testTools } from '../support/test-tool.ts';

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

async function start(mode: string, parts: MemoryParts) {
  const server = await startMemoryServer({ mode }, parts);
  onTestFinished(() => server.close());
  return server;
}

/** Commits two pages, and fails. */
const crawl = {
  async run(_: object, scope: RunScope): Promise<never> {
    await scope.commit({ items: [{ page: 1 }, { page: 2 }] });
    scope.progress({ done: 2, queued: 5, failed: 0 });
    throw new SpillwayError('page_crashed', 'The page crashed.');
  },
};

describe.each(['openai'])('a failed crawl with two items, in mode %s', (mode) => {
  it('sends what it has: the widget shows the run and reads its items', async () => {
    const server = await start(mode, { workers: { crawl: async () => crawl } as never });
    server.bridge.addBrowser({});
    const { raw, isError } = await server.call('crawl', { url: 'https://example.com/', async: false });
    expect(isError).toBe(true);
    const sent = raw.structuredContent as { error: { body: { run_id: string } }; state: object };
    const { run_id } = sent.error.body;
    expect(sent).toMatchObject({
      error: {
        code: 'page_crashed',
        body: { run_id, status: 'failed', items: 2, progress: { done: 2, queued: 5 } },
      },
      state: { run_id, status: 'failed', items: 2, error: { code: 'page_crashed' } },
    });
    const value = sent as never as JsonValue;
    const shown = interpret({ value, isError: true, text: null, picture: null, notes: [] });
    expect(shown).toMatchObject({ kind: 'run', run: { run_id, status: 'failed', items: 2 } });
    const page = await server.call('run_output', { run_id });
    expect(page.json<{ content: unknown }>().content).toEqual([{ page: 1 }, { page: 2 }]);
    // The text that a model reads has the four fields of every error.
    const [text] = raw.content;
    expect(
      Object.keys((JSON.parse(text?.type === 'text' ? text.text : '') as { error: object }).error),
    ).toEqual(['code', 'message', 'hint', 'retryable']);
  });
});

describe('what failed work had achieved', () => {
  const failing = (options: ConstructorParameters<typeof SpillwayError>[2]) =>
    new SpillwayError('page_crashed', 'The page crashed.', options);
  async function* broken(error: Error): AsyncGenerator<string> {
    yield 'first';
    throw error;
  }

  it('stays with a payload that fails while it is read, redacted, in the result and for widgets', async () => {
    const error = failing({
      state: { url: 'https://example.com/', rows: 2, token: SECRET },
      body: { row: 3, token: SECRET },
    });
    const work = async () => produceItems(broken(error), Promise.reject(error));
    const server = await start('apps', testTools({ test_fail: work }));
    const { raw } = await server.call('test_fail');
    expect(raw.structuredContent ?? {}).toMatchObject({
      error: { code: 'page_crashed', body: { row: 3 } },
      state: { url: 'https://example.com/', rows: 2 },
    });
    expect(JSON.stringify(raw)).not.toContain(SECRET);
  });

  it('is not sent to widgets where it is large', async () => {
    const large = { text: 'x'.repeat(5_000) };
    const server = await start(
      'apps',
      testTools({ test_fail: () => Promise.reject(failing({ state: large })) }),
    );
    const { raw } = await server.call('test_fail');
    expect(Object.keys(raw.structuredContent ?? {})).toEqual(['error']);
  });
});
