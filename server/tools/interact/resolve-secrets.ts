import type { MethodParams } from '../../../shared/bridge/methods.ts';
import type { FieldValue, Step, StepKind } from '../../../shared/act/steps.ts';
import type { Secrets } from '../../core/services.ts';
import type { Plan } from './parse-args.ts';

/** A plan as the worker gets it: values in place of names, and which of them are secret. */
export interface ResolvedPlan extends Plan {
  readonly secret: MethodParams<'act.run'>['secret'];
}

/** Steps whose value goes into a field. */
const FILLING: ReadonlySet<StepKind> = new Set(['fill', 'type', 'select']);

/**
 * Puts the values of `--secrets` in place of `secret:NAME`. For the moment of sending: before it, and in
 * whatever is kept, there are names alone.
 *
 * @throws SpillwayError `secret_not_found`
 */
export function resolveSecrets({ fields, steps }: Plan, secrets: Secrets): ResolvedPlan {
  const found = { fields: new Set<number>(), steps: new Set<number>() };
  const bound: NonNullable<ResolvedPlan['secret']['bound']> = [];
  const resolve = <Value extends FieldValue | undefined>(
    value: Value,
    of: 'fields' | 'steps',
    index: number,
  ) => {
    const one = (text: string): string => {
      const resolved = secrets.resolve(text);
      if (resolved.sites !== null) found[of].add(index);
      if (resolved.sites !== null && resolved.sites.length > 0)
        bound.push({ of, index, name: text, sites: [...resolved.sites] });
      return resolved.value;
    };
    if (typeof value === 'string') return one(value);
    return Array.isArray(value) ? value.map(one) : value;
  };
  const resolved = {
    fields: fields.map((field, index) => ({ ...field, value: resolve(field.value, 'fields', index) })),
    steps: steps.map((step, index): Step => {
      if (step.value === undefined || !FILLING.has(step.do)) return step;
      const value = resolve(step.value, 'steps', index);
      return typeof value === 'string' || Array.isArray(value) ? { ...step, value } : step;
    }),
  };
  const [inFields, inSteps] = [[...found.fields], [...found.steps]];
  return { ...resolved, secret: { fields: inFields, steps: inSteps, ...(bound.length > 0 && { bound }) } };
}
