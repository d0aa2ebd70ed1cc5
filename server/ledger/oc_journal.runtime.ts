import type { z } from 'zod';
import type { ocJournal } from '../../shared/ledger/oc_journal.manifest.ts';
import type { Produced } from '../core/result.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { Clock, Journal, JournalQuery } from '../core/services.ts';
import { parseSince } from '../core/arguments.ts';

interface JournalServices {
  readonly journal: Pick<Journal, 'recent' | 'summary'>;
  readonly clock: Clock;
}
type JournalArguments = z.output<typeof ocJournal.input>;

/**
 * `oc_journal`: `recent` returns one JSON array, newest last; `summary` one JSON object of totals. Rejects
 * with `invalid_argument` if `since` is neither a time nor an age.
 */
export const createRuntimes = ({ journal, clock }: JournalServices) => ({
  oc_journal: async (args: JournalArguments): Promise<Produced> => {
    const since = args.since === undefined ? undefined : parseSince(args.since, clock.now());
    const query: JournalQuery = { count: args.count, tool: args.tool, since };
    const value = args.action === 'recent' ? await journal.recent(query) : await journal.summary(query);
    return produceJson(value);
  },
});
