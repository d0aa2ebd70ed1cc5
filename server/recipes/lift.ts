import {
  canonicalJson,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../shared/base/json.ts';
import { plainStep } from '../../shared/act/parse-step.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { actsIn, stepIn } from './folder.ts';
import type { Described } from './page-lines.ts';

export interface LiftRequest {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Places from the end: 1 is the last call that succeeded. */
  readonly calls: readonly number[];
  /** Names of parameters, and their values in the calls. */
  readonly parameters: JsonObject;
  readonly output?: JsonObject | undefined;
}

/** A successful call of a session. */
export interface OwnCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly handle: string | null;
  readonly refs: ReadonlyMap<string, Described>;
}

const REF = /^(?:f\d+)*e\d+$/;
const TYPES: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'boolean' };

/**
 * The definition of a recipe that repeats the calls. Saving checks it.
 * @throws SpillwayError `invalid_argument` for a missing call, or a value that no call has; `recipe_invalid`
 *   for an element without a description
 */
export function liftCalls(own: readonly OwnCall[], request: LiftRequest): JsonObject {
  const places = [...new Set(request.calls)].sort((a, b) => b - a);
  const chosen = places.map((place) => {
    const call = own[own.length - place];
    if (call !== undefined) return call;
    throw invalidArgument(
      `calls: there is no call ${place}: this session has ${own.length} that can be saved, 1 is the last one.`,
    );
  });
  const odd = Object.keys(request.parameters).find((name) => /[{}]/.test(name));
  if (odd !== undefined) throw invalidArgument(`parameters: a name has no { and no }: ${odd.slice(0, 80)}.`);
  const lifted = new Lifted(request.parameters);
  const tabs = new Set(chosen.map(({ args }) => args['tab']).filter((tab) => tab !== undefined));
  const steps = chosen.map((call, index) =>
    lifted.step(call, { id: `s${index + 1}`, dropsTab: tabs.size === 1 }),
  );
  lifted.checkUsed();
  const { name, title, description, parameters, output } = request;
  const properties = Object.entries(parameters).map(([key, value]): [string, JsonObject] => {
    const type = TYPES[typeof value];
    return [key, type === undefined ? {} : { type }];
  });
  return {
    version: 1,
    name,
    title,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(parameters),
      additionalProperties: false,
    },
    steps,
    ...(output === undefined ? {} : { output }),
  };
}

class Lifted {
  readonly #parameters: readonly (readonly [string, JsonValue | undefined])[];
  readonly #used = new Set<string>();
  /** Handles from earlier steps. */
  readonly #handles = new Map<string, string>();

  constructor(parameters: JsonObject) {
    // The longest first: one value may be a part of another.
    const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
    this.#parameters = Object.entries(parameters).sort(([, a], [, b]) => lengthOf(b) - lengthOf(a));
  }

  step(call: OwnCall, { id, dropsTab }: { readonly id: string; readonly dropsTab: boolean }): JsonObject {
    const { tab, ...rest } = call.args;
    const args = dropsTab || tab === undefined ? rest : call.args;
    const replayable = call.tool === 'interact' ? withTargets(args, call.refs) : refuseRefs(args, call.tool);
    const step = { id, tool: call.tool, args: this.#lift(replayable) };
    if (call.handle !== null) this.#handles.set(call.handle, id);
    return step;
  }

  /** @throws SpillwayError `invalid_argument` */
  checkUsed(): void {
    const unused = this.#parameters.map(([name]) => name).filter((name) => !this.#used.has(name));
    if (unused.length === 0) return;
    throw invalidArgument(
      `parameters: no call has the value of ${unused.join(', ')}.`,
      'Pass each value as the calls have it.',
    );
  }

  #lift(value: JsonValue): JsonValue {
    const [whole] = this.#parameters.find(([, known]) => value !== '' && isEqualJson(known, value)) ?? [];
    if (whole !== undefined) return this.#use(whole);
    if (typeof value === 'string') return this.#liftText(value);
    if (isJsonList(value)) return value.map((part) => this.#lift(part));
    if (!isObject(value)) return value;
    if (Object.hasOwn(value, '$ref') || Object.hasOwn(value, '$literal')) return { $literal: value };
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, this.#lift(part)]])),
    );
  }

