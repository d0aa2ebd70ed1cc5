import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { fails, ok, TAB, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('clipboard', 'reads it', { tab: TAB }),
  fails('clipboard', 'invalid_argument', { tab: TAB, text: 'four sails' }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'clipboard', args: { tab: TAB }, has: 'text' },
  { tool: 'clipboard', args: { tab: TAB, action: 'write', text: 'four sails' }, has: 'written' },
];

export const fakeHandlers: BridgeHandlers = {
  'page.clipboard': async ({ text }) => ({ url: 'https://example.com/', text: text ?? 'four sails' }),
};
