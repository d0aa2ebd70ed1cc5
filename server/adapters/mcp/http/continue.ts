import type { IncomingMessage, ServerResponse } from 'node:http';
import { toSpillwayError } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/json-schema.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { checkRequest, readBody } from '../../../toolkit/http-guard.ts';

export const CONTINUE_PATH = '/continue';

/** Takes the answer of a person for a program. @throws SpillwayError for one that is not wanted */
export type TakeAnswer = (payload: JsonValue) => Promise<object>;

/** `POST /continue`: `{ "toolCallId": "run_…", "userInput": … }`, for who may also call tools. */
export async function serveContinue(
  request: IncomingMessage,
  response: ServerResponse,
  { token, take }: { readonly token: string | null; readonly take: TakeAnswer },
): Promise<void> {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const refusal = checkRequest(request, { path: CONTINUE_PATH, token });
  if (refusal !== null) return send(refusal.status, { error: { message: refusal.message } });
  if (request.method !== 'POST') return send(405, { error: { message: 'Method not allowed.' } });
  try {
    const body = await readBody(request, LIMITS.httpBodyBytes);
    send(200, await take(parseJson(body?.toString() ?? '')));
  } catch (thrown) {
    const error = toSpillwayError(thrown);
    send(STATUS[error.code] ?? 400, { error: error.toWire() });
  }
}

const STATUS: Readonly<Record<string, number>> = {
  run_not_found: 404,
  human_input_not_found: 404,
  human_input_answered: 409,
};
