import { z } from 'zod';
import type { Line } from '../ledger/lines.ts';

/** What a person is shown of a line. */
const Facts = z.object({
  seq: z.number(),
  ts: z.string(),
  kind: z.string(),
  agent: z
    .object({
      name: z.string(),
      version: z.string().optional(),
      client_session: z.string(),
      server: z.string(),
    })
    .optional(),
  decided: z.object({ where: z.string(), by: z.string().optional() }).optional(),
  rule: z.string().optional(),
  grant: z.string().optional(),
  question: z.string().optional(),
  scope: z.string().optional(),
  risks: z.array(z.string()).default([]),
  site: z.string().optional(),
  tab: z.string().optional(),
  tool: z.string().optional(),
  call_id: z.string().optional(),
  args_hash: z.string().optional(),
  /** The act that an outcome is of. */
  of: z.object({ chain: z.string(), seq: z.number() }).optional(),
  outcome: z.string().optional(),
  refusal: z.string().optional(),
  code: z.string().optional(),
});

/** One line, and the chain that it is in. */
export interface ShownLine extends z.infer<typeof Facts> {
  readonly chain: string;
}

/** Which lines are shown; what is not given matches all. */
export interface LedgerFilter {
  readonly agent?: string | undefined;
  readonly site?: string | undefined;
  readonly tool?: string | undefined;
  readonly risk?: string | undefined;
  /** Or the error code. */
  readonly outcome?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** The facts of a line; null for the first line of a chain, which is about no call. */
export function readFacts(line: Line, chain: string): ShownLine | null {
  const { data } = Facts.safeParse(line);
  return data === undefined || data.kind === 'opened' ? null : { chain, ...data };
}

/** Whether a line is one of those that a filter asks for. */
export function matcherOf({
  agent,
  site,
  tool,
  risk,
  outcome,
  since,
}: LedgerFilter): (line: ShownLine) => boolean {
  const name = agent?.toLowerCase();
  const host = site?.toLowerCase();
  const tests: ((line: ShownLine) => boolean)[] = [];
  if (name !== undefined) tests.push((line) => line.agent?.name.toLowerCase().includes(name) === true);
  if (host !== undefined) tests.push((line) => isOfHost(line.site, host));
  if (tool !== undefined) tests.push((line) => line.tool === tool);
  if (risk !== undefined) tests.push((line) => line.risks.includes(risk));
  if (outcome !== undefined) tests.push((line) => [line.outcome, line.refusal, line.code].includes(outcome));
  if (since !== undefined) tests.push((line) => Date.parse(line.ts) >= since);
  return (line) => tests.every((test) => test(line));
}

/** Whether an origin is of a host, or of one below it. */
function isOfHost(site: string | undefined, host: string): boolean {
  const own = site
    ?.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[:/].*$/s, '')
    .toLowerCase();
  return own === host || own?.endsWith(`.${host}`) === true;
}
