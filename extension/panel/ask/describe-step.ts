import { parseDialogStep, parseStep } from '../../../shared/act/parse-step.ts';
import { MODIFIERS, STEP_KINDS } from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import { type Part, quote, type Sentence } from '../../words/sentence.ts';
import type { CardWords } from '../../words/en/card.ts';
import type { ShownElements } from '../../ports/shown-element.ts';

/** The texts of a card, and the page's names for the elements of its call. */
export type Words = CardWords & { readonly elements?: ShownElements | null | undefined };

const REF = /^(?:f\d+)*e\d+$/;
const ROLE =
  /^role=(?<role>[a-z]+)(?:\[name=(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\]"']*))i?\])?$/i;
const SECRET = /^secret:([\w-]+)$/;

/** An element by the page's own name: the words of a call may be a part of that. */
function namedBy(key: string, { targets, elements }: Words): Sentence | null {
  const element = elements != null && Object.hasOwn(elements, key) ? elements[key] : undefined;
  const line = element?.whole ?? element?.line;
  return line === undefined ? null : targets.named(quote(line));
}

/** An element as the page calls it; else in a person's words, if the target contains them. */
export function describeTarget(target: string | undefined, words: Words): Sentence {
  const { targets } = words;
  if (target === undefined || target === '') return targets.focused;
  const named = namedBy(target, words);
  if (named !== null) return named;
  if (REF.test(target)) return targets.ref(quote(target));
  const selector = targets.selector(quote(target));
  // The last part of a chain says too little, and an earlier one may mean another element.
  if (target.includes('>>')) return selector;
  const role = ROLE.exec(target)?.groups;
  if (role !== undefined) {
    const name = role['double'] ?? role['single'] ?? role['bare'];
    return targets.role(roleOf(role['role'] ?? '', targets), name === undefined ? null : quote(name));
  }
  return byWords(target, targets) ?? selector;
}

const roleOf = (role: string, { roles }: CardWords['targets']): Part =>
  Object.entries(roles).find(([name]) => name === role)?.[1] ?? quote(role);

/** An element named by its text. */
function byWords(target: string, targets: CardWords['targets']): Sentence | null {
  if (/^(["']).*\1$|^\p{Lu}[\p{L}\p{N} ]*$/su.test(target)) return targets.text(quote(unquoted(target)));
  const [, engine = '', rest = ''] = /^([a-z]+)=(.*)$/s.exec(target) ?? [];
  const words = quote(unquoted(rest));
  return engine === 'text' || engine === 'label' || engine === 'placeholder' ? targets[engine](words) : null;
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1i?$/s, '$2');

export function describeStep(given: JsonValue | undefined, strings: Words): Sentence {
  const dialog = parseDialogStep(given);
  if (dialog !== null) return describeDialog(dialog.action, dialog.text ?? null, strings);
  const step = readStep(given);
  if (step === null)
    return strings.steps.unknown(quote(typeof given === 'string' ? given : JSON.stringify(given ?? null)));
  const sentence = sentenceOf(step, strings);
  const { modifiers = [], hold, position, to_position: dropped } = step;
  const held = hold === undefined ? sentence : strings.steps.held(sentence, hold);
  const points = [position, dropped].filter((point) => point !== undefined);
  const whole = points.reduce<Sentence>((said, { x, y }) => strings.steps.at(said, x, y), held);
  return modifiers.length === 0 ? whole : strings.steps.with(whole, quote(modifiers.join('+')));
}

export function describeDialog(action: JsonValue | undefined, reply: string | null, { tools }: CardWords) {
  if (action === 'dismiss') return tools.dialogDismiss();
  return reply === null ? tools.dialogAccept() : tools.dialogText(quote(reply));
}

export function describeField(label: string, value: JsonValue | undefined, strings: Words): Sentence {
  const { steps } = strings;
  const isTarget = /^(?:[a-z]+=|(?:f\d+)*e\d+$)/.test(label);
  const target =
    namedBy(fieldKey(label), strings) ??
    (isTarget ? describeTarget(label, strings) : strings.targets.label(quote(label)));
  if (value === true) return steps.check(target);
  if (value === false) return steps.uncheck(target);
  return fill(target, textOf(value), strings);
}

function fill(target: Sentence, value: string, { steps }: CardWords): Sentence {
  const secret = SECRET.exec(value)?.[1];
  if (secret !== undefined) return steps.fillSecret(target, quote(secret));
  return value === '' ? steps.clear(target) : steps.fill(target, quote(value));
}

/** Where a call's values of `--secrets` go. */
export function secretTargets({ fields, steps }: JsonObject): readonly string[] {
  const ofFields = Object.entries(isObject(fields) ? fields : {}).map(([name, value]) => ({
    target: REF.test(name) ? name : fieldKey(name),
    text: textOf(value),
  }));
  const ofSteps = (isJsonList(steps) ? steps : []).map((given) => {
    const { target = '', value } = readStep(given) ?? {};
    return { target, text: textOf(value) };
  });
  return [...ofFields, ...ofSteps].flatMap(({ target, text }) => (SECRET.test(text) ? [target] : []));
}

const textOf = (value: JsonValue | undefined): string =>
  isJsonList(value)
    ? value.map(textOf).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value ?? '');

/** A step of a call; null for one that will be refused. */
function readStep(given: JsonValue | undefined): Step | null {
  if (typeof given === 'string') {
    try {
      return parseStep(given);
    } catch {
      return null;
    }
  }
  if (!isObject(given)) return null;
  const kind = STEP_KINDS.find((name) => name === given['do']);
  if (kind === undefined) return null;
  const { target, value, to, hold, modifiers, position, to_position: dropped } = given;
  return {
    do: kind,
    ...(typeof target === 'string' ? { target } : {}),
    ...(value === undefined ? {} : { value: textOf(value) }),
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof hold === 'number' ? { hold } : {}),
    ...(isPoint(position) ? { position } : {}),
    ...(isPoint(dropped) ? { to_position: dropped } : {}),
    ...(isJsonList(modifiers) ? { modifiers: MODIFIERS.filter((one) => modifiers.includes(one)) } : {}),
  };
}

const isPoint = (value: JsonValue | undefined): value is { readonly x: number; readonly y: number } =>
  isObject(value) && typeof value['x'] === 'number' && typeof value['y'] === 'number';

function sentenceOf(step: Step, strings: Words): Sentence {
  const { steps } = strings;
  const text = textOf(step.value);
  const [target, value] = [describeTarget(step.target, strings), quote(text)];
  const isAnywhere = step.target === undefined;
  switch (step.do) {
    case 'fill':
      return fill(target, text, strings);
    case 'press':
      return isAnywhere ? steps.press(value) : steps.pressOn(target, value);
    case 'drag':
      return steps.drag(target, describeTarget(step.to, strings));
    case 'scroll':
      return steps.scroll();
    case 'submit':
      return isAnywhere ? steps.submitFocused() : steps.submit(target);
    case 'wait':
      return steps.wait(value);
    default:
      return steps[step.do](target, value);
  }
}
