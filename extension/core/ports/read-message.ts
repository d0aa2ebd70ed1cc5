import * as z from 'zod/mini';

const Addressed = z.object({ id: z.int() });
/** Issues of one message that are logged. */
const MAX_ISSUES = 3;
/** Ports that have sent a malformed message. */
const logged = new Set<string>();

/**
 * Parses a message with an id. A malformed one is logged.
 * @returns the id and the message; `message` is null if it is malformed, and the result is null if the id is too
 */
export function readMessage<Message extends { readonly id: number }>(
  port: string,
  schema: z.ZodMiniType<Message>,
  data: unknown,
): { readonly id: number; readonly message: Message | null } | null {
  const parsed = schema.safeParse(data);
  if (parsed.success) return { id: parsed.data.id, message: parsed.data };
  logMalformed(port, parsed.error);
  const addressed = Addressed.safeParse(data);
  return addressed.success ? { id: addressed.data.id, message: null } : null;
}

/**
 * Logs only the first malformed message of each port, since a peer that sends one usually sends many. Names the invalid
 * members, not their values, which may be page content.
 */
export function logMalformed(port: string, { issues }: Pick<z.core.$ZodError, 'issues'>): void {
  if (logged.has(port)) return;
  logged.add(port);
  const faults = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, code }) => `${path.join('.') || 'message'} (${code})`);
  console.warn(`A message on port ${port} is malformed: ${faults.join(', ')}. Later ones are not logged.`);
}
