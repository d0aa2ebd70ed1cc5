import { ok, type ToolCase, type OutputCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('find_tools', 'searches', { query: 'take a picture of the page' }),
  ok('find_tools', 'lists what is chosen', { select: ['screenshot'] }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'find_tools', args: { query: 'console' }, has: 'matches' },
  { tool: 'find_tools', args: { select: ['console', 'nothing'] }, has: 'tools' },
];
