import { SpillwayError } from '../../../shared/errors.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { tabInfo } from '../../support/fake-tabs.ts';

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
