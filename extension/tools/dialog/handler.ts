import { answerDialog } from '../../background/act/answer-dialog.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';

/** `dialog.answer`: see {@link answerDialog} for errors. */
export const createHandlers = (
  services: Pick<WorkerServices, 'debuggers' | 'dialogs'>,
): Pick<Handlers, 'dialog.answer'> => ({
  'dialog.answer': (params, { signal }) => answerDialog(params, { ...services, signal }),
});
