import type { QUESTION_METHODS } from '../../../shared/policy/question-methods.ts';
import type { Handlers } from '../handler.ts';
import type { Questions } from './questions.ts';

/** The methods about questions and grants, for the server of one channel. */
export const questionHandlers = (
  questions: Questions,
  server: string,
): Pick<Handlers, keyof typeof QUESTION_METHODS> => ({
  'question.wait': ({ id }, { signal }) => questions.wait(id, server, signal),
  'question.cancel': async ({ id }) => ({ was_open: await questions.cancel(id, server) }),
  'grants.list': async () => ({
    grants: await questions.grants.list(),
    refused: [...questions.refused],
  }),
  'grants.revoke': async ({ id }) => ({ was_good: await questions.grants.revoke(id) }),
});
