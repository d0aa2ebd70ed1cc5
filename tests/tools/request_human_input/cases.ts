import type { ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  {
    tool: 'request_human_input',
    title: 'says that nobody can be asked',
    args: { type: 'text', message: 'When?' },
    ends: 'human_unreachable',
  },
];
