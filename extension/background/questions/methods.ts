import type { QUESTION_METHODS } from '../../../shared/policy/question-methods.ts';
import type { Handlers, HandlerServices } from '../handler.ts';
import { cutUrl } from '../../../shared/cut.ts';
import type { KeptQuestions } from './kept-questions.ts';
import type { HeldQuestions } from './held-questions.ts';
import { rememberedEnds, rememberEnd } from './ledger-memory.ts';
import type { Questions } from './questions.ts';

const URL_UNITS = 2_000;

/** The methods about questions and grants, for the server of one channel. */
export const questionHandlers = (
  {
    questions,
    held,
    kept,
  }: { readonly questions: Questions; readonly held: HeldQuestions; readonly kept: KeptQuestions },
  { server, closed }: Pick<HandlerServices, 'server' | 'closed'>,
): Pick<Handlers, keyof typeof QUESTION_METHODS> => ({
  'question.wait': async ({ id }, { signal }) => ({
    ...(await questions.wait(id, server.instance, signal)),
    ...questions.about(id, server.instance),
  }),
  'ledger.subscribe': async ({ home, takes_ends: takesEnds }) => {
    await questions.loaded;
    questions.reports.subscribe({ home, server, closed, takesEnds });
    return {};
  },
  'ledger.grown': async ({ home, ...end }) => {
    await rememberEnd(home, end);
    return {};
  },
  'ledger.remembered': async ({ home }) => ({ ends: await rememberedEnds(home) }),
  'question.cancel': async ({ id }) => ({ was_open: await questions.cancel(id, server.instance) }),
  'question.leave': async () => {
    await questions.forgetServers((instance) => instance === server.instance);
    return {};
  },
  'question.claim': async ({ id }) => {
    const { state, question } = await held.claim(id, server.instance);
    const { url = '', origin = '', risks = [] } = question ?? {};
    return { state, url: cutUrl(url, URL_UNITS), origin, risks };
  },
  'question.release': async ({ id }) => ({ was_held: await held.release(id, server.instance) }),
  'question.answer': async (answer) => ({ refused: await held.answer(answer, server.instance) }),
  'question.keep': async (question) => ({ kept: await kept.keep(question, server.instance) }),
  'question.adopt': async (adoption) => ({ adopted: await kept.adopt(adoption, server.instance) }),
  'grants.list': async () => ({
    grants: await questions.grants.list(),
    refused: [...questions.refused],
  }),
  'grants.revoke': async ({ id }) => ({ was_good: await questions.grants.revoke(id) }),
});
