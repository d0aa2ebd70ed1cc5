import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('storage', 'lists names', { tab: TAB }),
  ok('storage', 'sets one', { tab: TAB, action: 'set', area: 'local', name: 'sails', value: '4' }),
  fails('storage', 'invalid_argument', { tab: TAB, action: 'delete', area: 'local' }),
  fails('storage', 'invalid_argument', { tab: TAB, action: 'export', file: 'state' }),
  fails('storage', 'secret_not_found', { tab: TAB, action: 'export', file: 'state', key: 'secret:NONE' }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'storage', args: { tab: TAB }, has: 'entries' },
  { tool: 'storage', args: { tab: TAB, action: 'delete', area: 'local', all: true }, has: 'changed' },
];

const url = 'https://example.com/';

export const fakeHandlers: BridgeHandlers = {
  'storage.list': async () => ({
    url,
    entries: [{ area: 'cookies', name: 'sid', size_bytes: 8, domain: 'example.com', path: '/' }],
    left_out: 0,
  }),
  'storage.change': async () => ({ url, changed: 1 }),
};
