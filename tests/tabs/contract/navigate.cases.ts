import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('navigate', 'loads an address', { tab: TAB, url: 'https://example.com/' }),
  fails('navigate', 'url_not_allowed', { tab: TAB, url: 'file:///etc/passwd' }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'navigate', args: { url: 'https://c.test/', tab: 'b1:1' }, has: 'status' },
];
