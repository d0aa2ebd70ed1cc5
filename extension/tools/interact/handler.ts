import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { runAct } from '../../background/act/run-act.ts';
import { risksOfAct } from '../../../shared/act/risks.ts';
import { toldTab } from '../../background/policy/documents.ts';
import { Uploads } from '../../background/act/files.ts';

/** The methods of `interact`: see {@link runAct} for errors, and `ActLeases` for `tab_busy`. */
export const createHandlers = (services: HandlerServices): Pick<Handlers, 'act.run' | 'act.stage'> => {
  const { leases, groups, personTabs, closed } = services;
  const uploads = new Uploads(closed);
  const run: Handlers['act.run'] = async (params, { signal, policy }) => {
    const { tab_id: tabId, caller } = params;
    await policy.expectTab(tabId, risksOfAct(params));
    const lease = await leases.take(tabId, caller, { signal, closed, isAct: true });
    try {
      const result = await runAct(
        params,
        { ...services, uploads, policy, onStep: () => lease.renew() },
        signal,
      );
      for (const { id } of result.opened) await groups.add(id, { caller, server: services.server.instance });
      const { tab, opened } = result;
      return {
        ...result,
        tab: tab === null ? null : await toldTab(tab, { policy, personTabs }),
        opened: await Promise.all(opened.map((each) => toldTab(each, { policy, personTabs }))),
      };
    } finally {
      lease.release();
    }
  };
  return {
    'act.stage': async (params) => uploads.take(params),
    'act.run': (params, context) => run(params, context).finally(() => uploads.drop(params.files)),
  };
};
