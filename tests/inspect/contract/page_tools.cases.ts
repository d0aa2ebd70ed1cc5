import type { ListedTool } from '../../../shared/inspect/page_tools.methods.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

const declared = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: `What ${name} does`,
  ...{ schema: null, read_only: false, consequential: false, untrusted: false },
  ...{ origin: 'https://example.com', document_id: 'D1' },
  ...more,
});

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { item: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['item'],
});
const ADD = { tab: TAB, name: 'add_to_cart', arguments: { item: 'tea', count: 2 } };

export const adapterCases: readonly ToolCase[] = [
  ok('page_tools', 'lists what a page declares', { tab: TAB }),
  ok('page_tool_call', 'answers what the page returned', ADD),
  fails('page_tool_call', 'unknown_tool', { ...ADD, name: 'fly' }),
  fails('page_tool_call', 'invalid_argument', { ...ADD, arguments: { count: 0 } }),
  fails('page_tool_call', 'invalid_argument', { ...ADD, name: 'share' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'page_tools', args: { tab: TAB }, has: 'tools' }];

export const fakeHandlers: BridgeHandlers = {
  'page_tools.list': async () => ({
    tools: [
      declared('share', { origin: 'https://widgets.example', document_id: 'D2' }),
      declared('add_to_cart', { schema: SCHEMA, consequential: true }),
      declared('share'),
    ],
    left_out: 1,
    url: 'https://example.com/',
  }),
  'page_tools.call': async ({ name, input, document_id: documentId }) => ({
    answer: JSON.stringify({ called: name, in: documentId, input }),
    is_cut: false,
    url: 'https://example.com/',
  }),
};
