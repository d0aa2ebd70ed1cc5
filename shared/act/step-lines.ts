import { cut } from '../cut.ts';
import { isJsonList, isObject, type JsonObject } from '../json.ts';
import { parseDialogStep } from './dialog-step.ts';
import { readStep } from './risks.ts';

/** Of a line. */
const LINE_UNITS = 120;
const LINES_MAX = 8;

const lineOf = (kind: string, what = ''): string => cut(`${kind} ${what}`.trim(), LINE_UNITS).toWellFormed();

/**
 * What a call of `interact` does, for the record: `click text="Add to cart"`, `fill Email`. Without what is typed.
 *
 * @param names what the page calls the targets, in their order, as far as it has said
 */
export function stepLines(
  { fields, steps }: JsonObject,
  names: readonly (string | undefined)[] = [],
): readonly string[] {
  const ofFields = Object.entries(isObject(fields) ? fields : {}).map(([label, value]) => ({
    kind: value === true ? 'check' : value === false ? 'uncheck' : 'fill',
    what: label,
  }));
  const ofSteps = (isJsonList(steps) ? steps : []).flatMap(
    (given): readonly { readonly kind: string; readonly what: string | undefined }[] => {
      const dialog = parseDialogStep(given);
      if (dialog !== null) return [{ kind: 'dialog', what: dialog.action }];
      const step = readStep(given);
      return step === null ? [] : [{ kind: step.do, what: step.target }];
    },
  );
  return [...ofFields, ...ofSteps]
    .slice(0, LINES_MAX)
    .map(({ kind, what }, at) => lineOf(kind, names[at] ?? what));
}
