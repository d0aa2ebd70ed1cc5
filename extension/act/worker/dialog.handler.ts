import { METHODS } from '../../../shared/core/bridge/methods.ts';
import { THE_DIALOG } from '../../../shared/core/policy/names.ts';
import { documentsOfCall, topOf } from '../../core/policy/documents.ts';
import { answerDialog } from './answer-dialog.ts';
import { shownDialog } from './dialogs.ts';
import type { Create } from '../../core/handler.ts';

/** `dialog.answer`: see {@link answerDialog} for errors. */
export const createHandlers: Create<'dialog.answer'> = ({ leases, closed, ...services }) => ({
  'dialog.answer': async (params, { signal, policy }) => {
    const lease = await leases.take(params.tab_id, params.caller, { signal, closed, isAct: false });
    try {
      const channels = documentsOfCall(services.channels, policy, { risks: ['read'] });
      const top = await topOf(params.tab_id);
      if (top !== null) await policy.expect(top, METHODS['dialog.answer'].policy.risks);
      const dialog = services.dialogs.of(params.tab_id);
      if (dialog !== null) await policy.asSeen(THE_DIALOG, shownDialog(dialog));
      policy.began();
      return await answerDialog(params, { ...services, channels, signal });
    } finally {
      lease.release();
    }
  },
});
