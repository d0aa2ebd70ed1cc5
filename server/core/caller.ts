import type { Caller } from '../../shared/act/caller.ts';
import { cut } from '../../shared/cut.ts';
import type { CallContext } from './context.ts';

const NAME_UNITS = 100;

/** On whose behalf a call reads or acts, as the browser knows it: refs belong to the session that was shown them. */
export const callerOf = ({ session }: Pick<CallContext, 'session'>): Caller => ({
  session: session.id,
  name: cut(session.name.trim() || 'agent', NAME_UNITS).toWellFormed(),
});
