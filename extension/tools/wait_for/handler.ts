import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { awaitConditions } from '../../background/pages/await-conditions.ts';

/** The method of `wait_for`: see {@link awaitConditions} for errors. */
export const createHandlers = ({
  channels,
  refBook,
  requests,
}: Pick<HandlerServices, 'channels' | 'refBook' | 'requests'>): Pick<Handlers, 'page.await'> => ({
  'page.await': (params, { signal }) =>
    awaitConditions({ ...params, channels, refs: refBook, requests, signal }),
});
