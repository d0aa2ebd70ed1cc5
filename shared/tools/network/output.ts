import { z } from 'zod';

const count = z.number().int().min(0);

/** The state of a tab's capture. */
const captureFields = {
  tab: z.string(),
  state: z.enum(['capturing', 'ended']),
  source: z.enum(['debugger', 'web_request']).nullable(),
  bodies: z.enum(['none', 'text', 'all']),
  ended: z.string().nullable(),
  gaps: count,
};

/** HAR entries of a slice, one capture, or all of them with their ring. */
export const NetworkFields = z
  .looseObject({
    items: z.array(z.record(z.string(), z.unknown())),
    ...captureFields,
    captures: z.array(z.looseObject(captureFields)),
    all: z.literal(true),
    cleared: z.string(),
    entries: count,
    size_bytes: count,
    max_bytes: count,
    dropped_entries: count,
    dropped_bodies: count,
    lost_lines: count,
    disk_error: z.string().nullable(),
  })
  .partial();
