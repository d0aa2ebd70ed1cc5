import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('trace', 'starts', { tab: TAB, action: 'start' }),
  fails('trace', 'invalid_argument', { tab: TAB, ms: 1 }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'trace', args: { tab: TAB, action: 'stop' }, has: 'acts' },
];

export const fakeHandlers: BridgeHandlers = {
  'trace.start': async () => ({}),
  'trace.stop': async function* () {
    yield '{"traceEvents":[]}';
    return { url: 'https://example.com/', own: 'own:', frames: ['F'], is_late: true, is_lossy: true };
  },
};
