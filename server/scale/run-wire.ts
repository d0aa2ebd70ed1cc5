import { z } from 'zod';
import { Json, JsonRecord } from '../../shared/json-schema.ts';
import { MIME } from '../../shared/mime.ts';
import { isSite, MAX_SITES } from '../../shared/policy/sites.ts';
import { Recipe } from '../../shared/recipes/recipe.ts';
import { script } from '../../shared/tools/script/manifest.ts';

const Id = z.string().max(64);
const Sites = z.array(z.string().refine(isSite)).max(MAX_SITES);

/** A run of a program on a worker. Neither this nor what either side says afterwards contains a secret. */
export const RunAsked = z.object({
  kind: z.literal('run'),
  run: Id,
  tool: z.enum(['recipe_run', 'script']),
  args: JsonRecord,
  recipe: Recipe.nullable(),
  allowed_sites: Sites.nullable(),
  denied_sites: Sites,
  /** Of a worker's machine and network only these. */
  private_sites: Sites,
});
export type RunAsked = z.infer<typeof RunAsked>;

/** A run as a worker takes it: with a recipe, or with the arguments of `script`. */
export const RunTaken = RunAsked.refine(({ tool, args, recipe }) =>
  tool === 'script' ? recipe === null && script.input.safeParse(args).success : recipe !== null,
);

const Key = z.array(z.union([z.string(), z.number()])).readonly();
const Entry = z.tuple([Key, Json]);
const decision = z.discriminatedUnion('do', [
  z.object({ do: z.literal('retry') }),
  z.object({ do: z.literal('skip'), result: Json }),
]);

/** From one worker's attempt at a run to the home: steps and ends in the order of `seq`, which starts with 1. */
export const Said = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('began'), attempt: Id, job: Id, version: Id }),
  z.object({
    kind: z.literal('step'),
    attempt: Id,
    seq: z.int(),
    items: z.array(Json).readonly(),
    /** In their order; one without a value removes its key. */
    changes: z.array(z.union([Entry, z.tuple([Key])])).readonly(),
    is_durable: z.boolean(),
  }),
  z.object({
    kind: z.literal('progress'),
    attempt: Id,
    progress: z.object({
      done: z.int(),
      queued: z.int(),
      failed: z.int(),
      message: z.string().exactOptional(),
    }),
  }),
  z.object({ kind: z.literal('log'), attempt: Id, event: z.string().max(100), facts: JsonRecord }),
  z.object({
    kind: z.literal('ended'),
    attempt: Id,
    seq: z.int(),
    outcome: z.object({
      state: JsonRecord,
      coverage: z.array(z.string()),
      single: z.enum(Object.values(MIME)).exactOptional(),
      source: z.string().nullable().exactOptional(),
    }),
  }),
  z.object({
    kind: z.literal('failed'),
    attempt: Id,
    seq: z.int(),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    body: JsonRecord.optional(),
    state: JsonRecord.optional(),
    quotes: z.string().optional(),
  }),
]);
export type Said = z.infer<typeof Said>;

/** From the home to one attempt. */
export const Told = z.discriminatedUnion('kind', [
  /** The run's record, with which the program is executed again. */
  z.object({ kind: z.literal('begin'), state: z.array(Entry).readonly(), decision: decision.nullable() }),
  /** It is on the home's disk. */
  z.object({ kind: z.literal('kept'), seq: z.int() }),
  z.object({ kind: z.literal('stop') }),
]);
export type Told = z.infer<typeof Told>;

/** How long what was said waits for the other side. */
export const SAID_SECONDS = 3_600;
/** How long each side listens before it looks after the other. */
export const LISTEN_SECONDS = 5;

export const RUN_KEYS = {
  said: (run: string): string => `spillway:run:${run}:said`,
  told: (run: string, attempt: string): string => `spillway:run:${run}:told:${attempt}`,
  /** There once the home has ended the job: an attempt that begins it then has no home. */
  over: (job: string): string => `spillway:run:over:${job}`,
};
