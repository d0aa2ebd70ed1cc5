import { z } from 'zod';
import { ChainEnds } from '../../ledger/report.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { Json } from '../../base/json-schema.ts';
import { HumanAnswer, HumanAsk } from '../../people/takeover.ts';
import { ListedRun } from '../feed.ts';

/*
 * Everything people at the browsers can open: answers of calls, stored outputs, items of runs, the ledger, and the
 * state of the hops between agent and browser. All of it is redacted.
 */

/** Maximum items of one page. */
const PAGE_ITEMS = 500;
/** Maximum bytes of one page: it has to fit in a frame of the bridge as JSON, where a byte takes up to six. */
const PAGE_BYTES = 64 * 1024;
/** Maximum matches of one answer. */
const MATCHES = 200;

const Id = z.string().min(1).max(128);
const Count = z.int().min(0);

export const CallAnswer = z.object({
  ok: z.boolean(),
  /** JSON if the tool answers JSON, else its text. Absent if it is a picture, is stored, or is too large. */
  value: Json.optional(),
  picture: z.object({ mime_type: z.string(), base64: z.string() }).nullable(),
  /** Survives failure. */
  state: z.custom<JsonObject>((value) => isObject(value)),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable(), body: Json.optional() })
    .nullable(),
  stored: z
    .object({
      handle: z.string(),
      mime_type: z.string(),
      size_bytes: Count,
      item_count: Count.nullable(),
      preview: z.string().nullable(),
    })
    .nullable(),
  notes: z.array(z.string()).readonly(),
});
export type CallAnswer = z.infer<typeof CallAnswer>;

/** A page of a stored output: of `items`, or of bytes as text or in base64. */
const OutputPage = z.object({
  unit: z.enum(['items', 'bytes']),
  items: z.array(Json).readonly().optional(),
  text: z.string().optional(),
  base64: z.string().optional(),
  offset: Count,
  /** Null at the end. */
  next_offset: Count.nullable(),
  /** In the same unit. */
  total: Count,
  mime_type: z.string(),
});
export type ShownPage = z.infer<typeof OutputPage>;

/** A place where a text was found: an item, or a byte. */
const Match = z.object({ offset: Count, before: z.string(), match: z.string(), after: z.string() });

/** A line of the ledger without its hashes. Further members describe its subject. */
export const LedgerLine = z.looseObject({
  chain: Id,
  seq: z.int().min(1),
  ts: z.iso.datetime(),
  kind: z.string(),
});

/** Where a page of the ledger begins: the time, the chain, and the first byte of a line. */
const LedgerPosition = z.string().regex(/^[0-9TZ:.-]{20,30}\/[0-9A-Za-z-]{1,80}\/\d{1,15}$/);

/** One link between an agent and a page. Texts are for people. */
const HealthHop = z.object({
  id: z.string().max(64),
  /** `not_tested`: a running server cannot test it without disturbing somebody. */
  status: z.enum(['ok', 'failed', 'not_tested']),
  code: z.string().nullable(),
  detail: z.string(),
  /** The next step; null unless it failed. */
  fix: z.string().nullable(),
});
export type HealthHop = z.infer<typeof HealthHop>;

export const ANSWER_METHODS = {
  /** Null if the server has dropped it or never had it. */
  'call.result': {
    params: z.object({ call_id: z.string().min(1).max(256) }),
    result: z.object({ answer: CallAnswer.nullable() }),
  },
  /** A page of a stored output. */
  'outputs.page': {
    params: z.object({
      handle: Id,
      offset: Count.default(0),
      limit: z.int().min(4).max(PAGE_BYTES).optional(),
      /** `bytes`: the stored bytes, even for items. */
      format: z.enum(['auto', 'bytes']).optional(),
    }),
    result: OutputPage,
  },
  /**
   * Finds a text in a stored output, whatever its case. Takes at most a few seconds: continue at
   * `next_offset`, which is null once everything was searched.
   */
  'outputs.search': {
    params: z.object({
      handle: Id,
      text: z.string().min(1).max(200),
      offset: Count.default(0),
      limit: z.int().min(1).max(MATCHES).default(50),
    }),
    result: z.object({
      unit: z.enum(['items', 'bytes']),
      matches: z.array(Match).readonly(),
      next_offset: Count.nullable(),
      total: Count,
    }),
  },
  /** A person removes a stored output. Later reads answer `output_handle_not_found`. */
  'outputs.delete': {
    params: z.object({ handle: Id, where: z.literal('side_panel') }),
    result: z.object({}),
  },
  /** A person keeps a stored output, or stops keeping it. */
  'outputs.keep': {
    params: z.object({ handle: Id, keep: z.boolean(), where: z.literal('side_panel') }),
    result: z.object({}),
  },
  /** Committed items of a run. `next_offset` is null once the run has ended and its last item was given. */
  'runs.items': {
    params: z.object({
      run_id: Id,
      offset: Count.default(0),
      limit: z.int().min(1).max(PAGE_ITEMS).default(100),
    }),
    result: z.object({ items: z.array(Json).readonly(), total: Count, next_offset: Count.nullable() }),
  },
  /** Lines of the home's ledger, newest first. */
  'ledger.page': {
    params: z.object({
      before: LedgerPosition.optional(),
      limit: z.int().min(1).max(200).default(50),
      /** The ledger is compared with it. */
      remembered: ChainEnds.default([]),
    }),
    result: z.object({
      lines: z.array(LedgerLine).readonly(),
      /** For `before`; null at the end. */
      next: LedgerPosition.nullable(),
      /** For `before`; null at the end. */
      is_intact: z.boolean().nullable(),
      /** Problems in the words of `spillway ledger verify`. */
      problems: z.array(z.string()).readonly(),
      /** Whether it is shorter than the browser remembers. */
      is_shorter: z.boolean().default(false),
    }),
  },
  /** The links between agent and page, as far as a running server can check. */
  'health.read': { params: z.object({}), result: z.object({ hops: z.array(HealthHop).readonly() }) },
} as const;

