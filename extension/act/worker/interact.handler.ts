import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { wantsTraces, withTrace } from './act-trace.ts';
import { runAct } from './act.ts';
import { risksOfAct } from '../../../shared/core/policy/call-risks.ts';
import { readable } from '../../core/pages/targets.ts';
import { toldTab } from '../../core/policy/documents.ts';
import { withChosen } from './chosen.ts';
import { Uploads, type UploadFile } from './files.ts';

/** The methods of `interact`: see {@link runAct} for errors, and `ActLeases` for `tab_busy`. */
export const createHandlers = (services: HandlerServices): Pick<Handlers, 'act.run' | 'act.stage'> => {
  const { leases, personTabs, closed } = services;
  const uploads = new Uploads(closed);
  const run: Handlers['act.run'] = async (asked, { signal, policy, scope }) => {
    const { tab_id: tabId, caller } = asked;
    const wanting = wantsTraces();
    const lease = await leases.take(tabId, caller, { signal, closed, isAct: true });
    let given: readonly UploadFile[] = [];
    try {
      const params = await withChosen(asked, { ...services, uploads, policy, signal });
      given = params.files;
      const shown = readable(tabId, await policy.expectTab(tabId, risksOfAct(params)));
      const callId = scope?.call.call_id ?? null;
      const hasSecrets = params.secret.fields.length > 0 || params.secret.steps.length > 0;
      const parts = { ...services, uploads, policy, onStep: () => lease.renew() };
      const traced = { tabId, callId, hasSecrets, policy, debuggers: services.debuggers, signal };
      const act = (): ReturnType<typeof runAct> => runAct(params, shown, parts, signal);
      const result = await ((await wanting) ? withTrace(traced, act) : act());
      const { tab, opened } = result;
      return {
        ...result,
        tab: tab === null ? null : await toldTab(tab, { policy, personTabs }),
        opened: await Promise.all(opened.map((each) => toldTab(each, { policy, personTabs }))),
      };
    } finally {
      uploads.drop(given);
      lease.release();
    }
  };
  return {
    'act.stage': async (params) => uploads.take(params),
    'act.run': (params, context) => run(params, context).finally(() => uploads.drop(params.files)),
  };
};
