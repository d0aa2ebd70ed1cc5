import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { ocJournal } from '../../../shared/tools/oc_journal/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/payload.ts';
import type { Clock, Journal, JournalQuery } from '../../core/services.ts';

type JournalArguments = z.output<typeof ocJournal.input>;

const AGE = /^(?<count>\d{1,6})(?<unit>[smhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** A date, or a date and a time; without an offset it is UTC, as every `ts` of the journal. */
const ISO_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:T(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/;

/** Milliseconds since the epoch of an ISO time or of an age before `now`. */
function parseSince(since: string, now: number): number {
  const age = AGE.exec(since)?.groups;
  if (age !== undefined) return now - Number(age['count']) * (UNIT_MS[age['unit'] ?? ''] ?? 0);
  const { date, time = '00:00', offset = 'Z' } = ISO_TIME.exec(since)?.groups ?? {};
  const parsed = date === undefined ? NaN : Date.parse(`${date}T${time}${offset}`);
  if (Number.isFinite(parsed)) return parsed;
  throw new SpillwayError(
    'invalid_argument',
    `since: takes an ISO time such as 2026-05-19T12:00:00Z, or an age such as 15m, 2h, 1d; got ${JSON.stringify(since.slice(0, 64))}.`,
  );
}

/**
 * `oc_journal`: `recent` answers one JSON array, newest last; `summary` one JSON object of totals.
 * Rejects with `invalid_argument` when `since` is neither a time nor an age.
 */
export function createOcJournal({ journal, clock }: { readonly journal: Journal; readonly clock: Clock }): {
  run(args: JournalArguments, context: CallContext): Promise<Produced>;
} {
  return {
    async run(args) {
      const since = args.since === undefined ? undefined : parseSince(args.since.trim(), clock.now());
      const query: JournalQuery = { count: args.count, tool: args.tool, since };
      const value = args.action === 'recent' ? await journal.recent(query) : await journal.summary(query);
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: {}, coverage: [] }),
      };
    },
  };
}
