import {
  EmptyResultSchema,
  ErrorCode,
  McpError,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { AskPerson } from '../../core/ask-person.ts';
import type { Extra, McpSession } from './session.ts';

/** A form of ours is what the protocol takes: an object of scalars. */
const RequestedSchema = z.custom<ElicitRequestFormParams['requestedSchema']>();

/** Servers whose next request has another id than 0. */
const begun = new WeakSet<McpSession['server']>();

/**
 * Uses up the id 0 with a ping, whose answer is not waited for: clients that are built with the SDK ignore the cancellation
 * of a request of that id, and would show a question that has been decided elsewhere.
 */
export function useFirstId({ server }: McpSession, { requestId }: Extra): void {
  if (begun.has(server)) return;
  begun.add(server);
  const options = { timeout: LIMITS.humanInputMs, relatedRequestId: requestId };
  server.request({ method: 'ping' }, EmptyResultSchema, options).catch(() => undefined);
}

/** Elicitation, for a client that declares it in form mode. */
export function askPersonOf(mcp: McpSession, extra: Extra): AskPerson | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async ({ message, schema }, signal) => {
    useFirstId(mcp, extra);
    try {
      const { action, content = {} } = await server.elicitInput(
        { mode: 'form', message, requestedSchema: RequestedSchema.parse(schema) },
        { timeout: LIMITS.humanInputMs, signal, relatedRequestId: extra.requestId },
      );
      return { action, content: JsonRecord.parse(content) };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      if (thrown instanceof McpError && thrown.code === ErrorCode.RequestTimeout)
        throw new SpillwayError('human_input_expired', 'Nobody answered in time.', { cause: thrown });
      throw new SpillwayError(
        'human_unreachable',
        `The client did not show the question: ${messageOf(thrown)}`,
        {
          cause: thrown,
        },
      );
    }
  };
}
