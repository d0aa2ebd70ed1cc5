import { afterAll, beforeAll, expect, it } from 'vitest';
import { MODES } from '../../server/modes/loader.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { terse } from '../support/modes/terse.ts';
import { ScriptedRuns } from '../support/scripted-runs.ts';

// A mode is a file: nothing of Spillway changes for one more.

const script = new ScriptedRuns({ before: 1, after: 0 });
let server: MemoryServer;
beforeAll(async () => {
  server = await startMemoryServer({ mode: 'terse' }, { modes: [...MODES, terse], workers: script.workers });
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
});
afterAll(() => server.close());

it('lists its tools, descriptions and metadata, and no key that is not its own', async () => {
  const { tools } = await server.client.listTools();
  const crawl = tools.find(({ name }) => name === 'crawl');
  expect(crawl?.description).toBe('Crawls.');
  expect(crawl?._meta).toEqual({ 'terse/widget': 'ui://terse/run' });
  expect(tools.find(({ name }) => name === 'run_status')?.outputSchema).toBeDefined();
  expect(tools.find(({ name }) => name === 'read_page')?.outputSchema).toBeUndefined();
  expect(tools.map(({ name }) => name)).toContain('run_status_terse');
});

it('executes by its table', async () => {
  const started = await server.call('crawl', { url: 'https://a.test/' });
  const { run_id } = started.json<{ run_id: string }>();
  expect(started.raw._meta).toEqual({ 'terse/shown': true });
  expect(started.notes).toContain('Be brief.');
  const short = await server.call('run_status', { run_id });
  expect(Object.keys(short.json())).toEqual(['status']);
  expect(short.raw.structuredContent).toEqual(short.json());
  const twin = await server.call('run_status_terse', { run_id });
  expect(Object.keys(twin.json())).toContain('started_at');
  script.release();
});

it('has its word in the instructions', () => {
  expect(server.client.getInstructions()).toContain('Answer in one word.');
});
