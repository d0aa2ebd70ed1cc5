import { z } from 'zod';

const count = z.number().int().min(0);
const ms = z.number().min(0).nullable();

/** Entries, newest last, or their totals. */
export const JournalFields = z
  .looseObject({
    /** Each has `event` and `ts`; the rest is the event's own. */
    items: z.array(z.record(z.string(), z.unknown())),
    entries: count,
    oldest: z.string().nullable(),
    newest: z.string().nullable(),
    events: z.record(z.string(), count),
    tools: z.record(
      z.string(),
      z.looseObject({
        calls: count,
        errors: z.record(z.string(), count),
        bytes: count,
        median_ms: ms,
        p95_ms: ms,
      }),
    ),
  })
  .partial();
