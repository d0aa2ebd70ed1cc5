import * as z from 'zod/mini';
import type { SendOptions } from './send-command.ts';
import type { DebuggerLease } from './sessions.ts';

interface Schema<T> {
  safeParse(params: unknown): { readonly data?: T | undefined };
}

/** Reports events of one kind, without those in an unknown form, until the returned function is called. */
export const hear = <T>(
  lease: Pick<DebuggerLease, 'onEvent'>,
  name: string,
  schema: Schema<T>,
  listener: (params: T, session: string | null) => void,
): (() => void) =>
  lease.onEvent(({ method, params, sessionId }) => {
    const data = method === name ? schema.safeParse(params).data : undefined;
    if (data !== undefined) listener(data, sessionId);
  });

const Evaluated = z.object({ result: z.object({ value: z.optional(z.unknown()) }) });

/**
 * The value of an expression of ours in a page, as JSON.
 * @param contextId of one of the session's contexts; by default the page's own
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function evaluateValue(
  lease: DebuggerLease,
  expression: string,
  { contextId, ...options }: SendOptions & { readonly contextId?: number } = {},
): Promise<unknown> {
  const asked = { expression, contextId, returnByValue: true };
  return Evaluated.parse(await lease.send('Runtime.evaluate', asked, options)).result.value;
}

const Resolved = z.object({ object: z.object({ objectId: z.string() }) });

/** The script object of a node, by its number. @throws SpillwayError as `DebuggerLease.send` */
export const objectOf = async (
  lease: DebuggerLease,
  sessionId: string | null,
  asked: object,
): Promise<string> =>
  Resolved.parse(await lease.send('DOM.resolveNode', asked, { sessionId })).object.objectId;
