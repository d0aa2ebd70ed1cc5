import { TAB, fails, ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('network', 'says what is captured', { action: 'status' }),
  fails('network', 'capture_not_running', { tab: TAB, action: 'slice' }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'network', args: { action: 'start', tab: 'b1:1' }, has: 'state' },
  { tool: 'network', args: { action: 'status' }, has: 'captures' },
  {
    tool: 'network',
    args: ({ captures }) => {
      captures.exchange('1', { body: '{}' });
      return Promise.resolve({ tab: 'b1:1' });
    },
    has: 'items',
  },
  { tool: 'network', args: { action: 'stop', tab: 'b1:1' }, has: 'ended' },
  { tool: 'network', args: { action: 'start', tab: 'all' }, has: 'all' },
  { tool: 'network', args: { action: 'stop', tab: 'all' }, has: 'captures' },
  { tool: 'network', args: { action: 'clear', tab: 'b1:1' }, has: 'cleared' },
];
