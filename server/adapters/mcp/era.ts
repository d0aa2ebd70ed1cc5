import { z } from 'zod';

/** The first revision without sessions. All before it open with `initialize`. */
const ERA_2026 = '2026-07-28';
const REVISION = /^\d{4}-\d\d-\d\d$/;

/** A request that names its revision, and each of the new era does. Which revision it is, its adapter judges. */
const Claim = z.object({
  params: z.object({ _meta: z.looseObject({ 'io.modelcontextprotocol/protocolVersion': z.unknown() }) }),
});
const Named = z.object({ method: z.string() });

/**
 * Whether a message is of the revisions from 2026-07-28 on: by what it says itself, over HTTP also by its
 * `MCP-Protocol-Version`. A message that says nothing is of the sessions before.
 */
export function isOfEra2026(message: unknown, version = ''): boolean {
  if (REVISION.test(version) && version >= ERA_2026) return true;
  const method = Named.safeParse(message).data?.method;
  const claim = Claim.safeParse(message).data?.params._meta;
  if (claim !== undefined && 'io.modelcontextprotocol/protocolVersion' in claim) return true;
  return method === 'server/discover';
}
