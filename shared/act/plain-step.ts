import { parseStep, StepError } from './parse-step.ts';
import { isStepKind, type Step, type StepKind } from './steps.ts';

/** Other names that agents give to the members of a step. */
const MEMBERS: Readonly<Record<string, string>> = {
  action: 'do',
  ref: 'target',
  selector: 'target',
  element: 'target',
  text: 'value',
  key: 'value',
};

type Members<Value> = Readonly<Record<string, Value | Step[keyof Step]>>;

/**
 * A step as `{ do, target, value, … }`, also where it was written as `{ "click": "e3" }` or
 * `{ "action": "click", "ref": "e3" }`. Any other object stays as it is, for the schema to refuse.
 */
export function plainStep<Value>(given: Readonly<Record<string, Value>>): Members<Value> {
  const step: Record<string, Value> = {};
  for (const [name, value] of Object.entries(given)) step[MEMBERS[name] ?? name] ??= value;
  const [verb, ...others] = Object.keys(step).filter(isStepKind);
  if (verb === undefined || others.length > 0 || step['do'] !== undefined) return step;
  const { [verb]: object, ...rest } = step;
  if (typeof object !== 'string') return step;
  return { ...readObject(verb, object, 'value' in rest || 'to' in rest), ...rest };
}

/** `{ "press": "Enter" }` is the line `press Enter`; `{ "fill": "e4", "value": "Ada" }` has its target alone. */
function readObject(verb: StepKind, object: string, isTarget: boolean): Step {
  const step = { do: verb, target: object };
  if (isTarget) return step;
  try {
    return parseStep(`${verb} ${object}`);
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    return step;
  }
}
