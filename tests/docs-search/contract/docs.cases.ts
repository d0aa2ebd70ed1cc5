import { ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('docs_search', 'finds sections', { query: 'output handle' }),
  ok('docs_fetch', 'lists the pages', {}),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'docs_search', args: { query: 'crawl' }, has: 'items' },
];
