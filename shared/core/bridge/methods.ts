import { z } from 'zod';
import { type MethodPolicy, unjudged } from '../policy/risks.ts';
import { ServerRules } from '../../people/policy.ts';
import { TOOL_METHODS } from '../tools/methods.generated.ts';
import { BrowserFacts, type Capability } from './hello.ts';
import { QUESTION_METHODS } from '../../people/question-methods.ts';
import { TAKEOVER_METHODS } from '../../people/takeover.ts';
import { StreamParams } from './streams.ts';

interface MethodDefinition {
  readonly dialog?: 'refuses' | 'leaves' | 'closes' | 'ignored';
  readonly person?: 'ignored';
  readonly needs?: Capability;
  readonly policy: MethodPolicy;
  readonly params: z.ZodObject;
  readonly result: z.ZodObject;
}

/**
 * Every RPC method, server → worker, with the schemas that both ends check. A method whose params
 * extend {@link StreamParams} sends its content as a stream before it answers: text unchanged, items as one
 * JSON value per line. `dialog` defines what an open dialog in the tab of `tab_id` means for a method
 * (extension/core/link/call-guards.ts), `person: 'ignored'` lets it run while a person has taken that tab
 * over, `needs` names a capability that not every browser has, and `policy` says which rules apply. The bridge's own methods are here, a tool's in its folder.
 */
export const METHODS = {
  'bridge.echo': unjudged(z.object({ value: z.string() }), z.object({ value: z.string() })),
  /** Sends `bytes` of filler as a stream: doctor and bench measure the bridge with it. */
  'bridge.flood': unjudged(StreamParams.extend({ bytes: z.int().min(0) }), z.object({ bytes: z.int() })),
  'browser.describe': unjudged(
    z.object({}),
    z.object({
      browser: BrowserFacts,
      extension_version: z.string(),
      tabs: z.int(),
      /** Outer size in pixels of the last focused window. */
      window: z.object({ width: z.int(), height: z.int() }).optional(),
      worker_started_at: z.number(),
      reconnects: z.int(),
      /** A person pressed Cancel on the browser's debugging bar. */
      debugging_cancelled: z.boolean().optional(),
      /** False if a person has withdrawn site access from the extension. */
      has_site_access: z.boolean().optional(),
    }),
  ),
  /** Tells the worker a server's clients (Claude Code, Codex, …), for the popup. */
  'server.clients': unjudged(
    z.object({ clients: z.array(z.object({ name: z.string().max(100), version: z.string().max(64) })) }),
    z.object({}),
  ),
  /** A session has ended: its tabs leave their group, and what its calls left in tabs is undone. */
  'session.end': unjudged(z.object({ session: z.string() }), z.object({})),
  /** Sent before the first call of a server, for all its calls. */
  'server.policy': unjudged(ServerRules, z.object({})),
  ...QUESTION_METHODS,
  ...TAKEOVER_METHODS,
  ...TOOL_METHODS,
} as const satisfies Readonly<Record<string, MethodDefinition>>;

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type MethodResult<M extends MethodName> = z.infer<(typeof METHODS)[M]['result']>;
/** Methods that send a stream; their callers do not pass {@link StreamParams}, the bridge does. */
export type StreamMethodName = {
  [M in MethodName]: MethodParams<M> extends StreamParams ? M : never;
}[MethodName];
export type StreamMethodParams<M extends StreamMethodName> = Omit<MethodParams<M>, keyof StreamParams>;
