import type { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { ToolManifest } from '../../shared/tools/manifest.ts';
import { nearestNames } from './nearest.ts';

function describeIssue(issue: z.core.$ZodIssue, manifest: ToolManifest): string {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(manifest.input.shape);
    return issue.keys
      .map((key) => {
        const near = nearestNames(key, known);
        const said = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it takes ${known.join(', ')}`;
        return `${key.slice(0, 80)}: unknown field; ${said}`;
      })
      .join('; ');
  }
  const path = issue.path.map(String).join('.') || 'arguments';
  return `${path}: ${issue.message}`;
}

/**
 * Parses arguments by the manifest's schema.
 *
 * @throws SpillwayError `invalid_argument` with the path of each field and what it takes.
 */
export function validateArguments(manifest: ToolManifest, args: unknown): Record<string, unknown> {
  const parsed = manifest.input.safeParse(args === undefined ? {} : args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map((issue) => describeIssue(issue, manifest));
  throw new SpillwayError('invalid_argument', `${manifest.name}: ${problems.join('; ')}.`);
}
