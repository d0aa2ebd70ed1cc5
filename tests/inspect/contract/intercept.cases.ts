import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { fails, ok, TAB, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

const rule = { tab: TAB, url: 'https://example.com/**' };
const add = { ...rule, action: 'add' };

export const adapterCases: readonly ToolCase[] = [
  ok('intercept', 'adds a rule', { ...add, block: true }),
  fails('intercept', 'invalid_argument', add),
  fails('intercept', 'invalid_argument', { ...add, block: true, url: 'wss://a.test/' }),
  fails('intercept', 'invalid_argument', { ...rule, block: true }),
  fails('intercept', 'invalid_argument', { ...add, headers: { 'x-debug': '1', Host: 'a.test' } }),
  fails('intercept', 'invalid_argument', { ...add, headers: { cookie: null } }),
  fails('intercept', 'invalid_argument', { ...rule, action: 'remove' }),
  fails('intercept', 'password_refused', { ...add, login: { username: 'ada', password: 'plain' } }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'intercept', args: { tab: TAB }, has: 'rules' }];

export const fakeHandlers: BridgeHandlers = {
  'tab.intercept': async ({ add }) => ({ rules: add === null ? [] : [{ id: add.id, hits: 0 }] }),
};
