import { createWatchDownloads } from '../../background/act/act-debugger.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { awaitConditions } from '../../background/pages/await-conditions.ts';

/** The method of `wait_for`: see {@link awaitConditions} for errors. */
export const createHandlers = ({
  channels,
  refBook,
  requests,
  acting,
  downloads,
}: Pick<HandlerServices, 'channels' | 'refBook' | 'requests' | 'acting' | 'downloads'>): Pick<
  Handlers,
  'page.await'
> => {
  const watchDownloads = createWatchDownloads({ acting, downloads });
  return {
    'page.await': (params, { signal }) =>
      awaitConditions({ ...params, channels, refs: refBook, requests, watchDownloads, signal }),
  };
};
