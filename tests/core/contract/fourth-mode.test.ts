import { expect, it } from 'vitest';
import type { Mode } from '../../../server/core/registry/definition.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { mode as terse } from '../../support/modes/terse.mode.ts';
import { untilAborted } from '../../support/test-tool.ts';

// Everything a mode may change. tests/house/unit/new-tool.test.ts shows that its files suffice.

/** The mode with metadata that belongs to other modes. */
const sly: Mode = {
  ...terse,
  widgets: terse.widgets && {
    ...terse.widgets,
    toolMeta: (row, title) => ({ ...terse.widgets?.toolMeta(row, title), ui: {} }),
    resultMeta: (row) => ({ ...terse.widgets?.resultMeta(row), 'openai/outputTemplate': 'x' }),
  },
};

const crawl = { run: (_: object, { signal }: RunScope) => untilAborted(signal) };
const server = await startMemoryServer(
  { mode: 'terse' },
  { modes: [...MODES, sly], workers: { crawl: async () => crawl } },
);
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });

it('lists its tools, descriptions and metadata, and no key that is not its own', async () => {
  const { tools } = await server.client.listTools();
  const crawl = tools.find(({ name }) => name === 'crawl');
  expect(crawl?.description).toBe('Crawls.');
  expect(crawl?._meta).toEqual({ 'terse/widget': 'ui://terse/run' });
  expect(tools.find(({ name }) => name === 'run_status')?.outputSchema).toBeDefined();
  expect(tools.find(({ name }) => name === 'read_page')?.outputSchema).toBeUndefined();
  expect(tools.map(({ name }) => name)).toContain('run_status_terse_internal');
});

it('executes by its table', async () => {
  const started = await server.call('crawl', { url: 'https://a.test/' });
  const { run_id } = started.json<{ run_id: string }>();
  expect(started.raw._meta).toEqual({ 'terse/shown': true });
  const short = await server.call('run_status', { run_id });
  expect(Object.keys(short.json())).toEqual(['status']);
  expect(short.raw.structuredContent).toEqual(short.json());
  const twin = await server.call('run_status_terse_internal', { run_id });
  expect(Object.keys(twin.json())).toContain('started_at');
});