  #use(name: string): JsonObject {
    this.#used.add(name);
    return { $ref: pathOf(name) };
  }

  #liftText(text: string): JsonValue {
    const step = this.#handles.get(text);
    if (step !== undefined) return { $ref: `steps.${step}.handle` };
    if (text.includes('{{')) return { $literal: text };
    // Each piece is replaced once, without looking into the inserted reference.
    let pieces: readonly { readonly text: string; readonly isDone: boolean }[] = [{ text, isDone: false }];
    for (const [name, value] of this.#parameters) {
      if (typeof value !== 'string' || value === '' || !text.includes(value)) continue;
      pieces = pieces.flatMap((piece) => {
        if (piece.isDone || !piece.text.includes(value)) return [piece];
        this.#used.add(name);
        const put = { text: `{{${pathOf(name)}}}`, isDone: true };
        return piece.text
          .split(value)
          .flatMap((part, index) => [...(index === 0 ? [] : [put]), { text: part, isDone: false }]);
      });
    }
    return pieces.map((piece) => piece.text).join('');
  }
}

const pathOf = (name: string): string =>
  /^[A-Za-z_$][\w$-]*$/.test(name) ? `params.${name}` : `params[${JSON.stringify(name)}]`;

/** Whether a call has the value of a parameter: lists and objects by content. */
const isEqualJson = (known: JsonValue | undefined, value: JsonValue): boolean =>
  known === value ||
  (typeof known === 'object' &&
    known !== null &&
    typeof value === 'object' &&
    canonicalJson(known) === canonicalJson(value));

/** Steps of `interact` as objects, with the page's description of an element in place of its ref. */
function withTargets(args: JsonObject, refs: ReadonlyMap<string, Described>): JsonObject {
  const { fields: _fields, steps: _steps, ...rest } = args;
  const { fields, steps } = actsIn(args);
  const target = (given: JsonValue | undefined): JsonValue | undefined => {
    if (typeof given !== 'string' || !REF.test(given)) return given;
    const described = refs.get(given);
    if (described !== undefined) return { ...described };
    throw new SpillwayError(
      'recipe_invalid',
      `interact acts on ${given}, and no answer that this session still has shows what that is.`,
      { hint: 'Act on it by role=, label= or text=, or call find before it; then save again.' },
    );
  };
  const stepOf = (given: JsonValue): JsonValue => {
    const read = typeof given === 'string' ? (stepIn(given) ?? given) : given;
    if (!isObject(read)) return read;
    const step = plainStep(read);
    const { target: at, to } = step;
    return {
      ...step,
      ...(at === undefined ? {} : { target: target(at) }),
      ...(to === undefined ? {} : { to: target(to) }),
    };
  };
  const given = Object.entries(fields).map(([key, value]) => {
    const at = target(key);
    return { at, label: isObject(at) ? String(at['name']) : key, value: value ?? null };
  });
  // Only their places tell fields with the same label apart, and a label cannot say a place.
  const isOnly = ({ label }: { readonly label: string }): boolean =>
    label !== '' && given.filter((other) => other.label === label).length === 1;
  const labelled = given.filter(isOnly).map(({ label, value }): [string, JsonValue] => [label, value]);
  const acts = [
    ...given.filter((field) => !isOnly(field)).map(({ at, value }) => fillStep(at, value)),
    ...steps.map(stepOf),
  ];
  return {
    ...rest,
    ...(labelled.length > 0 ? { fields: Object.fromEntries(labelled) } : {}),
    ...(acts.length > 0 ? { steps: acts } : {}),
  };
}

/** The act that sets a field like `fields`. */
function fillStep(target: JsonValue | undefined, value: JsonValue): JsonObject {
  const at = target === undefined ? {} : { target };
  if (typeof value === 'boolean') return { do: value ? 'check' : 'uncheck', ...at };
  const isChoice =
    isJsonList(value) || (isObject(target) && /^(?:combobox|listbox)$/.test(String(target['role'])));
  return {
    do: isChoice ? 'select' : 'fill',
    ...at,
    value: typeof value === 'number' ? String(value) : value,
  };
}

/** @throws SpillwayError `recipe_invalid` for arguments that name an element by a ref of an earlier page */
function refuseRefs(args: JsonObject, tool: string): JsonObject {
  const { ref } = args;
  if (typeof ref !== 'string') return args;
  throw new SpillwayError('recipe_invalid', `${tool} names ${ref}, which is gone when the recipe is done.`, {
    hint: 'Leave the call out, or make it with selector in place of ref.',
  });
}
