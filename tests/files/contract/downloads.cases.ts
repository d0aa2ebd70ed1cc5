import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { fails, ok, TAB, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('downloads', 'lists the files of a tab', { tab: TAB }),
  fails('downloads', 'invalid_argument', { tab: TAB, action: 'take' }),
  fails('downloads', 'invalid_argument', { tab: TAB, id: 0 }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'downloads', args: async () => ({ tab: TAB }), has: 'downloads' },
];

export const fakeHandlers: BridgeHandlers = {
  'downloads.list': async () => ({
    url: 'https://example.com/',
    downloads: [
      {
        id: 1,
        name: 'report.csv',
        url: 'https://example.com/report',
        mime_type: 'text/csv',
        state: 'completed',
        received_bytes: 6,
        total_bytes: 6,
      },
    ],
    left_out: 0,
  }),
};
