import { TAB, fails, ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('console', 'lists messages', { tab: TAB }),
  fails('console', 'tab_not_found', { tab: 'b1:77' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'console', args: { tab: 'b1:1' }, has: 'items' }];
