import type { ToolCase } from '../../support/tool-cases.ts';

/** What a program does is tested with the build (tests/e2e/programs): this starts no thread. */
export const adapterCases: readonly ToolCase[] = [
  {
    tool: 'script',
    title: 'quotes what is not valid',
    args: { code: 'const a = ;' },
    ends: 'program_invalid',
  },
];
