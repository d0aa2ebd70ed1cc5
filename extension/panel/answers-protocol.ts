import * as z from 'zod/mini';
import type { ListedRun } from '../../shared/bridge/feed.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';

/* Answers to what the page asks, as it parses them. The worker has checked them with the schemas of the bridge. */

const AnyJson = z.custom<JsonValue>((value) => value !== undefined);
const AnyRecord = z.custom<JsonObject>((value) => isObject(value));

/** The answer to `result`: null once the server has dropped it. */
export const CallResult = z.object({
  answer: z.nullable(
    z.object({
      ok: z.boolean(),
      value: z.optional(AnyJson),
      picture: z.nullable(z.object({ mime_type: z.string(), base64: z.string() })),
      state: AnyRecord,
      error: z.nullable(
        z.object({
          code: z.string(),
          message: z.string(),
          hint: z.nullable(z.string()),
          body: z.optional(AnyJson),
        }),
      ),
      stored: z.nullable(
        z.object({
          handle: z.string(),
          mime_type: z.string(),
          size_bytes: z.number(),
          item_count: z.nullable(z.number()),
          preview: z.nullable(z.string()),
        }),
      ),
      notes: z.array(z.string()),
    }),
  ),
});
export type CallResult = z.infer<typeof CallResult>;

const ListedOutput = z.object({
  handle: z.string(),
  source_tool: z.string(),
  mime_type: z.string(),
  kind: z.enum(['items', 'json', 'text', 'bytes']),
  size_bytes: z.number(),
  item_count: z.nullable(z.number()),
  created_at_ms: z.number(),
  expires_at_ms: z.number(),
  page: z.optional(z.nullable(z.string())),
  /** Null for one that expires. */
  kept: z.optional(
    z.nullable(z.object({ note: z.nullable(z.string()), by: z.optional(z.enum(['agent', 'person'])) })),
  ),
});

/** The answer to `outputs`. */
export const OutputList = z.object({
  outputs: z.array(ListedOutput),
  total: z.number(),
  next: z.nullable(z.string()),
});
export type OutputList = z.infer<typeof OutputList>;

/** The answer to `output_page`. */
export const OutputPage = z.object({
  unit: z.enum(['items', 'bytes']),
  items: z.optional(z.array(AnyJson)),
  /** Items that are null here because they are too large for a page. */
  oversized: z.optional(
    z.array(z.object({ index: z.number(), byte_offset: z.number(), size_bytes: z.number() })),
  ),
  text: z.optional(z.string()),
  base64: z.optional(z.string()),
  offset: z.number(),
  next_offset: z.nullable(z.number()),
  total: z.number(),
  mime_type: z.string(),
});
export type OutputPage = z.infer<typeof OutputPage>;

/** The answer to `output_search`. */
export const OutputMatches = z.object({
  unit: z.enum(['items', 'bytes']),
  matches: z.array(
    z.object({ offset: z.number(), before: z.string(), match: z.string(), after: z.string() }),
  ),
  /** Where to search on; null when all was searched. */
  next_offset: z.nullable(z.number()),
  total: z.number(),
});
export type OutputMatches = z.infer<typeof OutputMatches>;

/** The answer to `output_delete`, and to `output_keep`. */
export const Changed = z.object({});

/** The answer to `run_items`. */
export const RunItems = z.object({
  items: z.array(AnyJson),
  total: z.number(),
  next_offset: z.nullable(z.number()),
});
export type RunItems = z.infer<typeof RunItems>;

const LedgerLine = z.looseObject({ chain: z.string(), seq: z.number(), ts: z.string(), kind: z.string() });

/** The answer to `ledger`. */
export const LedgerPage = z.object({
  lines: z.array(LedgerLine),
  next: z.nullable(z.string()),
  /** Null while that is being checked. */
  is_intact: z.nullable(z.boolean()),
  problems: z.array(z.string()),
  is_shorter: z._default(z.boolean(), false),
});
export type LedgerPage = z.infer<typeof LedgerPage>;

/** The answer to `health`. */
export const Health = z.object({
  hops: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['ok', 'failed', 'not_tested']),
      code: z.nullable(z.string()),
      detail: z.string(),
      fix: z.nullable(z.string()),
    }),
  ),
});
export type Health = z.infer<typeof Health>;

const ShownUpstream = z.object({
  id: z.string(),
  target: z.string(),
  state: z.enum(['starting', 'ready', 'failed']),
  problem: z.nullable(z.string()),
  tools: z.number(),
  unaccepted: z.number(),
});
export type ShownUpstream = z.infer<typeof ShownUpstream>;

/** The answer to `upstreams`. */
export const UpstreamList = z.object({ upstreams: z.array(ShownUpstream) });
export type UpstreamList = z.infer<typeof UpstreamList>;

const ShownUpstreamTool = z.object({
  name: z.string(),
  // A server of an earlier version says neither title nor answers.
  title: z._default(z.string(), ''),
  description: z.string(),
  parameters: z.string(),
  answers: z._default(z.string(), ''),
  is_read_only: z.boolean(),
  change: z.nullable(z.enum(['new', 'changed'])),
  is_whole: z.boolean(),
});
export type ShownUpstreamTool = z.infer<typeof ShownUpstreamTool>;

/** The answer to `upstream_tools`. */
export const UpstreamTools = z.object({
  revision: z.string(),
  tools: z.array(ShownUpstreamTool),
  total: z.number(),
  next_offset: z.nullable(z.number()),
});
export type UpstreamTools = z.infer<typeof UpstreamTools>;

/** The answer to `upstream_accept`. */
export const AcceptedUpstream = z.object({ accepted: z.number() });

const ShownRun = z.object({
  run_id: z.string(),
  tool: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted']),
  progress: z.object({
    done: z.number(),
    queued: z.number(),
    failed: z.number(),
    rate_per_second: z.number(),
  }),
  items: z.number(),
  size_bytes: z.number(),
  started_at_ms: z.number(),
  ended_at_ms: z.nullable(z.number()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  notes: z.optional(z.readonly(z.array(z.string()))),
  output_handle: z.nullable(z.string()),
  source: z.string(),
  has_arguments: z.boolean(),
  args: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  args_left: z.optional(z.number()),
}) satisfies z.ZodMiniType<ListedRun>;

/** The answer to `runs`. */
export const RunList = z.object({ runs: z.array(ShownRun), next_offset: z.nullable(z.number()) });
export type RunList = z.infer<typeof RunList>;

/** The answer to `run_cancel` and `run_resume`. */
export const ChangedRun = z.object({ run: ShownRun });

const Figures = z.object({
  calls: z.number(),
  bytes: z.number(),
  tokens: z.number(),
  estimated_tokens: z.number(),
  saved_tokens: z.number(),
});
const Budget = z.nullable(
  z.object({ tokens: z.number(), left: z.number(), state: z.enum(['fine', 'warned', 'exceeded']) }),
);
const NamedFigures = z.array(z.object({ name: z.string(), figures: Figures }));

/** The answer to `meter`. */
export const Meters = z.object({
  meters: z.array(
    z.object({
      server: z.string(),
      reading: z.object({
        total: Figures,
        sessions: z.array(
          z.object({ session: z.string(), agent: z.string(), figures: Figures, budget: Budget }),
        ),
        agents: NamedFigures,
        tools: NamedFigures,
      }),
    }),
  ),
});

/** The answer to `lift`. */
export const Lifted = z.object({ budget: Budget });
