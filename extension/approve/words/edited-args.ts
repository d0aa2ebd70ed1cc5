import { isJsonList, isObject, type JsonObject } from '../../../shared/json.ts';
import { parseStep, StepError } from '../../../shared/act/parse-step.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Strings } from './strings.ts';

/** As many as the worker takes. */
const MOST_UNITS = 32_768;

/** How arguments are written in a text field. */
export interface ArgsText {
  /** `lines`: the steps of `interact`, one a line. */
  readonly form: 'lines' | 'json';
  readonly text: string;
}

/** Whether a text is longer than what can be sent. */
export const isTooLong = (text: string): boolean => text.length > MOST_UNITS;

/** What was written, or what is wrong with it. */
export type EditedArgs = { readonly args: JsonObject } | { readonly problem: string };

/** Arguments as a person edits them. */
export function writeArgs(tool: string, args: JsonObject): ArgsText {
  const steps = args['steps'];
  const hasLines =
    tool === 'interact' &&
    args['fields'] === undefined &&
    isJsonList(steps) &&
    steps.every((step) => typeof step === 'string' && !/[\r\n]/.test(step));
  return hasLines && isJsonList(steps)
    ? { form: 'lines', text: steps.map(String).join('\n') }
    : { form: 'json', text: JSON.stringify(args, null, 2) };
}

/** Reads what a person wrote. The server validates it again. */
export function readArgs(original: JsonObject, { form, text }: ArgsText, { card }: Strings): EditedArgs {
  if (isTooLong(text)) return { problem: card.tooLong };
  if (form === 'lines') return readLines(original, text);
  try {
    const args: unknown = JSON.parse(text);
    return isObject(args) ? { args } : { problem: card.notObject };
  } catch (thrown) {
    return { problem: `${card.notJson}${messageOf(thrown)}` };
  }
}

function readLines(original: JsonObject, text: string): EditedArgs {
  const steps = text.split('\n').filter((line) => line.trim() !== '');
  for (const [at, step] of steps.entries()) {
    try {
      parseStep(step);
    } catch (thrown) {
      if (thrown instanceof StepError) return { problem: `${at + 1}: ${thrown.message}` };
      throw thrown;
    }
  }
  return { args: { ...original, steps } };
}
