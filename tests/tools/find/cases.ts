import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('find', 'finds elements', { tab: 'b1:1', query: 'save' }),
];
