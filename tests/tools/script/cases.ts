import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('script', 'answers what the program returns', { code: 'return { sum: input.a + 1 }', input: { a: 1 } }),
];
