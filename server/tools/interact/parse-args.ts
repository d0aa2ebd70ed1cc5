import type { z } from 'zod';
import { describeIssues } from '../../../shared/describe-issues.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { parseDialogStep, type DialogStep } from '../../../shared/act/dialog-step.ts';
import { parseStep, StepError } from '../../../shared/act/parse-step.ts';
import { Step, StepKind, type FieldValue } from '../../../shared/act/steps.ts';
import type { interact } from '../../../shared/tools/interact/manifest.ts';

/** A ref, or a selector with its engine. */
const TARGET = /^(?:(?:f\d+)*e\d+|[a-z]+=.+)$/;

export type Args = z.output<typeof interact.input>;

/** What an act has to do. */
export interface Plan {
  readonly fields: readonly { readonly name: string; readonly value: FieldValue }[];
  readonly steps: readonly Step[];
}

/** The answer to a dialog, which is a call of its own; null where the call acts on the page. */
export function dialogOf({ fields = {}, steps = [] }: Args): DialogStep | null {
  return steps.length === 1 && Object.keys(fields).length === 0 ? parseDialogStep(steps[0]) : null;
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
  throw new SpillwayError(
    'invalid_argument',
    `interact: ${describeIssues(issues, 'steps')}. Write ${JSON.stringify(lineOf(step))} or ${JSON.stringify(shapeOf(step))}.`,
  );
}

/** The accepted shape of a refused step, with what it named. Values are left out: one may be a secret. */
function shapeOf(step: object): { readonly do: StepKind; readonly target: string } {
  const given = new Map(Object.entries(step));
  const [target = 'e3'] = [given.get('target'), ...given.values()].filter(isTarget);
  const kind = StepKind.safeParse(given.get('do')).data;
  return { do: kind ?? 'click', target };
}

function lineOf(step: object): string {
  const { do: kind, target } = shapeOf(step);
  return `${kind} ${target}`;
}

const isTarget = (value: unknown): value is string => typeof value === 'string' && TARGET.test(value);

function parseLine(line: string, index: number): Step {
  if (parseDialogStep(line) !== null)
    throw new SpillwayError(
      'invalid_argument',
      `interact: steps.${index}: a dialog is answered by a call with no other step and no fields.`,
    );
  try {
    return parseStep(line);
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    throw new SpillwayError('invalid_argument', `interact: steps.${index}: ${thrown.message}.`);
  }
}
