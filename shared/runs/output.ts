import { z } from 'zod';

const count = z.number().int().min(0);

const ProgressFields = z.looseObject({
  done: count,
  queued: count,
  failed: count,
  rate_per_second: z.number().min(0),
  message: z.string().optional(),
  workers: z
    .looseObject({
      count,
      lanes: count,
      slowest: z.array(z.looseObject({ host: z.string(), mean_ms: count })),
    })
    .optional(),
});

export const statusField = z.enum([
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]);

/** A run as `run_status` returns it; a short answer has only its first fields. */
export const RunFields = z.looseObject({
  run_id: z.string(),
  status: statusField,
  progress: ProgressFields,
  tool: z.string().optional(),
  items: count.optional(),
  size_bytes: count.optional(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  output_handle: z.string().optional(),
});

/** A page of a run's items, or the descriptor of its whole output. */
export const RunPageFields = z.looseObject({
  run_id: z.string().optional(),
  status: z.string().optional(),
  output_handle: z.string().nullable().optional(),
  offset: count.optional(),
  limit: count.optional(),
  returned: count.optional(),
  total: count.optional(),
  next_offset: count.nullable().optional(),
  content: z.array(z.unknown()).optional(),
  eof: z.boolean().optional(),
});

/** The newest runs. */
export const RunListFields = z.looseObject({ runs: z.array(RunFields), total: count });

/** The last lines of a run's log, oldest first. */
export const RunLogFields = z.looseObject({
  run_id: z.string(),
  status: statusField,
  lines: z.array(z.looseObject({ ts: z.string(), event: z.string() })),
  total: count,
});
