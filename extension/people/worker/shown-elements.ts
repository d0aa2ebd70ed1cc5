import { readStep, risksOfStep } from '../../../shared/core/policy/call-risks.ts';
import { type Step, STEPS_MAX } from '../../../shared/act/steps.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import type { Point, TargetFacts } from '../../core/ports/page-answers.ts';
import { withDeadline } from '../../core/link/interrupt.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { fieldKey, THE_DIALOG, THE_FORM } from '../../../shared/core/policy/names.ts';
import type { ShownElement, ShownElements } from '../../core/ports/shown-element.ts';
import { followsLabel } from '../../act/worker/acting.ts';
import { shownDialog } from '../../act/worker/dialogs.ts';
import { connectPage, type ActPage } from '../../act/worker/act-page.ts';
import type { WorkerServices } from '../../core/handler.ts';
import { isRef } from '../../core/pages/ref-book.ts';
import type { Question } from './queue.ts';

export interface PictureOf {
  /** A target, or the name of a field. */
  readonly element: string;
  readonly isField: boolean;
  readonly to: string | null;
  readonly position: Point | null;
  /** The control that is pressed last, if it is not this element. `the form` stands for its button. */
  readonly last: string | null;
}

/** The first element that a call names, and the last that it presses. Null if it names none. */
export function pictureOf(args: JsonObject | null): PictureOf | null {
  const named = (isJsonList(args?.['steps']) ? args['steps'] : []).flatMap(targeted);
  const [field] = Object.keys(isObject(args?.['fields']) ? args['fields'] : {});
  const first: (Partial<Step> & { readonly target: string }) | undefined =
    field === undefined ? named[0] : { target: field };
  if (first === undefined) return null;
  const { target: element, to = null, position = null } = first;
  const pressed = named.findLast((step) => risksOfStep(step).includes('submit'))?.target ?? null;
  const isField = field !== undefined;
  return { element, isField, to, position, last: !isField && pressed === element ? null : pressed };
}

/** A step with its target: `submit` alone presses the button of the form. */
function targeted(given: JsonValue): readonly (Step & { readonly target: string })[] {
  const step = readStep(given);
  const target = step?.target ?? (step?.do === 'submit' ? THE_FORM : undefined);
  return step === null || target === undefined || step.do === 'wait' ? [] : [{ ...step, target }];
}

const REF = /(?<![\w-])(?:f\d+)*e\d+(?![\w-])/g;
/** Elements of one call that are looked up: all that its fields and steps can name. A slower page is not awaited. */
const MAX_TARGETS = 2 * STEPS_MAX;
const MAX_MS = 2_000;

interface NamedTarget {
  /** A target, or the name of a field. */
  readonly target: string;
  readonly isField: boolean;
  /** A label stands for its control, as for the step. */
  readonly follows: boolean;
}

/** The first element that the page finds. */
export async function firstNamed(
  page: ActPage,
  { target, isField, follows }: NamedTarget,
  signal: AbortSignal,
): Promise<TargetFacts | undefined> {
  const submits = target === THE_FORM ? { submits: null } : {};
  return (await page.ask({ do: 'find', target, follows, isLast: false, isField, ...submits }, signal))
    .found[0];
}

/**
 * The page's descriptions of a call's elements, for the card: the agent does not see them. A person decides by them, so
 * they are compared with what the call finds when it acts.
 */
export async function shownElements(
  { call: { args }, caller, risks, tab_id: tabId }: Question,
  services: Pick<WorkerServices, 'channels' | 'dialogs' | 'refBook'>,
): Promise<ShownElements> {
  if (tabId === null) return {};
  // Its page answers nothing meanwhile.
  if (risks.includes('dialog')) return { [THE_DIALOG]: shownDialog(services.dialogs.of(tabId)) };
  if (args === null) return {};
  const late = (): SpillwayError =>
    new SpillwayError('timeout', 'The page did not name its elements in time.');
  const { session: viewer } = caller;
  const elementOf = async (
    { target, isField, follows }: NamedTarget,
    signal: AbortSignal,
  ): Promise<[string, ShownElement][]> => {
    const known = isRef(target)
      ? await services.refBook.find(target, { tabId, viewer })
      : { frameId: 0, documentId: null };
    const place = { tabId, frameId: known.frameId };
    const page = await connectPage(services, place, { timeoutMs: MAX_MS, signal, viewer });
    if (known.documentId !== null && page.documentId !== known.documentId) return [];
    const isLabel = isField && !isRef(target);
    const only = await firstNamed(page, { target, isField: isLabel, follows }, signal);
    return only === undefined ? [] : [[isLabel ? fieldKey(target) : target, element(only)]];
  };
  const attempt = (one: NamedTarget): Promise<[string, ShownElement][]> =>
    withDeadline(MAX_MS, late, (signal) => elementOf(one, signal));
  const elements = await Promise.all(
    namedIn(args).map((one) =>
      attempt(one)
        // A page that was too slow once.
        .catch(() => attempt(one))
        // A missing element has no description; the act will report that.
        .catch(() => []),
    ),
  );
  return Object.fromEntries(elements.flat());
}

const element = ({ line, whole, leads, isPassword, files }: ShownElement): ShownElement => ({
  line,
  ...(whole === undefined ? {} : { whole }),
  leads,
  isPassword,
  ...(files && { files }),
});

/** The first elements that a call names. */
function namedIn({ fields, steps, ref }: JsonObject): readonly NamedTarget[] {
  const labels = Object.keys(isObject(fields) ? fields : {});
  const follows = new Map<string, boolean>();
  for (const given of isJsonList(steps) ? steps : []) {
    const step = readStep(given);
    if (step === null || step.do === 'wait') continue;
    const target = step.target ?? (step.do === 'submit' ? THE_FORM : 'by=');
    follows.set(target, followsLabel(step)).set(step.to ?? 'by=', false);
  }
  const refs = JSON.stringify([steps ?? [], ref ?? '']).match(REF) ?? [];
  for (const each of refs) follows.set(each, follows.get(each) ?? false);
  const targets = [...follows].filter(([target]) => !target.startsWith('by='));
  return [
    ...labels.map((target) => ({ target, isField: true, follows: false })),
    ...targets.map(([target, isFollowed]) => ({ target, isField: false, follows: isFollowed })),
  ].slice(0, MAX_TARGETS);
}
