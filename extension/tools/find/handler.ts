import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { findInTab } from '../../background/pages/find-in-tab.ts';

/** The method of `find`: see {@link findInTab} for errors. */
export const createHandlers = ({
  channels,
  refBook,
}: Pick<HandlerServices, 'channels' | 'refBook'>): Pick<Handlers, 'page.find'> => ({
  'page.find': (params, { signal }) => findInTab({ ...params, channels, refs: refBook, signal }),
});
