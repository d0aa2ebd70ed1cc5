import type { z } from 'zod';
import { MIME } from '../../../shared/mime.ts';
import type { ocJournal } from '../../../shared/tools/oc_journal/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/result.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { Clock, Journal, JournalQuery } from '../../core/services.ts';
import { parseSince } from '../../toolkit/since.ts';

type JournalReader = Pick<Journal, 'recent' | 'summary'>;
type JournalArguments = z.output<typeof ocJournal.input>;

export const createRuntimes = (services: {
  readonly journal: JournalReader;
  readonly clock: Clock;
}): ToolRuntimes => ({ oc_journal: createOcJournal(services) });

/**
 * `oc_journal`: `recent` returns one JSON array, newest last; `summary` one JSON object of totals. Rejects
 * with `invalid_argument` if `since` is neither a time nor an age.
 */
export function createOcJournal({
  journal,
  clock,
}: {
  readonly journal: JournalReader;
  readonly clock: Clock;
}): {
  run(args: JournalArguments, context: CallContext): Promise<Produced>;
} {
  return {
    async run(args) {
      const since = args.since === undefined ? undefined : parseSince(args.since, clock.now());
      const query: JournalQuery = { count: args.count, tool: args.tool, since };
      const value = args.action === 'recent' ? await journal.recent(query) : await journal.summary(query);
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: {}, coverage: [] }),
      };
    },
  };
}
