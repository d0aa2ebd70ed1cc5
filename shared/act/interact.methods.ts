import { z } from 'zod';
import { unjudged } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { LIMITS } from '../base/limits.ts';
import { Download, DOWNLOADS_NAMED } from '../core/downloads.ts';
import { FieldValue, Step } from './steps.ts';
import { TabInfo } from '../core/bridge/page.ts';

export const Show = z.enum(['diff', 'none', 'snapshot']);

const Outcome = z.object({
  /** The step as requested: `click e6`, `Email`. */
  line: z.string().max(300),
  /** A note for the agent: the value of the field (`= Ada`), or how the element was found. */
  note: z.string().max(300).nullable(),
  /** The role and name of the target of a step: `button Save`. */
  element: z.string().max(300).optional(),
});

/** A failed step is part of it, since earlier ones were done. */
const ActResult = z.object({
  done: z.array(Outcome),
  failed: z
    .object({
      line: z.string().max(300),
      /** Its index among the fields and steps; by default the one after those done. */
      at: z.int().min(0).optional(),
      code: z.string().max(64),
      message: z.string().max(4_000),
      hint: z.string().max(1_000),
      /** Missing if the code says it. */
      retryable: z.boolean().optional(),
      tab_id: z.int().optional(),
      /** Site of the frame that was kept from its input. */
      went_to: z.string().max(2_000).optional(),
    })
    .nullable(),
  not_tried: z.array(z.string().max(300)),
  /** Indices of the fields and steps that put text into elements whose values receipts leave out. */
  hidden: z.array(z.int()).max(1_000).optional(),
  /** Of the page after the act; null if its tab is gone. */
  tab: TabInfo.nullable(),
  from_url: z.string(),
  is_new_document: z.boolean(),
  dialog: z.object({ type: z.string(), message: z.string().max(1_000) }).nullable(),
  opened: z.array(TabInfo).max(20),
  downloads: z.array(Download).max(DOWNLOADS_NAMED),
  /** When the act began and ended, in milliseconds since the epoch. */
  started_at: z.number(),
  ended_at: z.number(),
  /** Requests that began during the act. */
  requests: z.int().min(0),
  /** Addresses that were still loading at the end. */
  loading: z.array(z.string()).max(5),
  console_errors: z.array(z.string().max(300)).max(5),
  /** The changes or the snapshot, one line each; null if none was requested. */
  text: z.string().nullable(),
  /** Where it continues, and its share of the page. */
  left: z.array(z.object({ ref: z.string().nullable(), share: z.number() })),
  notes: z.array(z.string().max(500)).max(20),
});

export const methods = {
  /**
   * The next bytes of a file for a later act. They are dropped with it, with the channel, and by a file that begins
   * again: one without bytes takes the place of an act that never began.
   */
  'act.stage': unjudged(
    z.object({
      file: z.string().min(1).max(64),
      offset: z.int().min(0),
      data: z.string().max(Math.ceil(LIMITS.uploadChunkBytes / 3) * 4),
    }),
    z.object({ received: z.int() }),
  ),
  'act.run': {
    dialog: 'refuses',
    // Of its fields and steps, see `risksOfAct`.
    policy: { judged: 'handler', risks: ['read', 'input', 'submit', 'navigate', 'download', 'upload'] },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      fields: z.array(z.object({ name: z.string().min(1).max(2_000), value: FieldValue })),
      steps: z.array(Step),
      /** Indices of fields and steps whose value comes from `--secrets`: receipts do not show it. */
      secret: z.object({
        fields: z.array(z.int()),
        steps: z.array(z.int()),
        /** Values that stand for one which the server gives at the moment of typing: keys of `secrets.take`. */
        lent: z.array(z.string().max(64)).optional(),
        /** Those that may be typed only at some sites: `secret:NAME`, and patterns of the sites. */
        bound: z
          .array(
            z.object({
              of: z.enum(['fields', 'steps']),
              index: z.int(),
              name: z.string(),
              sites: z.array(z.string()),
            }),
          )
          .optional(),
      }),
      /** The tab was opened by this session in a browser that its server launched. */
      may_type_passwords: z.boolean(),
      /** Paths in `fields` and `steps`: the file sent by `act.stage` for each, or why none was. */
      files: z.array(
        z.object({
          path: z.string(),
          file: z.string().nullable(),
          name: z.string(),
          mime: z.string(),
          refused: z.string().nullable(),
          /** A person chooses the files of this step, by its index: `path` has what it names, line by line. */
          asked: z.int().min(0).optional(),
        }),
      ),
      /** How long a step waits for its target, in milliseconds. */
      wait_ms: z.int().min(0).max(60_000),
      show: Show,
      /** Token limit of the changes or the snapshot. */
      budget: z.int().min(1),
    }),
    result: ActResult,
  },
} as const;
