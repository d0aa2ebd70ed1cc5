import type { z } from 'zod';
import { describeIssues } from '../../../shared/describe-issues.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { parseStep, StepError } from '../../../shared/act/parse-step.ts';
import { Step, type FieldValue } from '../../../shared/act/steps.ts';
import type { interact } from '../../../shared/tools/interact/manifest.ts';

export type Args = z.output<typeof interact.input>;

/** What an act has to do. */
export interface Plan {
  readonly fields: readonly { readonly name: string; readonly value: FieldValue }[];
  readonly steps: readonly Step[];
}

/**
 * The fields and steps of a call.
 *
 * @throws SpillwayError `invalid_argument` naming the step and what it lacks
 */
export function parsePlan(args: Args): Plan {
  const fields = Object.entries(args.fields ?? {}).map(([name, value]) => ({ name, value }));
  const steps = (args.steps ?? []).map((step, index) => parseOne(step, index));
  if (fields.length + steps.length === 0)
    throw new SpillwayError(
      'invalid_argument',
      'interact: pass fields or steps, such as steps: ["click e6"].',
    );
  return { fields, steps };
}

function parseOne(step: NonNullable<Args['steps']>[number], index: number): Step {
  if (typeof step === 'string') return parseLine(step, index);
  const parsed = Step.safeParse(step);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['steps', index, ...issue.path] }));
  throw new SpillwayError('invalid_argument', `interact: ${describeIssues(issues, 'steps')}`);
}

function parseLine(line: string, index: number): Step {
  try {
    return parseStep(line);
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    throw new SpillwayError('invalid_argument', `interact: steps.${index}: ${thrown.message}.`);
  }
}
