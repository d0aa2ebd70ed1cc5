import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [ok('wait_for', 'waits', { tab: 'b1:1', text: 'sails' })];

export const fakeHandlers: BridgeHandlers = {
  'page.await': async ({ conditions }) => ({
    met: Object.keys(conditions),
    ...{ is_over: false, waited_ms: 12, url: 'https://a.test/', hidden: null },
    ...{ missing: [], nearest: [], downloads: [], under_way: [] },
  }),
};
