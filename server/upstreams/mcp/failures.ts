import { ProtocolError, ProtocolErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { errnoOf } from '../../core/machine/errno.ts';
import { cut } from '../../../shared/base/cut.ts';
import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import { isCompilable } from '../../core/registry/json-schema.ts';
import { pause, valuesIn } from '../../core/slices.ts';
import type { RecordSchema } from '../../core/record-schema.ts';
import { mayHaveArrived, UNKNOWN_OUTCOME } from '../answers.ts';

/** Whether the other server has answered, with its own error. */
export const isAnswer = (thrown: unknown): thrown is ProtocolError => thrown instanceof ProtocolError;

/** The protocol's codes for a revision that a server does not support, and for a method that it does not have. */
const NO_SESSIONS: readonly number[] = [
  ProtocolErrorCode.UnsupportedProtocolVersion,
  ProtocolErrorCode.MethodNotFound,
];
const REFUSES_SESSIONS = new RegExp(`"code"\\s*:\\s*(?:${NO_SESSIONS.join('|')})\\b`);

/** Whether a server has said that it opens no sessions. */
export const refusesSessions = (thrown: unknown): boolean =>
  thrown instanceof SdkHttpError
    ? [400, 404].includes(thrown.status) && REFUSES_SESSIONS.test(thrown.message)
    : isAnswer(thrown) && NO_SESSIONS.includes(thrown.code);

/** The code for a missing resource; since 2026-07-28 it is one of wrong parameters, which names the resource. */
const MISSING = -32_002;

/** Whether the other server has no such resource. */
export const isMissing = (thrown: unknown): boolean =>
  isAnswer(thrown) &&
  (thrown.code === MISSING ||
    (thrown.code === ProtocolErrorCode.InvalidParams && isObject(thrown.data) && 'uri' in thrown.data));

const POSTING = /^(?:Error POSTing to endpoint: )?/;

/** Without a full stop: it ends a sentence. */
export const reasonOf = (thrown: unknown): string => formatThrown(thrown).replace(/\.$/, '');

function formatThrown(thrown: unknown): string {
  const message = thrown instanceof z.core.$ZodError ? problemsOf(thrown) : messageOf(thrown);
  // Errors below fetch are in its cause.
  if (thrown instanceof TypeError && thrown.cause !== undefined)
    return `${message}: ${errnoOf(thrown.cause) ?? messageOf(thrown.cause)}`;
  if (!(thrown instanceof SdkHttpError)) return message;
  const reason = message.replace(POSTING, '');
  // An address of HTTP+SSE answers so to the first message.
  const older = [404, 405].includes(thrown.status)
    ? ' (an older server needs "transport": "sse" in its entry)'
    : '';
  return `HTTP ${thrown.status}${older}: ${reason}`;
}

/** The beginning of an already redacted text: no secret in it can be cut in half. */
export const beginningOf = (redacted: string, maxUnits: number): string =>
  redacted.length <= maxUnits ? redacted : `${redacted.slice(0, maxUnits - 1).toWellFormed()}…`;

const problemsOf = ({ issues }: z.core.$ZodError): string =>
  `it answered what MCP does not allow (${issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')})`;

/** The server no longer knows our session (MCP, "Session Management"). */
export const isSessionOver = (thrown: unknown): boolean =>
  thrown instanceof SdkHttpError && thrown.status === 404;

/** Only a person can fix these: a loop back to us, or a missing sign-in. */
export const needsPerson = (thrown: unknown): thrown is SpillwayError =>
  thrown instanceof SpillwayError &&
  (thrown.code === 'upstream_loop' || thrown.code === 'upstream_sign_in_required');

/** The failure of a call whose task may not have ended. */
export const unknownEnd = ({ code, message, cause }: SpillwayError): SpillwayError =>
  new SpillwayError(
    code,
    `${message} ${code === 'timeout' ? 'Its task was asked to end.' : 'Its task may still be running there.'}`,
    { ...UNKNOWN_OUTCOME, cause },
  );

/** The failure of a call that may have been carried out. */
export const notAgain = (failure: SpillwayError): SpillwayError =>
  failure.retryable ? failure.with(UNKNOWN_OUTCOME) : failure;

/** Whether a plain call whose request failed so may have been carried out. */
export function mayHaveRun(thrown: unknown): boolean {
  if (thrown instanceof SdkHttpError) return !REFUSING.test(String(thrown.status));
  return mayHaveArrived(thrown instanceof TypeError ? thrown.cause : thrown);
}

/** HTTP statuses of a request that was not carried out. */
const REFUSING = /^(?:4\d\d|503)$/;

const PROBLEM_UNITS = 400;

const PROBLEMS_MAX = 5;
/** Values of an answer, times those of its schema: checking more would take a part of a second. */
const CHECKED_MAX = 5_000_000;

function countIn(value: unknown): number {
  let count = 0;
  for (const _ of valuesIn(value)) count += 1;
  return count;
}

/** Null for one that cannot be compiled. */
const compiled = new WeakMap<JsonObject, RecordSchema | null>();

/** @throws SpillwayError `upstream_error` for an answer that the output schema of its tool does not allow */
export async function expectFit(id: string, schema: JsonObject | undefined, value: unknown): Promise<void> {
  if (schema === undefined || !isObject(value) || !isCompilable(schema)) return;
  if (countIn(schema) * countIn(value) > CHECKED_MAX) return;
  const { compileSchema, describeProblems } = await import('../../core/record-schema.ts');
  let compiledSchema = compiled.get(schema);
  if (compiledSchema === undefined) {
    try {
      compiledSchema = compileSchema(schema);
    } catch {
      compiledSchema = null;
    }
    compiled.set(schema, compiledSchema);
  }
  await pause();
  const problems = compiledSchema?.validate(value) ?? [];
  if (problems.length === 0) return;
  const problem = describeProblems(problems.slice(0, PROBLEMS_MAX));
  throw new SpillwayError(
    'upstream_error',
    `The upstream ${id} answered what its own output schema does not allow: ${cut(problem, PROBLEM_UNITS)}.`,
    { retryable: false },
  );
}
