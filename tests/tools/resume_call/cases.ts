import type { ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  {
    tool: 'resume_call',
    title: 'says that no call waits under an id',
    args: { id: 'call-1' },
    ends: 'call_not_pending',
  },
];
