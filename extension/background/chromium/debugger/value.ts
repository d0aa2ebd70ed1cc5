import * as z from 'zod/mini';
import type { SendOptions } from './send-command.ts';
import type { DebuggerLease } from './sessions.ts';

const Evaluated = z.object({ result: z.object({ value: z.optional(z.unknown()) }) });

/**
 * The value of an expression of ours in a page, as JSON.
 * @param contextId of one of the session's contexts; by default the page's own
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function valueOf(
  lease: DebuggerLease,
  expression: string,
  { contextId, ...options }: SendOptions & { readonly contextId?: number } = {},
): Promise<unknown> {
  const asked = { expression, contextId, returnByValue: true };
  return Evaluated.parse(await lease.send('Runtime.evaluate', asked, options)).result.value;
}
