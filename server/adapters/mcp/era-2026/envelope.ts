import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LEVELS } from '../log.ts';

/** The extension of tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Names the session of a request over HTTP, and in the first answer the one that was made for it. */
export const SESSION_KEY = 'spillway/session';

const Declared = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
  sampling: z.looseObject({}).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
export type Capabilities = z.infer<typeof Declared>;

const Envelope = z.object({
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: Declared.catch({}),
  [LOG_LEVEL_META_KEY]: z.enum(LEVELS).optional().catch(undefined),
});

const OwnMeta = z.object({
  [SESSION_KEY]: z.string().max(200).optional(),
  progressToken: z.union([z.string(), z.number()]).optional(),
});

export interface Caller {
  readonly client: { readonly name: string; readonly version: string } | undefined;
  readonly capabilities: Capabilities;
  readonly logLevel: (typeof LEVELS)[number] | undefined;
  readonly handle: string | undefined;
  readonly progressToken: string | number | undefined;
}

/** Reads a request's facts about its client: in this era, each request has them. */
export function callerOf({ mcpReq }: ServerContext): Caller {
  const envelope = Envelope.parse(mcpReq.envelope ?? {});
  const own = OwnMeta.safeParse(mcpReq._meta ?? {}).data;
  return {
    client: envelope[CLIENT_INFO_META_KEY],
    capabilities: envelope[CLIENT_CAPABILITIES_META_KEY],
    logLevel: envelope[LOG_LEVEL_META_KEY],
    handle: own?.[SESSION_KEY],
    progressToken: own?.progressToken,
  };
}

/** Whether tasks may be given to a client. */
export const takesTasks = ({ capabilities }: Caller): boolean =>
  capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
