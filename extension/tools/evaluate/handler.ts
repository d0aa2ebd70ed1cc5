import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { placeOfFrame } from '../../background/policy/documents.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { findScope } from './scope.ts';
import { hideStored } from './hide-stored.ts';
import { runFunction } from './run.ts';

export const createHandlers = ({
  acting,
  dialogs,
  leases,
  refBook,
  closed,
}: Pick<HandlerServices, 'acting' | 'dialogs' | 'leases' | 'refBook' | 'closed'>): Pick<
  Handlers,
  'page.evaluate'
> => ({
  'page.evaluate': async ({ tab_id: tabId, caller, ref, world, ...call }, { signal, policy }, sink) => {
    await getReadableTab(tabId);
    const turn = await leases.take(tabId, caller, { signal, closed, isAct: true });
    try {
      const { lease, frames, release } = await acting.acquire(tabId, signal);
      try {
        const place = ref === null ? null : await refBook.find(ref, { tabId, viewer: caller.session });
        const scope = await findScope({ lease, frames, world, ref, viewer: caller.session });
        // The document for the function is fixed: it never runs in a later one.
        const document = await placeOfFrame(tabId, place?.frameId ?? 0);
        if (document === null || (place !== null && place.documentId !== document.documentId))
          throw new SpillwayError('page_changed', 'The page navigated before the function began.');
        await policy.expect(document, ['evaluate']);
        signal.throwIfAborted();
        policy.began();
        const isAsked = (): boolean => dialogs.of(tabId) !== null;
        const { session } = scope;
        const { documentId } = document;
        const hide = (text: string): Promise<string> =>
          hideStored(text, { lease, session, tabId, documentId });
        const { text, type } = await runFunction(scope, { ...call, lease, isAsked, signal }).catch(
          async (thrown: unknown) => {
            const { code, message } = toSpillwayError(thrown);
            throw code === 'evaluate_failed' ? new SpillwayError(code, await hide(message)) : thrown;
          },
        );
        await sink.write(await hide(text));
        return { url: document.url, type };
      } finally {
        release();
      }
    } finally {
      turn.release();
    }
  },
});
