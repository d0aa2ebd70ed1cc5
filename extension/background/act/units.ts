import { cut } from '../../../shared/cut.ts';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { isText, type Field } from './filling.ts';
import type { Bound } from './hands.ts';
import { awaitsTarget, hasEffect, type Stepper } from './steps.ts';

/** Of a line of a receipt. */
export const LINE_UNITS = 200;

/** One thing to do: a field to set, or a step. */
export interface Unit {
  readonly line: string;
  readonly hasEffect: boolean;
  /** It waits for its own target, so what was done before it need not have come to rest. */
  readonly awaitsTarget: boolean;
  run(stepper: Stepper): Promise<string | null>;
}

/** What an act has to do, in order. */
export function unitsOf({ fields, steps, secret }: MethodParams<'act.run'>): Unit[] {
  const boundTo = (of: Bound['of'], index: number): Bound[] =>
    secret.bound?.filter((each) => each.of === of && each.index === index) ?? [];
  return [
    ...fields.map(({ name, value }, index) => {
      const after = fields[index + 1];
      const isSecret = secret.fields.includes(index);
      const isAlike =
        after !== undefined && isText(after.value) && isSecret === secret.fields.includes(index + 1);
      const bound = boundTo('fields', index);
      const next = isAlike && bound.length === 0 ? after.name : null;
      return fieldUnit({ name, value, isSecret, bound, next });
    }),
    ...steps.map((step, index) => ({
      line: lineOf(step),
      hasEffect: hasEffect(step),
      awaitsTarget: awaitsTarget(step),
      run: (stepper: Stepper) =>
        stepper.run(step, { isSecret: secret.steps.includes(index), bound: boundTo('steps', index) }),
    })),
  ];
}

const fieldUnit = (field: Field): Unit => ({
  line: cut(field.name, LINE_UNITS).toWellFormed(),
  // Pages show and hide further fields by what is chosen.
  hasEffect: typeof field.value !== 'string',
  awaitsTarget: true,
  run: (stepper) => stepper.setField(field),
});

/** A step as receipts name it, without what was typed. */
const lineOf = ({ do: kind, target, to, value }: Step): string =>
  cut(
    [kind, target, to, kind === 'wait' ? value : undefined].filter((part) => part !== undefined).join(' '),
    LINE_UNITS,
  ).toWellFormed();
