import { ErrorCode, McpError, type ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { AskPerson } from '../../core/ask-person.ts';
import { metaOf, optionsOf, useFirstId, type About } from './about.ts';
import type { McpSession } from './session.ts';

/** A form of ours is what the protocol takes: an object of scalars. */
const RequestedSchema = z.custom<ElicitRequestFormParams['requestedSchema']>();

/** Elicitation, for a client that declares it in form mode. */
export function askPersonOf(mcp: McpSession, about: About): AskPerson | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async ({ message, schema }, signal) => {
    useFirstId(mcp, about);
    try {
      const { action, content = {} } = await server.elicitInput(
        { mode: 'form', message, requestedSchema: RequestedSchema.parse(schema), ...metaOf(about) },
        { timeout: LIMITS.humanInputMs, signal, ...optionsOf(about) },
      );
      return { action, content: JsonRecord.parse(content) };
    } catch (thrown) {
      throw signal.aborted ? thrown : unanswered(thrown);
    }
  };
}

/** A question that a client did not answer. */
export function unanswered(thrown: unknown): SpillwayError {
  if (thrown instanceof McpError && thrown.code === ErrorCode.RequestTimeout)
    return new SpillwayError('human_input_expired', 'Nobody answered in time.', { cause: thrown });
  const message = `The client did not show the question: ${messageOf(thrown)}`;
  return new SpillwayError('human_unreachable', message, { cause: thrown });
}
