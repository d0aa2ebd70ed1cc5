import { fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('picked', 'says that nothing was picked', {}),
  fails('picked', 'invalid_argument', { picture: 'p9' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'picked', args: {}, has: 'picks' }];
