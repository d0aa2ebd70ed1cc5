import {
  RECORD_SCHEMA,
  SCHEMA,
  TAB,
  fails,
  ok,
  type ToolCase,
  type OutputCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('extract_data', 'finds records', { tab: TAB, schema: SCHEMA, multiple: true }),
  fails('extract_data', 'schema_invalid', { tab: TAB, schema: { type: 'nonsense' } }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'extract_data', args: { tab: 'b1:1', schema: RECORD_SCHEMA, multiple: true }, has: 'items' },
  { tool: 'extract_data', args: { tab: 'b1:1', schema: RECORD_SCHEMA }, has: 'preview' },
];
