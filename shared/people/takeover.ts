import { z } from 'zod';
import { WaitConditions } from '../wait/wait_for.methods.ts';
import { DecidedWhere } from '../core/policy/decision.ts';
import { READS_TAB, unjudged } from '../core/policy/risks.ts';

/** One field of a form. MCP's elicitation accepts the same, so every surface can show every form. */
const FormField = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  title: z.string().max(200).optional(),
  description: z.string().max(1_000).optional(),
  enum: z.array(z.string().max(200)).min(1).max(100).optional(),
  minLength: z.number().int().min(0).optional(),
  maxLength: z.number().int().min(0).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** Even with three bytes for each, the question fits in a frame of the bridge. */
const FORM_UNITS = 100_000;

/**
 * The schema of a form: JSON Schema of an object whose members are scalars. There are no patterns, since a
 * model writes it and a person's text is matched against it.
 */
export const FormSchema = z
  .object({
    type: z.literal('object'),
    properties: z
      .record(z.string().min(1).max(100), FormField)
      .refine((fields) => Object.keys(fields).length > 0, 'a form has at least one field')
      .refine((fields) => Object.keys(fields).length <= 50, 'a form has at most 50 fields'),
    required: z.array(z.string()).max(50).optional(),
  })
  .refine(({ properties, required = [] }) => required.every((name) => Object.hasOwn(properties, name)), {
    path: ['required'],
    message: 'names a field that the form does not have',
  })
  .refine((form) => JSON.stringify(form).length <= FORM_UNITS, `a form has at most ${FORM_UNITS} characters`);

/** A form that a person fills in. */
export type Form = z.infer<typeof FormSchema>;

export const TAKEOVER_MS = { min: 5_000, byDefault: 10 * 60_000, max: 60 * 60_000 } as const;
export const TakeoverMs = z.int().min(TAKEOVER_MS.min).max(TAKEOVER_MS.max);

/** None of it needs the debugger, which is not attached while a person has the tab. */
export const TakeoverUntil = z
  .strictObject({
    ...WaitConditions.pick({ text: true, text_gone: true, target: true, target_gone: true, url: true }).shape,
    moved: z.literal(true).optional().describe('The tab has gone to another page, as after a log-in'),
    mode: z.enum(['all', 'any']).optional().describe('All of them, or one'),
  })
  .refine(({ mode: _mode, ...conditions }) => Object.values(conditions).some((one) => one !== undefined), {
    message: 'pass text, text_gone, target, target_gone, url or moved',
  });
export type TakeoverUntil = z.infer<typeof TakeoverUntil>;

export const HumanAsk = z.object({
  type: z.enum(['approval', 'text', 'choice', 'form']),
  choices: z.array(z.string().max(200)).max(50).optional(),
  schema: FormSchema.optional(),
});
export type HumanAsk = z.infer<typeof HumanAsk>;

const Text = z.string().max(20_000);
/** Yes or no, a text or a choice, or a form. */
export const HumanAnswer = z.union([
  z.boolean(),
  Text,
  z.record(z.string().max(100), z.union([Text, z.number(), z.boolean()])),
]);
export type HumanAnswer = z.infer<typeof HumanAnswer>;

export const TAKEOVER_OUTCOMES = ['done', 'declined', 'timeout', 'nobody_there', 'tab_closed'] as const;
export type TakeoverOutcome = (typeof TAKEOVER_OUTCOMES)[number];

/** The outcome, or `withdrawn` if it is no longer needed, or `gone` if the browser does not know it. */
export const TakeoverEnding = z.object({
  outcome: z.enum([...TAKEOVER_OUTCOMES, 'withdrawn', 'gone']),
  /** For `done`: whether the person said so, or the page showed it. */
  by: z.enum(['person', 'page']).nullable(),
  where: DecidedWhere.nullable(),
  reason: z.string().max(1_000).nullable(),
  answer: HumanAnswer.optional(),
  /** When the person had the tab, in milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
});
export type TakeoverEnding = z.infer<typeof TakeoverEnding>;

const TakeoverId = z.string().min(1).max(64);

/** Methods about tabs that a person takes over, server → worker. */
export const TAKEOVER_METHODS = {
  /** Gives a tab to the person, and asks them to do something in it. It grants the agent nothing. */
  'takeover.begin': {
    person: 'ignored',
    // An agent may only call a person to a page that it may read.
    policy: READS_TAB,
    params: z.object({
      tab_id: z.int(),
      message: z.string().min(1).max(4_000),
      until: TakeoverUntil.nullable(),
      limit_ms: TakeoverMs,
    }),
    result: z.object({ id: TakeoverId, origin: z.string() }),
  },
  /** Asks a person a question in a card. The methods below also apply to it. It grants the agent nothing. */
  'person.ask': unjudged(
    z.object({
      message: z.string().min(1).max(4_000),
      ask: HumanAsk,
      limit_ms: TakeoverMs,
    }),
    z.object({ id: TakeoverId }),
  ),
  /** Resolves when the take-over has ended. Cancelling the request leaves it as it is. */
  'takeover.wait': unjudged(
    z.object({ id: TakeoverId }),
    TakeoverEnding.extend({
      /** Origin of the tab's current page; null if the agent may not read it. */
      origin: z.string().nullable(),
    }),
  ),
  /** Ends a take-over that is no longer needed. */
  'takeover.cancel': unjudged(z.object({ id: TakeoverId }), z.object({ was_open: z.boolean() })),
} as const;
