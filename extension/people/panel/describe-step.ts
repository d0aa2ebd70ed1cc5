import { parseDialogStep, parseStep } from '../../../shared/act/parse-step.ts';
import { MODIFIERS, STEP_KINDS } from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { fieldKey, THE_FORM } from '../../../shared/core/policy/names.ts';
import { quote, type Sentence } from '../../ui/words/sentence.ts';
import type { CardWords } from '../../ui/words/en/card.ts';
import type { ShownElement, ShownElements } from '../../core/ports/shown-element.ts';

/** The texts of a card, and the page's names for the elements of its call. */
export type Words = CardWords & {
  readonly elements?: ShownElements | null | undefined;
  /** The person chooses the files of a step. */
  readonly isChosen?: boolean;
};

const REF = /^(?:f\d+)*e\d+$/;
const ROLE =
  /^role=(?<role>[a-z]+)(?:\[name=(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\]"']*))i?\])?$/i;
const SECRET = /^secret:([\w-]+)$/;

const elementAt = (
  key: string | undefined,
  { elements }: Pick<Words, 'elements'>,
): ShownElement | undefined =>
  key !== undefined && elements != null && Object.hasOwn(elements, key) ? elements[key] : undefined;

/** The page's line of an element: its role, or its tag if it has none, then its name. */
const LINE = /^(?<role>[a-z]+|<[^>]*>)(?: (?<name>.+))?$/s;

/** An element in a person's words, with the page's own name: the words of a call may be a part of that. */
export function describeElement({ line, whole = line }: ShownElement, { targets }: CardWords): Sentence {
  const { role = '', name } = LINE.exec(whole)?.groups ?? {};
  if (Object.hasOwn(targets.roles, role)) return describeRole(role, name, targets);
  return targets.named({ name: quote(name ?? whole) });
}

function namedBy(key: string, words: Words): Sentence | null {
  const element = elementAt(key, words);
  return element === undefined ? null : describeElement(element, words);
}

/** An element as the page calls it; else in a person's words, if the target contains them. */
export function describeTarget(target: string | undefined, words: Words): Sentence {
  const { targets } = words;
  if (target === undefined || target === '') return targets.focused();
  const named = namedBy(target, words);
  if (named !== null) return named;
  if (REF.test(target)) return targets.ref({ ref: quote(target) });
  const selector = targets.selector({ selector: quote(target) });
  // The last part of a chain says too little, and an earlier one may mean another element.
  if (target.includes('>>')) return selector;
  const role = ROLE.exec(target)?.groups;
  if (role !== undefined) {
    const name = role['double'] ?? role['single'] ?? role['bare'];
    return describeRole(role['role'] ?? '', name, targets);
  }
  return byWords(target, targets) ?? selector;
}

function describeRole(key: string, name: string | undefined, targets: CardWords['targets']): Sentence {
  const role = Object.entries(targets.roles).find(([known]) => known === key)?.[1] ?? quote(key);
  return name === undefined ? targets.role({ role }) : targets.roleNamed({ role, name: quote(name) });
}

/** An element named by its text. */
function byWords(target: string, targets: CardWords['targets']): Sentence | null {
  if (/^(["']).*\1$|^\p{Lu}[\p{L}\p{N} ]*$/su.test(target))
    return targets.text({ text: quote(unquoted(target)) });
  const [, engine = '', rest = ''] = /^([a-z]+)=(.*)$/s.exec(target) ?? [];
  const words = quote(unquoted(rest));
  if (engine === 'label') return targets.label({ label: words });
  return engine === 'text' || engine === 'placeholder' ? targets[engine]({ text: words }) : null;
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1i?$/s, '$2');

/** Steps that press. */
const PRESSES: ReadonlySet<string> = new Set(['click', 'double_click', 'tap']);
/** Steps that change nothing. */
const LOOKS: ReadonlySet<string> = new Set(['hover', 'scroll', 'wait', 'wheel']);
/** Roles of links that a page uses as controls. */
const CONTROL = /^(?:button|checkbox|combobox|menuitem\w*|option|radio|switch|tab)\b/;

/** Whether a call presses nothing but links to other documents. */
export function followsLinks({ fields, steps }: JsonObject, { elements, url }: PageOfCall): boolean {
  const isLink = (target: string): boolean => {
    const { line = '', leads = null } = elementAt(target, { elements }) ?? {};
    if (leads?.how !== 'link' || CONTROL.test(line)) return false;
    return /^https?:/.test(leads.url) && documentOf(leads.url) !== documentOf(url);
  };
  const read = (isJsonList(steps) ? steps : []).map(readStep);
  return (
    fields === undefined &&
    read.some((step) => step !== null && PRESSES.has(step.do)) &&
    read.every(
      (step) => step !== null && (LOOKS.has(step.do) || (PRESSES.has(step.do) && isLink(step.target ?? ''))),
    )
  );
}

type PageOfCall = { readonly elements: ShownElements | null; readonly url: string };

const documentOf = (url: string): string => url.replace(/#.*$/s, '');

export function describeStep(given: JsonValue | undefined, strings: Words): Sentence {
  const dialog = parseDialogStep(given);
  if (dialog !== null) return describeDialog(dialog.action, dialog.text ?? null, strings);
  const step = readStep(given);
  if (step === null)
    return strings.steps.unknown({
      line: quote(typeof given === 'string' ? given : JSON.stringify(given ?? null)),
    });
  const sentence = sentenceOf(step, strings);
  const { modifiers = [], hold, position, to_position: dropped } = step;
  const held = hold === undefined ? sentence : strings.steps.held({ step: sentence, ms: hold });
  const points = [position, dropped].filter((point) => point !== undefined);
  const whole = points.reduce<Sentence>((said, { x, y }) => strings.steps.at({ step: said, x, y }), held);
  return modifiers.length === 0
    ? whole
    : strings.steps.with({ step: whole, keys: quote(modifiers.join('+')) });
}

export function describeDialog(action: JsonValue | undefined, reply: string | null, { tools }: CardWords) {
  if (action === 'dismiss') return tools.dialogDismiss();
  return reply === null ? tools.dialogAccept() : tools.dialogText({ text: quote(reply) });
}

export function describeField(label: string, value: JsonValue | undefined, strings: Words): Sentence {
  const { steps } = strings;
  const isTarget = /^(?:[a-z]+=|(?:f\d+)*e\d+$)/.test(label);
  const target =
    namedBy(fieldKey(label), strings) ??
    (isTarget ? describeTarget(label, strings) : strings.targets.label({ label: quote(label) }));
  if (value === true) return steps.check({ target });
  if (value === false) return steps.uncheck({ target });
  return fill({ target, key: fieldKey(label), value: formatStepValue(value) }, strings);
}

/** A field has a value; one that offers choices has a choice. */
const OFFERS = /^(?:combobox|listbox|radiogroup)\b/;

interface Filled {
  readonly target: Sentence;
  /** Its name in the call. */
  readonly key: string | undefined;
  readonly value: string;
}

function fill({ target, key, value }: Filled, words: Words): Sentence {
  const { steps } = words;
  const secret = SECRET.exec(value)?.[1];
  if (secret !== undefined) return steps.fillSecret({ target, name: quote(secret) });
  if (value !== '' && OFFERS.test(elementAt(key, words)?.line ?? ''))
    return steps.select({ target, value: quote(value) });
  return value === '' ? steps.clear({ target }) : steps.fill({ target, value: quote(value) });
}

/** Where a call's values of `--secrets` go. */
export function secretTargets({ fields, steps }: JsonObject): readonly string[] {
  const ofFields = Object.entries(isObject(fields) ? fields : {}).map(([name, value]) => ({
    target: REF.test(name) ? name : fieldKey(name),
    text: formatStepValue(value),
  }));
  const ofSteps = (isJsonList(steps) ? steps : []).map((given) => {
    const { target = '', value } = readStep(given) ?? {};
    return { target, text: formatStepValue(value) };
  });
  return [...ofFields, ...ofSteps].flatMap(({ target, text }) => (SECRET.test(text) ? [target] : []));
}

const formatStepValue = (value: JsonValue | undefined): string =>
  isJsonList(value)
    ? value.map(formatStepValue).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value ?? '');

/** A step of a call; null for one that will be refused. */
export function readStep(given: JsonValue | undefined): Step | null {
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
    ...(value === undefined ? {} : { value: formatStepValue(value) }),
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof hold === 'number' ? { hold } : {}),
    ...(isPoint(position) ? { position } : {}),
    ...(isPoint(dropped) ? { to_position: dropped } : {}),
    ...(isJsonList(modifiers) ? { modifiers: MODIFIERS.filter((one) => modifiers.includes(one)) } : {}),
  };
}

const isPoint = (value: JsonValue | undefined): value is { readonly x: number; readonly y: number } =>
  isObject(value) && typeof value['x'] === 'number' && typeof value['y'] === 'number';

function submitForm(words: Words): Sentence {
  const button = namedBy(THE_FORM, words);
  return button === null ? words.steps.submitFocused() : words.steps.submit({ target: button });
}

function sentenceOf(step: Step, strings: Words): Sentence {
  const { steps } = strings;
  const text = formatStepValue(step.value);
  const [target, value] = [describeTarget(step.target, strings), quote(text)];
  const isAnywhere = step.target === undefined;
  switch (step.do) {
    case 'fill':
      return fill({ target, key: step.target, value: text }, strings);
    case 'press':
      return isAnywhere ? steps.press({ keys: value }) : steps.pressOn({ target, keys: value });
    case 'drag':
    case 'swipe':
      return steps.drag({ target, to: describeTarget(step.to, strings) });
    case 'scroll':
      return steps.scroll();
    case 'submit':
      return isAnywhere ? submitForm(strings) : steps.submit({ target });
    case 'wait':
      return steps.wait({ what: value });
    case 'upload':
      return step.value === undefined || strings.isChosen === true
        ? steps.uploadChosen({ target })
        : steps.upload({ target, files: value });
    default:
      return steps[step.do]({ target, value });
  }
}
