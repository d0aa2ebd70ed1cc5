import type { BridgeHandlers } from '../../support/bridge-handlers.ts';

export const fakeHandlers: BridgeHandlers = {
  'page.await': async ({ conditions }) => ({
    is_over: false,
    met: Object.keys(conditions),
    missing: [],
    waited_ms: 12,
    url: 'https://a.test/',
    hidden: null,
    nearest: [],
    downloads: [],
    under_way: [],
  }),
};
