import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('fetch', 'returns the text of a file', { url: 'https://mill.test/sails.txt' }),
];
