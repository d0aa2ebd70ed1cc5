import { SpillwayError } from '../../../shared/base/errors.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { tabInfo } from '../../support/fake-tabs.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

const ANSWER = { tab: TAB, action: 'accept', text: 'Ada' };

export const adapterCases: readonly ToolCase[] = [
  ok('dialog', 'answers a prompt', ANSWER),
  fails('dialog', 'dialog_not_found', { tab: TAB, action: 'dismiss' }),
  fails('dialog', 'invalid_argument', { tab: TAB, action: 'dismiss', text: 'Ada' }),
  fails('dialog', 'tab_not_found', { tab: 'b1:77', action: 'accept' }),
];

export const outputCases: readonly OutputCase[] = [{ tool: 'dialog', args: ANSWER, has: 'answered' }];

export const fakeHandlers: BridgeHandlers = {
  'dialog.answer': async ({ tab_id: tabId, text }) => {
    if (tabId === 77) throw new SpillwayError('tab_not_found', `There is no tab ${tabId}.`);
    if (text === undefined)
      throw new SpillwayError('dialog_not_found', `No dialog of tab ${tabId} is known.`);
    return {
      answered: { type: 'prompt', message: 'Name?' },
      next: null,
      tab: tabInfo({ id: tabId, url: 'https://example.com/', title: 'Example' }),
      navigated: false,
      changes: '= nothing changed',
    };
  },
};
