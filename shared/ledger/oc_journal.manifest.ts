import { z } from 'zod';
import { LIMITS } from '../base/limits.ts';
import { defineTool, textField } from '../core/tools/manifest.ts';

const count = z.number().int().min(0);
const ms = z.number().min(0).nullable();

/** Entries, newest last, or their totals. */
const JournalFields = z
  .looseObject({
    /** Each has `event` and `ts`; the rest depends on the event. */
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

/** Members of an entry that people see: most are of a call. */
const ShownEntry = z.object({
  ts: z.string(),
  event: z.string(),
  tool: z.string().optional(),
  ok: z.boolean().optional(),
  code: z.string().nullish(),
  duration_ms: z.number().nullish(),
});

export const ocJournal = defineTool({
  name: 'oc_journal',
  title: 'Journal',
  category: 'output',
  order: 260,
  risk: 'none',
  does: 'Shows past calls and the handles they created.',
  use: 'Use it to find a handle again.',
  avoid: 'Not for page content.',
  keywords: 'history what happened past calls lost find handle again earlier',
  input: z.strictObject({
    action: z.enum(['summary', 'recent']).default('summary').describe('Totals, or recent entries'),
    count: z.int().min(1).max(LIMITS.journalCountMax).default(20).describe('Entry limit'),
    tool: textField(64).optional().describe('Only this tool'),
    since: textField(64).optional().describe('ISO time or age: 15m, 2h, 1d'),
  }),
  output: JournalFields,
  shown: { value: JournalFields.extend({ items: z.array(ShownEntry) }) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

export const manifests = [ocJournal] as const;
