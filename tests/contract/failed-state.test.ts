import { expect, describe, it } from 'vitest';
import type { RunScope } from '../../server/core/runs.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { interpret } from '../../extension/widgets/common/model/answer.ts';
import type { JsonValue } from '../../shared/json.ts';
import { startMemoryServer, type MemoryParts } from '../support/memory-client.ts';

async function start(mode: string, parts: MemoryParts) {
  const server = await startMemoryServer({ mode }, parts);
  return server;
}

const crawl = {
  async run(_: object, scope: RunScope): Promise<never> {
    await scope.commit({ items: [{ page: 1 }, { page: 2 }] });
    scope.progress({ done: 2, queued: 5, failed: 0 });
    throw new SpillwayError('page_crashed', 'The page crashed.');
  },
};

describe.each(['openai'])('a failed crawl with two items, in mode %s', (mode) => {
  it('sends a partial result: the widget shows the run and reads its items', async () => {
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
