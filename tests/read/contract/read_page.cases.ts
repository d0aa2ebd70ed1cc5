import { TAB, fails, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('read_page', 'reads inline', { tab: TAB }),
  ok('read_page', 'reads into a handle', { tab: TAB, output_mode: 'handle' }),
  ok('read_page', 'reads a page that is blank', { tab: 'b1:2' }),
  fails('read_page', 'tab_not_found', { tab: 'b1:77' }),
  fails('read_page', 'page_crashed', { tab: 'b1:3' }),
];
