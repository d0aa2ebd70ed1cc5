import type { Caller } from '../../shared/act/caller.ts';
import { cut } from '../../shared/cut.ts';
import type { CallContext } from './context.ts';

const NAME_UNITS = 100;
const VERSION_UNITS = 64;

/** On whose behalf a call reads or acts, as the browser knows it: refs belong to the session that was shown them. */
export const callerOf = ({ session }: Pick<CallContext, 'session'>): Caller => ({
  session: session.id,
  name: cut(session.name.trim() || 'agent', NAME_UNITS).toWellFormed(),
  ...(session.version === undefined ? {} : { version: cut(session.version, VERSION_UNITS).toWellFormed() }),
});
