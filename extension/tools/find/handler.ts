import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { documentsOfCall } from '../../background/policy/documents.ts';
import { findInTab } from '../../background/pages/find-in-tab.ts';

/** The method of `find`: see {@link findInTab} for errors. */
export const createHandlers = ({
  channels,
  refBook: refs,
}: HandlerServices): Pick<Handlers, 'page.find'> => ({
  'page.find': (params, { signal, policy }) =>
    findInTab({ ...params, channels: documentsOfCall(channels, policy, { risks: ['read'] }), refs, signal }),
});
