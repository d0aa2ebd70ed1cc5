import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('find', 'finds elements', { tab: 'b1:1', query: 'save' }),
];

export const fakeHandlers: BridgeHandlers = {
  'page.find': async ({ target, limit }) => ({
    lines: ['e1 button Save', JSON.stringify(target)].slice(0, limit),
    ...{ url: 'https://a.test/', title: 'A', more: 2, is_more_counted: true, hidden: 0 },
    ...{ nearest: [], coverage: [] },
  }),
};
