import type { CallContext } from '../../../server/core/context.ts';
import type { Produced } from '../../../server/core/result.ts';
import type { UpstreamSource } from '../../../server/upstreams/answers.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { callContext } from '../session.ts';

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
  const tasks: Parameters<CallContext['registerAfterCompletion']>[0][] = [];
  const context = callContext({
    ...(signal && { signal }),
    aside: (waiting) => waiting(),
    registerAfterCompletion: (task) => void tasks.push(task),
  });
  try {
    const produced = await source.call(name, args, context);
    if (!('payload' in produced)) throw new Error('The payload is not raw.');
    const { payload } = produced;
    const value = await read(payload);
    return { kind: payload.kind, mimeType: payload.mimeType, value, ...produced.outcome() };
  } finally {
    for (const task of tasks) await task({ isSuccess: true });
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
    const stop = source.changes.add(() => {
      stop();
      resolve();
    });
  });
}
