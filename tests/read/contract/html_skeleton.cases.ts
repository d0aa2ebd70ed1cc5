import { TAB, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [ok('html_skeleton', 'draws the page', { tab: TAB })];
