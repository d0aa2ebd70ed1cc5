import { createWatchDownloads } from '../../act/worker/act-debugger.ts';
import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { awaitConditions } from './await-conditions.ts';

/** The method of `wait_for`: see {@link awaitConditions} for errors. */
export const createHandlers = (services: HandlerServices): Pick<Handlers, 'page.await'> => {
  const watchDownloads = createWatchDownloads(services.acting, services.downloads);
  const { refBook: refs, requests } = services;
  return {
    'page.await': async (params, { signal, policy }) => {
      const channels = documentsOfCall(services.channels, policy, { risks: ['read'] });
      const outcome = await awaitConditions({ ...params, channels, refs, requests, watchDownloads, signal });
      // The result includes the address, and the page may have navigated.
      await policy.expectTab(params.tab_id, ['read']);
      return outcome;
    },
  };
};
