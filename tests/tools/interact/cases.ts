import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('interact', 'fills fields and does steps', {
    tab: 'b1:1',
    fields: { Name: 'Ada' },
    steps: ['click e6', { do: 'press', value: 'Enter' }],
  }),
];
