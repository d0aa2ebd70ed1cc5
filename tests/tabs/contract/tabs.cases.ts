import { fails, ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('tabs', 'lists', {}),
  ok('tabs', 'opens and names the tab', { action: 'open', url: 'https://example.com/new' }),
  fails('tabs', 'tab_not_found', { action: 'close', tab: 'b1:77' }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'tabs', has: 'tabs' },
  { tool: 'tabs', args: { action: 'open', url: 'https://b.test/', browser: 'b1' }, has: 'opened' },
  { tool: 'tabs', args: { action: 'activate', tab: 'b1:2' }, has: 'activated' },
  { tool: 'tabs', args: { action: 'close', tab: 'b1:2' }, has: 'closed' },
];
