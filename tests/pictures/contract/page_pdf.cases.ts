import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('page_pdf', 'prints the page', { tab: TAB }),
  fails('page_pdf', 'invalid_argument', { tab: TAB, pages: 'first' }),
];

export const fakeHandlers: BridgeHandlers = {
  'page.pdf': async function* () {
    yield 'JVBERi0x';
    return { url: 'https://example.com/', title: 'Example', size_bytes: 6 };
  },
};
