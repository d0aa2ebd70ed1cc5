import { fails, ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('crawl', 'waits or answers a run id, as the mode has it', { url: 'https://example.com/ends' }),
  ok('crawl', 'answers a run id at once', { url: 'https://example.com/ends', async: true }),
  ok('crawl', 'waits, as requested', { url: 'https://example.com/ends', async: false }),
  fails('crawl', 'internal_error', { url: 'https://example.com/fails', async: false }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'crawl', args: { url: 'https://a.test/' }, has: 'items' },
  { tool: 'crawl', args: { url: 'https://a.test/', async: true }, has: 'run_id' },
];
