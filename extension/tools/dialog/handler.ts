import { answerDialog } from '../../background/act/answer-dialog.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';

/** `dialog.answer`: see {@link answerDialog} for errors. */
export const createHandlers = ({
  debuggers,
  dialogs,
  leases,
  closed,
}: Pick<HandlerServices, 'debuggers' | 'dialogs' | 'leases' | 'closed'>): Pick<
  Handlers,
  'dialog.answer'
> => ({
  'dialog.answer': async ({ caller, ...params }, { signal }) => {
    const lease = await leases.take(params.tab_id, caller, { signal, closed, isAct: false });
    try {
      return await answerDialog(params, { debuggers, dialogs, signal });
    } finally {
      lease.release();
    }
  },
});
