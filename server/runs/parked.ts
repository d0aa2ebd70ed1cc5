import { z } from 'zod';
import { cleanRecord } from '../redact/clean.ts';
import type { RunLife } from './records.ts';

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
  waiting: z.array(z.looseObject({ until: z.number().optional() })),
});

type Failure = { readonly code: string; readonly body?: unknown } | null;

/** Whether any server of the home continues it. */
export function isParked({ error }: { readonly error: Failure }): boolean {
  const { data } = Body.safeParse(error?.body);
  return error?.code === 'workflow_waits' && data !== undefined && data.resumed < RESUMED_MAX;
}

/** It waits for nothing any longer. */
export function onceMore(error: RunLife['error']): RunLife['error'] {
  const body = Body.safeParse(error?.body).data;
  if (error === null || body === undefined) return null;
  return { ...error, body: cleanRecord({ ...error.body, waiting: [], resumed: body.resumed + 1 }) };
}

/** It is there until the time has come, and so is a question. */
export function keptLonger(lifetime: RunLife['lifetime'], error: RunLife['error']): RunLife['lifetime'] {
  if (error?.code !== 'workflow_waits') return lifetime;
  const times = (Body.safeParse(error.body).data?.waiting ?? []).map(
    ({ until = 0 }) => until - lifetime.created_at_ms,
  );
  return { ...lifetime, expires_at_ms: lifetime.expires_at_ms + Math.max(QUESTION_MS, ...times) };
}
