import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode, InitializeRequestSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { PostBody } from './body.ts';
import type { Refusal } from '../../../toolkit/http-guard.ts';
import { describeParams } from '../rpc.ts';

/** When to ask again for a session that there is no room for. */
const ROOM_S = 30;
const ACCEPTED = ['application/json', 'text/event-stream'];
const Opening = JSONRPCRequestSchema.extend(InitializeRequestSchema.shape);

/**
 * Why a request that names no session opens none. Whatever the transport would refuse is refused
 * here, since another session may have to end for the new one: none ends for a request with a fault.
 */
export function checkOpening({ accept }: IncomingHttpHeaders, { body, requests }: PostBody): Refusal | null {
  if (!requests.some(({ method }) => method === 'initialize'))
    return { status: 400, message: 'Mcp-Session-Id: initialize a session first.' };
  if (!ACCEPTED.every((type) => accept?.includes(type) === true))
    return { status: 406, message: `Not Acceptable: Client must accept ${ACCEPTED.join(' and ')}` };
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > 1) return invalid('it must be the only message in its batch');
  const { error } = Opening.safeParse(messages[0]);
  return error === undefined ? null : invalid(describeParams(error));
}

const invalid = (why: string): Refusal => ({
  status: 400,
  code: ErrorCode.InvalidRequest,
  message: `initialize: ${why}.`,
});

/** Why one without a fault opens none either: no session can end for it. */
export function sessionLimitRefusal(): Refusal {
  const error = new SpillwayError('too_many_sessions', 'Every session of this server is busy.');
  return {
    status: 503,
    message: `${error.message} ${error.hint}`,
    error: error.toWire(),
    headers: { 'retry-after': String(ROOM_S) },
  };
}
