import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

const ANSWER = { tab: TAB, action: 'accept', text: 'Ada' };

export const adapterCases: readonly ToolCase[] = [
  ok('dialog', 'answers a prompt', ANSWER),
  fails('dialog', 'dialog_not_found', { tab: TAB, action: 'dismiss' }),
  fails('dialog', 'invalid_argument', { tab: TAB, action: 'dismiss', text: 'Ada' }),
  fails('dialog', 'tab_not_found', { tab: 'b1:77', action: 'accept' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'dialog', args: ANSWER, has: 'answered' }];
