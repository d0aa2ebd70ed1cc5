import { ok, type ToolCase } from '../../support/tool-cases.ts';

/** Programs themselves are tested with the build (tests/programs/e2e): these tests wait for no thread. */
export const adapterCases: readonly ToolCase[] = [
  ok('script', 'starts a program', { code: 'return { sum: input.a + 1 }', input: { a: 1 }, async: true }),
  {
    tool: 'script',
    title: 'quotes what is not valid',
    args: { code: 'const a = ;' },
    ends: 'program_invalid',
  },
];
