import {
  fails,
  handleOf,
  ok,
  storedHandle,
  TAB,
  type OutputCase,
  type ToolCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('output_keep', 'keeps a handle', handleOf),
  fails('output_keep', 'output_handle_not_found', { output_handle: 'oh_ABCDEFGHIJKL' }),
];

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'output_keep',
    args: async (tools) => ({
      ...(await storedHandle(tools, 'read_page', { tab: TAB })),
      note: 'for later',
    }),
    has: 'kept',
  },
];
