import {
  fails,
  handleOf,
  ok,
  storedHandle,
  type ToolCase,
  type OutputCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('oc_output_fetch', 'pages a handle', handleOf),
  fails('oc_output_fetch', 'output_handle_not_found', { output_handle: 'oh_AAAAAAAAAAAA' }),
  fails('oc_output_fetch', 'invalid_format_for_payload', async (tools) => ({
    ...(await handleOf(tools)),
    format: 'items',
  })),
];

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'oc_output_fetch',
    args: (tools) => storedHandle(tools, 'read_page', { tab: 'b1:1' }),
    has: 'content',
  },
  {
    tool: 'oc_output_fetch',
    args: (tools) => storedHandle(tools, 'crawl', { url: 'https://a.test/' }),
    has: 'content',
  },
];
