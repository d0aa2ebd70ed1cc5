import { expect, it } from 'vitest';
import { interpret } from '../../../extension/widgets/common/model/answer.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { startMemoryServer } from '../../support/memory-client.ts';

/* Partial results of failed tools, as modes with widgets send them. */

const gone = (): never => {
  throw new SpillwayError('tab_not_found', 'There is no tab 1.');
};

const server = await startMemoryServer({ mode: 'apps' });
server.bridge.addBrowser({
  1: {
    url: 'https://a.test/',
    title: 'A',
    content: function* () {
      yield '# A\n';
      yield 'Some text.\n';
      gone();
    },
  },
});

const download: BridgeHandlers = {
  'fetch.file': async function* ({ url }) {
    yield `${JSON.stringify({ final_url: `${url}2`, status: 200, redirects: [], headers: { 'content-type': 'text/plain' } })}\n`;
    yield Buffer.from('four sails\n').toString('base64');
    throw new SpillwayError('timeout', 'It broke off.');
  },
};
const crash = {
  'page.screenshot': (): never => {
    throw new SpillwayError('page_crashed', 'The page crashed.');
  },
};
const lost = { 'act.run': () => Promise.reject(new SpillwayError('browser_disconnected', 'It is gone.')) };
const tab = 'b1:1';

it.each<[string, object, BridgeHandlers, ErrorCode, object]>([
  ['read_page', { tab }, {}, 'tab_not_found', { tab, characters_read: 15 }],
  [
    'fetch',
    { url: 'https://a.test/f' },
    download,
    'timeout',
    { url: 'https://a.test/f2', status: 200, bytes_read: 11 },
  ],
  [
    'oc_evidence_bundle',
    { tab, include: ['screenshot'] },
    crash as never,
    'page_crashed',
    { tab, parts: ['screenshot'], captured: [], lost: [{ part: 'screenshot', code: 'page_crashed' }] },
  ],
  [
    'interact',
    { tab, steps: ['click e6', 'press Enter'] },
    lost,
    'browser_disconnected',
    { tab, steps: 2, is_sent: true },
  ],
])('%s of %j: how far it came', async (tool, args, handlers, code, state) => {
  server.bridge.answer(handlers);
  const answer = await server.call(tool, { ...args });
  expect(answer.isError, answer.text).toBe(true);
  expect(answer.raw.structuredContent).toMatchObject({ error: { code }, state });
});

const crawl = {
  async run(_: object, scope: RunScope): Promise<never> {
    await scope.commit({ items: [{ page: 1 }, { page: 2 }] });
    scope.progress({ done: 2, queued: 5, failed: 0 });
    throw new SpillwayError('page_crashed', 'The page crashed.');
  },
};

it('crawl: the widget shows the failed run and reads its items', async () => {
  const own = await startMemoryServer({ mode: 'openai' }, { workers: { crawl: async () => crawl } as never });
  own.bridge.addBrowser({});
  const { raw, text, isError } = await own.call('crawl', { url: 'https://example.com/', async: false });
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
  const page = await own.call('run_output', { run_id });
  expect(page.json<{ content: unknown }>().content).toEqual([{ page: 1 }, { page: 2 }]);
  // The text that a model reads has the four fields of every error.
  const { error } = JSON.parse(text) as { error: object };
  expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'retryable']);
});
