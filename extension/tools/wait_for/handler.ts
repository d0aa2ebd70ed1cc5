import { createWatchDownloads } from '../../background/act/act-debugger.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { documentsOfCall } from '../../background/policy/documents.ts';
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
    'page.await': async (params, { signal, policy }) => {
      const outcome = await awaitConditions({
        ...params,
        channels: documentsOfCall(channels, policy, { risks: ['read'] }),
        refs: refBook,
        requests,
        watchDownloads,
        signal,
      });
      // The result includes the address, and the page may have navigated.
      await policy.expectTab(params.tab_id, ['read']);
      return outcome;
    },
  };
};
