import {
  CreateMessageRequestParamsSchema,
  CreateMessageResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolCall } from '../../core/calls/call.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import type { SampleModel } from '../../core/sample-model.ts';
import { type About, metaOf, optionsOf, useFirstId } from './about.ts';
import { askPersonOf } from './ask-person.ts';
import { pagesOf } from './person-pages.ts';
import { rankOf } from './rank.ts';
import type { McpSession } from './session.ts';

/** A client may show the request to its person first. */
const TIMEOUT_MS = 600_000;

/** Sampling for other servers, for a client that declares it. */
function sampleOf(mcp: McpSession, about: About): SampleModel | undefined {
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

/** What a call may ask of its client: what the client has declared that it can do. */
export function asksOf(
  mcp: McpSession,
  about: About,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const askPerson = askPersonOf(mcp, about);
  const pages = pagesOf(mcp, about);
  const rank = rankOf(mcp, about);
  const sample = sampleOf(mcp, about);
  return {
    ...(askPerson === undefined ? {} : { askPerson }),
    ...(pages === undefined ? {} : { pages }),
    ...(rank === undefined ? {} : { rank }),
    ...(sample === undefined ? {} : { sample }),
  };
}
