import type { FieldValue, Step, StepKind } from '../../../shared/act/steps.ts';
import type { Secrets } from '../../core/services.ts';
import type { Plan } from './parse-args.ts';

/** A plan as the worker gets it: values in place of names, and which of them are secret. */
export interface ResolvedPlan extends Plan {
  /** Indices of fields and of steps. */
  readonly secret: { readonly fields: number[]; readonly steps: number[] };
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
  const secret: { fields: number[]; steps: number[] } = { fields: [], steps: [] };
  const resolve = <Value extends FieldValue | undefined>(value: Value, found: number[], index: number) => {
    const one = (text: string): string => {
      const resolved = secrets.resolve(text);
      if (resolved.isSecret && found.at(-1) !== index) found.push(index);
      return resolved.value;
    };
    if (typeof value === 'string') return one(value);
    return Array.isArray(value) ? value.map(one) : value;
  };
  return {
    fields: fields.map((field, index) => ({ ...field, value: resolve(field.value, secret.fields, index) })),
    steps: steps.map((step, index): Step => {
      if (step.value === undefined || !FILLING.has(step.do)) return step;
      const value = resolve(step.value, secret.steps, index);
      return typeof value === 'string' || Array.isArray(value) ? { ...step, value } : step;
    }),
    secret,
  };
}
