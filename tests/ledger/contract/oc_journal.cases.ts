import { afterAllRuns, ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('oc_journal', 'sums up', afterAllRuns({ action: 'summary' })),
  ok('oc_journal', 'tells the last calls', { action: 'recent', count: 3 }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'oc_journal', args: { action: 'recent' }, has: 'items' },
  { tool: 'oc_journal', args: { action: 'summary' }, has: 'tools' },
];
