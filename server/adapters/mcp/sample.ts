import {
  CreateMessageRequestParamsSchema,
  CreateMessageResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { JsonRecord } from '../../../shared/json-schema.ts';
import type { SampleModel } from '../../core/sample-model.ts';
import { useFirstId } from './ask-person.ts';
import type { Extra, McpSession } from './session.ts';

/** A client may show the request to its person first. */
const TIMEOUT_MS = 600_000;

/** Sampling for other servers, for a client that declares it. */
export function sampleOf(mcp: McpSession, extra: Extra): SampleModel | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (given, signal) => {
    useFirstId(mcp, extra);
    const params = CreateMessageRequestParamsSchema.parse(given);
    const options = { timeout: TIMEOUT_MS, signal, relatedRequestId: extra.requestId };
    const request = { method: 'sampling/createMessage', params } as const;
    return JsonRecord.parse(await server.request(request, CreateMessageResultSchema, options));
  };
}
