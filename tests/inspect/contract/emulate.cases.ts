import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('emulate', 'shows a phone', { tab: TAB, device: 'phone' }),
  fails('emulate', 'invalid_argument', { tab: TAB, viewport: { width: 0, height: 1 } }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'emulate', args: { tab: TAB, timezone: 'UTC' }, has: 'emulates' },
];

export const fakeHandlers: BridgeHandlers = { 'tab.emulate': async ({ set }) => ({ emulates: set }) };
