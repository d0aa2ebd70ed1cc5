import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('evaluate', 'returns the value', { tab: TAB, code: '() => ({ sails: 4 })' }),
  fails('evaluate', 'invalid_argument', { tab: TAB, code: '' }),
];

export const fakeHandlers: BridgeHandlers = {
  'page.evaluate': async function* () {
    yield '{"sails":4}';
    return { url: 'https://example.com/', type: 'object' };
  },
};
