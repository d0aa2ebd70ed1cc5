import { z } from 'zod';
import { defineTool } from '../core/tools/manifest.ts';

const count = z.number().int().min(0);

/** The server, the browsers that it knows, and its store. */
const HealthFields = z.looseObject({
  server: z.looseObject({ version: z.string(), pid: count, uptime_s: count }),
  browsers: z.array(
    z.looseObject({
      browser: z.string(),
      name: z.string(),
      version: z.string(),
      label: z.string().optional(),
      lacks: z.array(z.string()).optional(),
      connected: z.boolean(),
      extension_version: z.string(),
      host_version: z.string(),
      wire: count,
      reconnects: count,
      tabs: count.optional(),
      /** Outer size in pixels of the last focused window. */
      window: z.looseObject({ width: count, height: count }).optional(),
      round_trip_ms: z.number().min(0).optional(),
      problem: z.string().optional(),
    }),
  ),
  problem: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
  upstreams: z
    .array(
      z.looseObject({
        id: z.string(),
        state: z.enum(['starting', 'ready', 'failed']),
        tools: count,
        /** There are more than are used: these are the first. */
        has_more_tools: z.literal(true).optional(),
        /** Tools that a person has to review first. */
        unaccepted: count.optional(),
        problem: z.string().optional(),
      }),
    )
    .optional(),
  /** `budget` if it has one. */
  meter: z.looseObject({
    calls: count,
    bytes: count,
    tokens: count,
    saved_tokens: z.number().int(),
    budget: z.looseObject({ tokens: count, left: count }).optional(),
  }),
  store: z.looseObject({ directory: z.string(), handles: count, size_bytes: count, max_bytes: count }),
});

const ocConnectionHealth = defineTool({
  name: 'oc_connection_health',
  title: 'Connection health',
  category: 'output',
  tier: 2,
  order: 100,
  risk: 'none',
  does: 'Shows connected browsers, store and tokens used.',
  use: 'Use it when a call fails with browser_not_connected.',
  avoid: 'Not for listing tabs.',
  keywords: 'connected status browser problem disk usage diagnose',
  input: z.strictObject({}),
  output: HealthFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  flags: { unbudgeted: true },
});

export const manifests = [ocConnectionHealth] as const;
