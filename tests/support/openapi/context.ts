import type { CallContext } from '../../../server/core/context.ts';
import type { Produced } from '../../../server/core/result.ts';
import type { UpstreamSource } from '../../../server/upstream/source.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { silentLogger } from '../app-options.ts';
import { createSession, PLAIN_CALL } from '../session.ts';

/** The context of a plain call, with its abort. */
function callContext(signal: AbortSignal = new AbortController().signal): {
  readonly context: CallContext;
  end(): Promise<void>;
} {
  const tasks: Parameters<CallContext['registerAfterCompletion']>[0][] = [];
  const context: CallContext = {
    ...PLAIN_CALL,
    callId: 'call',
    session: createSession('openapi'),
    signal,
    progress: () => undefined,
    keepState: () => undefined,
    output: { mode: 'inline', inlineLimitBytes: 32_768 } as CallContext['output'],
    logger: silentLogger,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    registerAfterCompletion: (task) => void tasks.push(task),
  };
  return {
    context,
    end: async () => {
      for (const task of tasks) await task({ isSuccess: true });
    },
  };
}

export interface Answered {
  readonly kind: string;
  readonly mimeType: string;
  readonly value: JsonValue;
  readonly state: JsonObject;
  readonly coverage: readonly string[];
}

export async function callTool(
  source: UpstreamSource,
  name: string,
  args: JsonObject = {},
  signal?: AbortSignal,
): Promise<Answered> {
  const { context, end } = callContext(signal);
  try {
    const produced = await source.call(name, args, context);
    if (!('payload' in produced)) throw new Error('The payload is not raw.');
    const { payload } = produced;
    const value = await read(payload);
    return { kind: payload.kind, mimeType: payload.mimeType, value, ...(await produced.done) };
  } finally {
    await end();
  }
}

async function read(
  payload: Extract<Produced, { readonly payload: unknown }>['payload'],
): Promise<JsonValue> {
  if (payload.kind === 'json') return payload.value;
  if (payload.kind === 'items') return all(payload.items);
  if (payload.kind === 'text') return (await all(payload.chunks)).join('');
  return Buffer.concat(await all(payload.chunks)).toString('base64');
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** Resolves when a source knows its tools, or why it has none. */
export async function settled(source: UpstreamSource): Promise<void> {
  if (source.status.state !== 'starting') return;
  await new Promise<void>((resolve) => {
    const stop = source.onChange(() => {
      stop();
      resolve();
    });
  });
}
