import { z } from 'zod';
import { SpillwayError } from '../../../../shared/errors.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { describeIssues } from '../../../../shared/describe-issues.ts';

/** RFC 6570. Each page of an output is a resource by itself. */
export const OUTPUT_TEMPLATE = 'spillway://output/{handle}{?offset,limit,format,encoding}';
export const RUN_TEMPLATE = 'spillway://run/{run_id}';

export const FORMATS = ['auto', 'items', 'bytes'] as const;
export const ENCODINGS = ['auto', 'utf8', 'base64'] as const;

const count = z
  .string()
  .regex(/^\d{1,15}$/, 'takes a whole number')
  .transform(Number);

/** The query of an output's uri: the arguments of oc_output_fetch. */
const PageQuery = z.strictObject({
  offset: count.optional(),
  limit: count.pipe(z.int().min(1).max(LIMITS.outputFetchBytesMax)).optional(),
  format: z.enum(FORMATS).optional(),
  encoding: z.enum(ENCODINGS).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

/** What a uri names. `page` is null for the output as a whole. */
export type ResourceName =
  | { readonly kind: 'output'; readonly handle: string; readonly page: PageQuery | null }
  | { readonly kind: 'run'; readonly runId: string };

export const outputUri = (handle: string): string => `spillway://output/${handle}`;

/** The uri of one page. */
export function pageUri(handle: string, query: PageQuery): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${outputUri(handle)}?${parameters.map(([key, value]) => `${key}=${value}`).join('&')}`;
}

const SHAPE = /^spillway:\/\/(output|run)\/([^/?#]*)(?:\?([^#]*))?$/;

/**
 * Parses a Spillway uri; null for any other.
 * @throws SpillwayError `invalid_argument` for a query that no page has
 */
export function parseUri(uri: string): ResourceName | null {
  const [, kind, name = '', query] = SHAPE.exec(uri) ?? [];
  if (kind === 'run') return query === undefined ? { kind, runId: name } : null;
  if (kind !== 'output') return null;
  return { kind, handle: name, page: query === undefined || query === '' ? null : parseQuery(query) };
}

function parseQuery(query: string): PageQuery {
  const parsed = PageQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (parsed.success) return parsed.data;
  throw new SpillwayError('invalid_argument', `uri: ${describeIssues(parsed.error.issues, 'query')}.`);
}
