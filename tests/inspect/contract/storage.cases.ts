import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

const entry = { tab: TAB, area: 'local', name: 'sails' };

export const adapterCases: readonly ToolCase[] = [
  ok('storage', 'lists names', { tab: TAB }),
  ok('storage', 'sets one', { ...entry, action: 'set', value: '4' }),
  fails('storage', 'invalid_argument', { ...entry, value: '4' }),
  fails('storage', 'invalid_argument', { ...entry, action: 'set', value: '4', cookie: { path: '/' } }),
  fails('storage', 'invalid_argument', { ...entry, action: 'delete', cookie: { path: '/' } }),
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
