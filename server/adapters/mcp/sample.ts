import {
  CreateMessageRequestParamsSchema,
  CreateMessageResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { JsonRecord } from '../../../shared/json-schema.ts';
import type { SampleModel } from '../../core/sample-model.ts';
import { metaOf, optionsOf, useFirstId, type About } from './about.ts';
import type { McpSession } from './session.ts';

/** A client may show the request to its person first. */
const TIMEOUT_MS = 600_000;

/** Sampling for other servers, for a client that declares it. */
export function sampleOf(mcp: McpSession, about: About): SampleModel | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (given, signal) => {
    useFirstId(mcp, about);
    const params = CreateMessageRequestParamsSchema.parse({ ...given, ...metaOf(about) });
    const options = { timeout: TIMEOUT_MS, signal, ...optionsOf(about) };
    const request = { method: 'sampling/createMessage', params } as const;
    return JsonRecord.parse(await server.request(request, CreateMessageResultSchema, options));
  };
}
