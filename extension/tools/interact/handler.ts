import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { runAct } from '../../background/act/run-act.ts';

/** The methods of `interact`: see {@link runAct} for errors. */
export const createHandlers = ({
  channels,
  requests,
  debuggers,
  acting,
  openings,
  refBook,
}: Pick<WorkerServices, 'channels' | 'requests' | 'debuggers' | 'acting' | 'openings' | 'refBook'>): Pick<
  Handlers,
  'act.run'
> => ({
  'act.run': (params, { signal }) =>
    runAct(params, { channels, requests, debuggers, acting, openings, refBook }, signal),
});
