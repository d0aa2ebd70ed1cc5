import { fails, ok, storedHandle, TAB, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('output_list', 'lists outputs of a tool', { tool: 'tabs' }),
  fails('output_list', 'invalid_argument', { limit: 0 }),
];

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'output_list',
    args: async (tools) => {
      await storedHandle(tools, 'read_page', { tab: TAB });
      return {};
    },
    has: 'outputs',
  },
];
