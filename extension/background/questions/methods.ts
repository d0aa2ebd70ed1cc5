import type { QUESTION_METHODS } from '../../../shared/policy/question-methods.ts';
import type { Handlers } from '../handler.ts';
import { cutUrl } from '../../../shared/cut.ts';
import type { HeldQuestions } from './held-questions.ts';
import type { Questions } from './questions.ts';

const URL_UNITS = 2_000;

/** The methods about questions and grants, for the server of one channel. */
export const questionHandlers = (
  { questions, held }: { readonly questions: Questions; readonly held: HeldQuestions },
  server: string,
): Pick<Handlers, keyof typeof QUESTION_METHODS> => ({
  'question.wait': ({ id }, { signal }) => questions.wait(id, server, signal),
  'question.cancel': async ({ id }) => ({ was_open: await questions.cancel(id, server) }),
  'question.claim': async ({ id }) => {
    const { state, question } = await held.claim(id, server);
    const { url = '', origin = '', risks = [] } = question ?? {};
    return { state, url: cutUrl(url, URL_UNITS), origin, risks };
  },
  'question.release': async ({ id }) => ({ was_held: await held.release(id, server) }),
  'question.answer': async (answer) => ({ refused: await held.answer(answer, server) }),
  'grants.list': async () => ({
    grants: await questions.grants.list(),
    refused: [...questions.refused],
  }),
  'grants.revoke': async ({ id }) => ({ was_good: await questions.grants.revoke(id) }),
});
