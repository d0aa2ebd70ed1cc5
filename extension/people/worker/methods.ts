import browser from 'webextension-polyfill';
import { rememberedEnds, rememberEnd } from './ledger-reports.ts';
import type { QUESTION_METHODS } from '../../../shared/people/question-methods.ts';
import type { Handlers, HandlerServices, WorkerServices } from '../../core/handler.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import type { HeldQuestions } from './held-questions.ts';
import type { Questions } from './questions.ts';
import { withDeadline } from '../../core/link/interrupt.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { connectPage } from '../../act/worker/act-page.ts';

const URL_UNITS = 2_000;

/** Methods about questions and grants, for the server of one channel. */
export const questionHandlers = (
  { questions, held }: { readonly questions: Questions; readonly held: HeldQuestions },
  { server, closed }: Pick<HandlerServices, 'server' | 'closed'>,
): Pick<Handlers, keyof typeof QUESTION_METHODS> => ({
  'question.wait': async ({ id }, { signal }) => ({
    ...(await questions.wait(id, server.instance, signal)),
    ...questions.about(id, server.instance),
  }),
  'flow.expect': async ({ site }, { policy }) => {
    await policy.expect({ url: `${site}/`, tabId: null, documentId: null }, ['carry_text']);
    return {};
  },
  'ledger.subscribe': async ({ home }) => {
    await questions.loaded;
    questions.reports.subscribe({ home, server, closed });
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
    const { url = '', origin = '', risks = [] } = (state === 'held' ? question : null) ?? {};
    return { state, url: cutUrl(url, URL_UNITS), origin, risks };
  },
  'question.release': async ({ id }) => ({ was_held: await held.release(id, server.instance) }),
  'question.answer': async (answer) => ({ refused: await held.answer(answer, server.instance) }),
  'question.keep': async (question) => ({ kept: await held.keep(question, server.instance) }),
  'question.adopt': async (adoption) => ({ adopted: await held.adopt(adoption, server.instance) }),
  'grants.list': async () => ({ grants: await questions.grants.list(), refused: [...questions.refused] }),
  'grants.revoke': async ({ id }) => ({ was_good: await questions.grants.revoke(id) }),
  'rules.open': async ({ proposed }) => {
    if (proposed === null) await browser.runtime.openOptionsPage();
    else {
      const { from, to, effect } = proposed;
      const fields = new URLSearchParams({ sites: to.join('\n'), from: from.join('\n'), effect });
      await browser.tabs.create({
        url: browser.runtime.getURL(`people/rules/rules.html#${fields.toString()}`),
      });
    }
    return {};
  },
});

/** A slower page is not awaited: its refs are then unknown. */
const MAX_MS = 2_000;

/** Lets a session use the refs of the one whose work it continues. Never rejects. */
export async function shareRefs(
  { from, to }: { readonly from: string; readonly to: string },
  services: Pick<WorkerServices, 'channels' | 'refBook'>,
): Promise<void> {
  const late = (): SpillwayError => new SpillwayError('timeout', 'The page did not answer in time.');
  await withDeadline(MAX_MS, late, async (signal) => {
    const shown = await services.refBook.share(from, to);
    const asking = shown.map(async ({ documentId, ...place }) => {
      const page = await connectPage(services, place, { timeoutMs: MAX_MS, signal, viewer: to });
      if (page.documentId === documentId) await page.ask({ do: 'share', from }, signal);
    });
    await Promise.allSettled(asking);
    // The continued call reports which ref it does not know.
  }).catch(() => undefined);
}
