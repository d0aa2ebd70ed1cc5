import { z } from 'zod';
import { describeIssue } from '../../../shared/describe-issues.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { nearestNames } from '../registry/nearest.ts';

/** Of very many problems the first say enough. */
const PROBLEMS_MAX = 5;

/** The fields of the object at `path` of the arguments. */
function shapeAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject['shape'] {
  let shape = schema.shape;
  for (const part of path) {
    let inner: unknown = shape[String(part)];
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    if (!(inner instanceof z.ZodObject)) return {};
    shape = inner.shape;
  }
  return shape;
}

function describeProblem(issue: z.core.$ZodIssue, manifest: ToolManifest): string {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(shapeAt(manifest.input, issue.path));
    const prefix = issue.path.map((part) => `${String(part)}.`).join('');
    return issue.keys
      .slice(0, PROBLEMS_MAX)
      .map((key) => {
        const near = nearestNames(key, known);
        const taken = known.length > 0 ? known.join(', ') : 'none';
        const suggestion = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it takes ${taken}`;
        return `${prefix}${key.slice(0, 80)}: unknown field; ${suggestion}`;
      })
      .join('; ');
  }
  return describeIssue(issue, 'arguments');
}

/**
 * Parses arguments by the manifest's schema.
 *
 * @throws SpillwayError `invalid_argument` with the path of each field and what it takes.
 */
export function validateArguments(manifest: ToolManifest, args: unknown): Record<string, unknown> {
  const parsed = manifest.input.safeParse(args === undefined ? {} : args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, PROBLEMS_MAX)
    .map((issue) => describeProblem(issue, manifest));
  const details = problems.join('; ');
  throw new SpillwayError(
    'invalid_argument',
    `${manifest.name}: ${details}${/[.?]$/.test(details) ? '' : '.'}`,
  );
}
