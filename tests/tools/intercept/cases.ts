import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { fails, ok, TAB, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('intercept', 'adds a rule', { tab: TAB, action: 'add', url: '**/api/**', block: true }),
  fails('intercept', 'invalid_argument', { tab: TAB, action: 'add', url: '**/api/**' }),
  fails('intercept', 'password_refused', {
    tab: TAB,
    action: 'add',
    url: 'https://example.com/**',
    login: { username: 'ada', password: 'plain' },
  }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'intercept', args: { tab: TAB }, has: 'rules' }];

export const fakeHandlers: BridgeHandlers = {
  'tab.intercept': async ({ add }) => ({ rules: add === null ? [] : [{ id: add.id, hits: 0 }] }),
};
