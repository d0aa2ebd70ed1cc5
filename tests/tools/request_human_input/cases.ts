import type { ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  {
    tool: 'request_human_input',
    title: 'asks in the browser',
    args: { type: 'text', message: 'When?' },
    ends: 'ok',
  },
];
