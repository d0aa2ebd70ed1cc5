import {
  fails,
  handleOf,
  ok,
  SCHEMA,
  storedHandle,
  TAB,
  type OutputCase,
  type ToolCase,
} from '../../support/tool-cases.ts';

const UNKNOWN = { output_handle: 'oh_AAAAAAAAAAAA' };

export const adapterCases: readonly ToolCase[] = [
  ok('oc_output_fetch', 'pages a handle', handleOf),
  fails('oc_output_fetch', 'output_handle_not_found', UNKNOWN),
  fails('oc_output_fetch', 'invalid_format_for_payload', async (tools) => ({
    ...(await handleOf(tools)),
    format: 'items',
  })),
  ok('oc_output_query', 'searches a handle', async (tools) => ({ ...(await handleOf(tools)), search: 'e' })),
  fails('oc_output_query', 'output_handle_not_found', { ...UNKNOWN, search: 'e' }),
  fails('oc_output_query', 'invalid_argument', handleOf),
  ok('output_keep', 'keeps a handle', handleOf),
  fails('output_keep', 'output_handle_not_found', UNKNOWN),
  ok('output_list', 'lists outputs of a tool', { tool: 'tabs' }),
  fails('output_list', 'invalid_argument', { limit: 0 }),
  ok('output_schema', 'infers what items have in common', async ({ call }) => {
    const stored = await call('extract_data', {
      tab: TAB,
      schema: SCHEMA,
      multiple: true,
      output_mode: 'handle',
    });
    return { output_handle: (JSON.parse(stored) as { output_handle: string }).output_handle };
  }),
  fails('output_schema', 'output_handle_not_found', UNKNOWN),
  fails('output_schema', 'invalid_format_for_payload', handleOf),
];

const crawled = { url: 'https://a.test/' };

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'oc_output_fetch',
    args: (tools) => storedHandle(tools, 'read_page', { tab: TAB }),
    has: 'content',
  },
  { tool: 'oc_output_fetch', args: (tools) => storedHandle(tools, 'crawl', crawled), has: 'content' },
  {
    tool: 'oc_output_query',
    args: async (tools) => ({ ...(await storedHandle(tools, 'crawl', crawled)), schema: true }),
    has: 'content',
  },
  {
    tool: 'output_keep',
    args: async (tools) => ({ ...(await storedHandle(tools, 'read_page', { tab: TAB })), note: 'for later' }),
    has: 'kept',
  },
  {
    tool: 'output_list',
    args: async (tools) => {
      await storedHandle(tools, 'read_page', { tab: TAB });
      return {};
    },
    has: 'outputs',
  },
  { tool: 'output_schema', args: (tools) => storedHandle(tools, 'crawl', crawled), has: 'schema' },
];
