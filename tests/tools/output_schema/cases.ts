import {
  fails,
  handleOf,
  ok,
  storedHandle,
  SCHEMA,
  TAB,
  type OutputCase,
  type ToolCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('output_schema', 'infers what items have in common', async ({ call }) => {
    const stored = await call('extract_data', {
      tab: TAB,
      schema: SCHEMA,
      multiple: true,
      output_mode: 'handle',
    });
    return { output_handle: (JSON.parse(stored) as { output_handle: string }).output_handle };
  }),
  fails('output_schema', 'output_handle_not_found', { output_handle: 'oh_AAAAAAAAAAAA' }),
  fails('output_schema', 'invalid_format_for_payload', handleOf),
];

export const outputCases: readonly OutputCase[] = [
  {
    tool: 'output_schema',
    args: (tools) => storedHandle(tools, 'crawl', { url: 'https://a.test/' }),
    has: 'schema',
  },
];
