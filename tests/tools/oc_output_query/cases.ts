import {
  fails,
  handleOf,
  ok,
  storedHandle,
  type OutputCase,
  type ToolCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('oc_output_query', 'searches a handle', async (tools) => ({ ...(await handleOf(tools)), search: 'e' })),
  fails('oc_output_query', 'output_handle_not_found', { output_handle: 'oh_AAAAAAAAAAAA', search: 'e' }),
  fails('oc_output_query', 'invalid_argument', handleOf),
];

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'oc_output_query',
    args: async (tools) => ({
      ...(await storedHandle(tools, 'crawl', { url: 'https://a.test/' })),
      schema: true,
    }),
    has: 'content',
  },
];