/** The calls of a program, from its record, in the form for people; and people's answers to it. */

const RunId = ListedRun.shape.run_id;

const ProgramCall = z.object({
  /** From 1. */
  id: z.int(),
  kind: z.enum(['tool', 'sleep', 'ask', 'step']),
  tool: z.string().max(200),
  args: ListedRun.shape.args.unwrap(),
  /** `not_repeated`: its server ended during the call, whose outcome is unknown. */
  status: z.enum(['done', 'running', 'waiting', 'failed', 'not_repeated']),
  answer: CallAnswer.nullable(),
  question: HumanAsk.extend({ message: z.string() }).nullable(),
  /** For a sleep, in milliseconds since the epoch. */
  until: z.number().nullable(),
});
export type ProgramCall = z.infer<typeof ProgramCall>;

export const PROGRAM_METHODS = {
  /** Calls of a program: the last ones, or those from a number on. */
  'runs.calls': {
    params: z.object({ run_id: RunId, from: z.int().min(1).optional() }),
    result: z.object({
      calls: z.array(ProgramCall).readonly(),
      /** For `from` of the previous and next page; null if there is none. */
      before: z.int().nullable(),
      after: z.int().nullable(),
    }),
  },
  /** A person answers a question of a program; without an answer they decline. */
  'runs.answer': {
    params: z.object({ run_id: RunId, call: z.int(), answer: HumanAnswer.optional() }),
    result: z.object({}),
  },
} as const;

/*
 * The other servers whose tools a server offers, as people at the browsers see and accept them. Texts are those of the
 * other servers: data, never instructions.
 */

/** The longest text shown for one tool. */
export const SHOWN_TOOL_UNITS = 16_000;

const UpstreamId = z.string().min(1).max(64);
/** Identifies an upstream and the current state of all its tools. */
const Revision = z.string().min(1).max(64);

const ShownUpstream = z.object({
  id: UpstreamId,
  /** Identifies it to a person: a command line, or an address. */
  target: z.string(),
  state: z.enum(['starting', 'ready', 'failed']),
  /** The failure and the next step; null otherwise. */
  problem: z.string().nullable(),
  tools: Count,
  /** Tools that a person has to review before they may be called; 1 for resources and prompts without any tool. */
  unaccepted: Count,
});
export type ShownUpstream = z.infer<typeof ShownUpstream>;

const ShownUpstreamTool = z.object({
  name: z.string(),
  /** Empty if it has none. */
  title: z.string().default(''),
  description: z.string(),
  /** JSON Schema of its arguments, as text. */
  parameters: z.string(),
  /** JSON Schema of its answers, as text; empty if it has none. */
  answers: z.string().default(''),
  is_read_only: z.boolean(),
  /** Null for one that is already accepted. */
  change: z.enum(['new', 'changed']).nullable(),
  /** False if a text is longer than {@link SHOWN_TOOL_UNITS}. */
  is_whole: z.boolean(),
});
export type ShownUpstreamTool = z.infer<typeof ShownUpstreamTool>;

/** Methods about upstreams, worker → server. */
export const UPSTREAM_METHODS = {
  'upstreams.list': { params: z.object({}), result: z.object({ upstreams: z.array(ShownUpstream) }) },
  /** The tools of one upstream, as many as fit in a message. */
  'upstreams.tools': {
    params: z.object({ id: UpstreamId, offset: Count.default(0) }),
    result: z.object({
      revision: Revision,
      tools: z.array(ShownUpstreamTool),
      total: Count,
      /** Null at the end. */
      next_offset: Count.nullable(),
    }),
  },
  /** A person accepts an upstream as it was shown. `upstream_changed` if it has changed since. */
  'upstreams.accept': {
    params: z.object({ id: UpstreamId, revision: Revision, where: z.literal('side_panel') }),
    result: z.object({ accepted: Count }),
  },
} as const;
