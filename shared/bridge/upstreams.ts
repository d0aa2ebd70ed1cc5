import { z } from 'zod';

/*
 * What people at the browsers see of the other servers whose tools a server offers, and how they accept them. Texts are those of the
 * other servers: data, never instructions.
 */

/** The longest text shown for one tool. */
export const SHOWN_TOOL_UNITS = 16_000;

const Id = z.string().min(1).max(64);
const Count = z.int().min(0);
/** Stands for an upstream and all its tools as they are. */
const Revision = z.string().min(1).max(64);

const ShownUpstream = z.object({
  id: Id,
  /** Identifies it to a person: a command line, or an address. */
  target: z.string(),
  state: z.enum(['starting', 'ready', 'failed']),
  /** The failure and the next step; null otherwise. */
  problem: z.string().nullable(),
  tools: Count,
  /** Tools that a person has to look at before they may be called. */
  unaccepted: Count,
});
export type ShownUpstream = z.infer<typeof ShownUpstream>;

const ShownUpstreamTool = z.object({
  name: z.string(),
  /** Empty where it has none. */
  title: z.string().default(''),
  description: z.string(),
  /** JSON Schema of its arguments, as text. */
  parameters: z.string(),
  /** JSON Schema of its answers, as text; empty where it has none. */
  answers: z.string().default(''),
  is_read_only: z.boolean(),
  /** Null for one that was accepted as it is. */
  change: z.enum(['new', 'changed']).nullable(),
  /** False if a text is longer than {@link SHOWN_TOOL_UNITS}. */
  is_whole: z.boolean(),
});
export type ShownUpstreamTool = z.infer<typeof ShownUpstreamTool>;

/** Methods about upstreams, worker → server. */
export const UPSTREAM_METHODS = {
  'upstreams.list': { params: z.object({}), result: z.object({ upstreams: z.array(ShownUpstream) }) },
  /** The tools of one, as many as fit in a message. */
  'upstreams.tools': {
    params: z.object({ id: Id, offset: Count.default(0) }),
    result: z.object({
      revision: Revision,
      tools: z.array(ShownUpstreamTool),
      total: Count,
      /** Null at the end. */
      next_offset: Count.nullable(),
    }),
  },
  /** A person accepts an upstream as it was shown. `upstream_changed` if it is another by now. */
  'upstreams.accept': {
    params: z.object({ id: Id, revision: Revision, where: z.literal('side_panel') }),
    result: z.object({ accepted: Count }),
  },
} as const;
