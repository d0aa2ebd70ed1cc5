import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import type { StepKind } from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import type { FieldText } from '../page/protocol.ts';
import { cut } from '../../../shared/base/cut.ts';
import { isRef } from '../../core/pages/ref-book.ts';
import type { Acting, Bound } from './acting.ts';
import { setField } from './filling.ts';
import { doStep } from './steps.ts';

/** Steps that change only their own control, so that no effect is awaited. */
const QUIET_STEPS: ReadonlySet<StepKind> = new Set(['fill', 'type', 'clear', 'focus', 'wait']);

/** Steps that depend on the current page or focus. All others wait until their target is ready. */
const HASTY_STEPS: ReadonlySet<StepKind> = new Set(['press', 'type', 'scroll', 'wait']);

export const WAIT_STEP_MS = 10_000;

export const LINE_UNITS = 200;

export const shorten = (text: string): string => cut(text, LINE_UNITS).toWellFormed();

/** One thing to do: a field to set, or a step. */
export interface Unit {
  readonly line: string;
  readonly hasEffect: boolean;
  /** It waits for its own target, so earlier effects need not have settled. */
  readonly awaitsTarget: boolean;
  run(acting: Acting): Promise<string | null>;
}

/** The steps of an act, in order. */
export function unitsOf({ fields, steps, secret }: MethodParams<'act.run'>): Unit[] {
  const boundTo = (of: Bound['of'], index: number): Bound[] =>
    secret.bound?.filter((each) => each.of === of && each.index === index) ?? [];
  /** The consecutive fields after this one that take text of the call. */
  const after = (index: number): readonly FieldText[] => {
    const { name = '', value } = fields[index + 1] ?? {};
    const isText = typeof value === 'string' && !isRef(name) && !secret.fields.includes(index + 1);
    return isText ? [{ name, text: value }, ...after(index + 1)] : [];
  };
  return [
    ...fields.map(({ name, value }, index) => {
      const isSecret = secret.fields.includes(index);
      const bound = boundTo('fields', index);
      return {
        line: shorten(name),
        // The kind of the field decides about a text.
        hasEffect: typeof value !== 'string',
        awaitsTarget: true,
        run: (acting: Acting) =>
          setField(acting, { index, name, value, isSecret, bound, later: after(index) }),
      };
    }),
    ...steps.map((step, index) => ({
      line: lineOf(step),
      hasEffect: !QUIET_STEPS.has(step.do),
      awaitsTarget: step.target !== undefined && !HASTY_STEPS.has(step.do),
      run: (acting: Acting) =>
        doStep(acting, step, {
          index: fields.length + index,
          isSecret: secret.steps.includes(index),
          bound: boundTo('steps', index),
          since: fields.length + steps.slice(0, index).findLastIndex(({ do: kind }) => kind !== 'fill') + 1,
          isForKeys: steps[index + 1]?.do === 'press',
        }),
    })),
  ];
}

/** A step as receipts name it, without the typed text. */
const lineOf = ({ do: kind, target, to, value }: Step): string => {
  const words = [kind, target, to, kind === 'wait' ? value : undefined];
  return shorten(words.filter((part) => part !== undefined).join(' '));
};

/** The refs that an act names after its first field or step. */
export const laterRefs = ({ fields, steps }: MethodParams<'act.run'>): readonly string[] =>
  [...fields.map(({ name }) => [name]), ...steps.map(({ target, to }) => [target, to])]
    .slice(1)
    .flat()
    .filter((name): name is string => name !== undefined && isRef(name));
