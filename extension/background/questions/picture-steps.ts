import { parseStep } from '../../../shared/act/parse-step.ts';
import { Step } from '../../../shared/act/steps.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Point } from '../../page/act/protocol.ts';

/** What of a call a picture shows. */
export interface PictureOf {
  /** A target, or the name of a field. */
  readonly element: string;
  readonly isField: boolean;
  /** Where a drag ends. */
  readonly to: string | null;
  readonly position: Point | null;
}

/** What a picture of a call shows: the first element that it names. Null for a call that names none. */
export function pictureOf(args: JsonObject | null): PictureOf | null {
  const [field] = Object.keys(isObject(args?.['fields']) ? args['fields'] : {});
  if (field !== undefined) return { element: field, isField: true, to: null, position: null };
  const steps = args?.['steps'];
  for (const given of isJsonList(steps) ? steps : []) {
    const step = readStep(given);
    if (step?.target === undefined || step.do === 'wait') continue;
    return { element: step.target, isField: false, to: step.to ?? null, position: step.position ?? null };
  }
  return null;
}

/** A step as a call has it; null for one that will be refused. */
export function readStep(given: JsonValue): Step | null {
  try {
    return typeof given === 'string' ? parseStep(given) : (Step.safeParse(given).data ?? null);
  } catch {
    // The call will be refused for it.
    return null;
  }
}
