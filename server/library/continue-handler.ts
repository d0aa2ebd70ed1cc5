import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  SpillwayError,
  toSpillwayError,
  type ErrorCode,
  type WireError,
  invalidArgument,
} from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { parseContinuePayload, type ContinuePayload } from '../people/human-contract.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import { checkRequest, readBody } from '../core/http-guard.ts';
import { systemClock } from '../core/services.ts';
import { HumanInput } from '../people/human-input.ts';
import { atCaller } from './options.ts';

/** Options of {@link createContinueHandler}. */
export interface ContinueHandlerOptions {
  /** Callers send it as `Authorization: Bearer TOKEN`. Null serves every program on this machine. */
  readonly token: string | null;
  /** Default: `/continue`. */
  readonly path?: string | undefined;
}

/**
 * Continues a task: its result becomes the body, as JSON or as the `Response` of a stream. `signal` aborts
 * when the client has gone.
 */
export type Continue = (payload: ContinuePayload, about: { readonly signal: AbortSignal }) => Promise<object>;

const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_argument: 400,
  run_not_found: 404,
  human_input_not_found: 404,
  human_input_answered: 409,
  messages_tampered: 409,
};

/**
 * `POST /continue` for `node:http`: takes a {@link ContinuePayload} and answers with the result of `run`. It
 * is for loopback: pages, other hosts and callers without the token are refused before the body is read, as
 * in the server's own HTTP. Failures are `{ "error": { "code", "message", … } }`.
 */
export const createContinueHandler = (run: Continue, options: ContinueHandlerOptions): RequestListener =>
  createJsonHandler(async (body, about) => run(parseContinuePayload(body), about), options);

/** The same for any JSON. */
export function createJsonHandler(
  run: (body: unknown, about: { readonly signal: AbortSignal }) => Promise<object>,
  { token, path = '/continue' }: ContinueHandlerOptions,
): RequestListener {
  return (request, response) => {
    const refusal =
      checkRequest(request, { path, token }) ??
      (request.method === 'POST'
        ? null
        : { status: 405, message: 'Method not allowed.', headers: { allow: 'POST' } });
    if (refusal !== null) {
      const { status, message, headers = {} } = refusal;
      sendJson(response, status, { error: { message } }, { ...headers, connection: 'close' });
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    answer(request, response, (body) => run(body, { signal: gone.signal })).catch(() => response.destroy());
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  run: (body: unknown) => Promise<object>,
): Promise<void> {
  let body: object;
  try {
    body = await run(await readJson(request));
  } catch (thrown) {
    const error = toSpillwayError(thrown);
    // A model's API, or a tool, may have written it.
    const wire: Clean<WireError> = createRedactor({ enabled: true }).value({ ...error.toWire() });
    sendJson(response, STATUS[error.code] ?? 500, { error: wire });
    return;
  }
  if (!(body instanceof Response)) {
    sendJson(response, 200, body);
    return;
  }
  response.writeHead(body.status, Object.fromEntries(body.headers));
  if (body.body === null) response.end();
  else await pipeline(body.body, response);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, LIMITS.httpBodyBytes);
  if (bytes === null) throw invalidArgument(`The body has more than ${LIMITS.httpBodyBytes} bytes.`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new SpillwayError('invalid_argument', 'The body is not JSON.', { cause });
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

const DAY_MS = 24 * 60 * 60_000;

const OptionsSchema = z.strictObject({
  expiresAfterMs: z
    .number()
    .int()
    .min(1)
    .max(365 * DAY_MS)
    .default(DAY_MS),
  home: z.string().min(1).optional(),
});

/** Options of {@link createHumanInput}. */
export interface HumanInputOptions {
  /** How long a question can be answered, in milliseconds: at most a year. Default: a day. */
  readonly expiresAfterMs?: number | undefined;
  /**
   * Folder in which questions outlive the program: the next program with the same folder continues their
   * tasks. Default: memory.
   */
  readonly home?: string | undefined;
}

/**
 * Pauses tasks until people have answered. It has the key that signs their messages, and the open questions.
 * A program needs only one.
 * @throws SpillwayError `invalid_argument` for a wrong option
 */
export function createHumanInput(options: HumanInputOptions = {}): HumanInput {
  const { data, error } = OptionsSchema.safeParse(options);
  if (data === undefined) {
    const [issue] = error.issues;
    const problem = `${issue?.path.map(String).join('.') || 'options'}: ${issue?.message ?? 'is invalid'}`;
    throw atCaller(
      invalidArgument(`createHumanInput: ${problem}.`, 'Correct the named option.'),
      createHumanInput,
    );
  }
  return new HumanInput({
    home: data.home === undefined ? null : resolve(data.home),
    redactor: createRedactor({ enabled: true }),
    clock: systemClock,
    expiresAfterMs: data.expiresAfterMs,
  });
}

let shared: HumanInput | null = null;

/** The one for programs that make none of their own. */
export const getSharedHumanInput = (): HumanInput => (shared ??= createHumanInput());
