import { answerDialog } from '../../background/act/answer-dialog.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';

/** `dialog.answer`: see {@link answerDialog} for errors. */
export const createHandlers = ({
  leases,
  closed,
  ...services
}: Pick<
  HandlerServices,
  'channels' | 'debuggers' | 'dialogs' | 'leases' | 'refBook' | 'requests' | 'closed'
>): Pick<Handlers, 'dialog.answer'> => ({
  'dialog.answer': async (params, { signal }) => {
    const lease = await leases.take(params.tab_id, params.caller, { signal, closed, isAct: false });
    try {
      return await answerDialog(params, { ...services, signal });
    } finally {
      lease.release();
    }
  },
});
