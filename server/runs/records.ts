import { each } from '../../shared/base/queue.ts';
import { z } from 'zod';
import { SpillwayError } from '../../shared/base/errors.ts';
import { SAID_UNITS } from '../../shared/base/cut.ts';
import type { JsonValue } from '../../shared/base/json.ts';
import { type CleanText, StoredRecord, StoredText } from '../libraries/redaction/mark.ts';
import { Lifetime } from '../core/machine/expiry.ts';
import { MIME } from '../../shared/base/mime.ts';
import { OutputMode } from '../../shared/core/descriptor.ts';
import type { Redactor } from '../core/services.ts';
import {
  cleanBytes,
  cleanJsonText,
  clipClean,
  type CleanBytes,
  cleanRecord,
} from '../libraries/redaction/clean.ts';

/* A run's own records in the database. Each is parsed when it is read: a disk is as foreign as a wire. */

/** Of what a run keeps next to its items: a list of runs reads many of these at once. */
export const KEPT_ROOM = { units: 16_384, textUnits: SAID_UNITS };

/** Runs of earlier versions kept texts whole. */
const ShortText = StoredText.transform((text) => clipClean(text, SAID_UNITS));

export const RunFacts = z.object({
  version: z.literal(1),
  run_id: z.string(),
  tool: z.string(),
  /** In short, if they are long. */
  args: StoredRecord,
  has_long_args: z.boolean().default(false),
  /** They contain a secret, so that only the server that received them can work with them. */
  is_redacted: z.boolean(),
  source: StoredText,
  session: z.string(),
  output_mode: OutputMode,
  output_inline_limit_bytes: z.int(),
  started_at_ms: z.number(),
  calls_tools: z.boolean().default(false),
});
export type RunFacts = z.infer<typeof RunFacts>;

const StoredOutcome = z.object({
  state: StoredRecord,
  coverage: z.array(ShortText).readonly(),
  single: z.enum(Object.values(MIME)).exactOptional(),
  source: StoredText.nullable().exactOptional(),
});

export const RunLife = z.object({
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted']),
  /** The server that has it, or had it when it died or left. */
  owner: z
    .object({ pid: z.int(), start_time: z.string().regex(/^\d{1,20}$/), instance: z.uuid().optional() })
    .nullable(),
  ended_at_ms: z.number().nullable(),
  error: z
    .object({
      code: z.string(),
      message: ShortText,
      hint: ShortText.exactOptional(),
      retryable: z.boolean().exactOptional(),
      body: StoredRecord.exactOptional(),
      quotes: StoredText.exactOptional(),
    })
    .nullable(),
  outcome: StoredOutcome.nullable(),
  output_handle: z.string().nullable(),
  /** Restarts whenever the run starts, is resumed, or ends. */
  lifetime: Lifetime,
});
export type RunLife = z.infer<typeof RunLife>;

export const RunTally = z.object({
  items: z.int(),
  /** Length of the items as one stored array, without its closing bytes. */
  array_bytes: z.int(),
  progress: z.object({
    done: z.number(),
    queued: z.number(),
    failed: z.number(),
    rate_per_second: z.number(),
    message: StoredText.exactOptional(),
  }),
  redacted: z.object({
    secrets: z.record(z.string(), z.number()),
    invisibleCharacters: z.number(),
    instructionLike: z.number(),
  }),
});
export type RunTally = z.infer<typeof RunTally>;

export const EMPTY_TALLY: RunTally = {
  items: 0,
  array_bytes: 0,
  progress: { done: 0, queued: 0, failed: 0, rate_per_second: 0 },
  redacted: { secrets: {}, invisibleCharacters: 0, instructionLike: 0 },
};

/** Bytes before each item of a stored array. */
export const ITEM_LEAD_BYTES = 2;

/** An item's place among the others, and in the sealed array, in bytes. */
export interface ItemRow {
  readonly position: number;
  readonly start: number;
  readonly size: number;
}

/** @throws `store_corrupt` for a record that no run wrote. */
export function parseRecord<T>(schema: z.ZodType<T>, value: JsonValue | undefined, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw runCorrupt(what, 'its record is malformed', parsed.error);
}

/** `store_corrupt`: the disk does not have the bytes that were written. */
export const runCorrupt = (what: string, why: string, cause?: unknown): SpillwayError =>
  new SpillwayError('store_corrupt', `${what} is damaged: ${why}.`, { cause });

/** Redacted items as bytes, with the redaction report. */
export async function redactItems(redactor: Redactor, items: readonly JsonValue[]) {
  if (items.length === 0) return { lines: [], redacted: null };
  const { payload, report } = await redactor.payload({
    kind: 'items',
    mimeType: MIME.json,
    items: each(items),
  });
  const lines: CleanBytes[] = [];
  if (payload.kind === 'items')
    for await (const item of payload.items) lines.push(cleanBytes(cleanJsonText(item ?? null)));
  return { lines, redacted: report() };
}

/*
 * A run whose program waits ends as interrupted, with what it waits for as its error. While it is continued it keeps that error,
 * so that it is continued again where its server ends.
 */

const DAY_MS = 86_400_000;
const QUESTION_MS = 30 * DAY_MS;
/** A program that ends its server each time is left to people. */
const RESUMED_MAX = 5;

const Body = z.looseObject({
  goes_on: z.literal(true),
  resumed: z.int().default(0),
  unseen: z.boolean().default(false),
  waiting: z.array(z.looseObject({ until: z.number().optional() })),
});

type Failure = { readonly code: string; readonly body?: unknown } | null;

/** Whether any server of the home continues it. */
export function isParked({ error }: { readonly error: Failure }): boolean {
  const { data } = Body.safeParse(error?.body);
  return error?.code === 'workflow_waits' && data !== undefined && data.resumed < RESUMED_MAX;
}

/** Its question reached nobody. */
export const isUnseen = ({ error }: { readonly error: Failure }): boolean =>
  Body.safeParse(error?.body).data?.unseen === true;

/** A waiting run whose question has reached nobody, with a hint that says so. */
export function asUnseen(life: RunLife, hint: CleanText): RunLife {
  const { error, status } = life;
  if (error === null || status !== 'interrupted' || !isParked(life)) return life;
  return { ...life, error: { ...error, hint, body: cleanRecord({ ...error.body, unseen: true }) } };
}

/** It no longer waits for anything. */
export function onceMore(error: RunLife['error']): RunLife['error'] {
  const body = Body.safeParse(error?.body).data;
  if (error === null || body === undefined) return null;
  return {
    ...error,
    body: cleanRecord({ ...error.body, waiting: [], unseen: false, resumed: body.resumed + 1 }),
  };
}

/** A wait continues until its time has come, and so does a question. */
export function lengthenLifetime(
  lifetime: RunLife['lifetime'],
  error: RunLife['error'],
): RunLife['lifetime'] {
  if (error?.code !== 'workflow_waits') return lifetime;
  const times = (Body.safeParse(error.body).data?.waiting ?? []).map(
    ({ until = 0 }) => until - lifetime.created_at_ms,
  );
  return { ...lifetime, expires_at_ms: lifetime.expires_at_ms + Math.max(QUESTION_MS, ...times) };
}
