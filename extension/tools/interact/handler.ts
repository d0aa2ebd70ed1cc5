import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { runAct } from '../../background/act/run-act.ts';
import { Uploads } from '../../background/act/uploads.ts';

/** The methods of `interact`: see {@link runAct} for errors. */
export const createHandlers = ({
  channels,
  requests,
  debuggers,
  acting,
  openings,
  refBook,
  closed,
}: Pick<
  HandlerServices,
  'channels' | 'requests' | 'debuggers' | 'acting' | 'openings' | 'refBook' | 'closed'
>): Pick<Handlers, 'act.run' | 'act.stage'> => {
  const uploads = new Uploads(closed);
  return {
    'act.stage': async (params) => uploads.take(params),
    'act.run': (params, { signal }) =>
      runAct(params, { channels, requests, debuggers, acting, openings, refBook, uploads }, signal).finally(
        () => uploads.drop(params.files),
      ),
  };
};
