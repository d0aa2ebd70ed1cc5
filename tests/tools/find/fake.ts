import type { BridgeHandlers } from '../../support/bridge-handlers.ts';

export const fakeHandlers: BridgeHandlers = {
  'page.find': async ({ target, limit }) => ({
    url: 'https://a.test/',
    title: 'A',
    lines: ['e1 button Save', JSON.stringify(target)].slice(0, limit),
    more: 2,
    is_more_counted: true,
    hidden: 0,
    nearest: [],
    coverage: [],
  }),
};
