import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { slugOf } from '../../../shared/core/slug.ts';
import type { RecordedAct, RecordedStep, RecordedTarget } from '../recorded-port.ts';

type ActStep = Extract<RecordedStep, { kind: 'act' }>;

const RESERVED = new Set(['async', 'output_mode', 'output_inline_limit_bytes']);
/** The steps whose texts can be parameters, each with the name that is proposed for it. */
export function proposeParameters(steps: readonly RecordedStep[]): ReadonlyMap<number, string> {
  const taken = new Set(RESERVED);
  const names = new Map<number, string>();
  for (const step of steps) {
    const label = labelOf(step);
    if (label === null) continue;
    const stem = slugOf(label) || (step.kind === 'act' && step.act.do === 'upload' ? 'file' : 'value');
    let name = stem;
    for (let at = 2; taken.has(name); at += 1) name = `${stem}_${at}`;
    taken.add(name);
    names.set(step.id, name);
  }
  return names;
}

/** The name of a text that can be a parameter; null if the step has none. */
function labelOf(step: RecordedStep): string | null {
  if (step.kind === 'open') return step.url === null ? 'url' : null;
  if (step.kind !== 'act') return null;
  return ['fill', 'type', 'select', 'upload'].includes(step.act.do) ? step.act.label : null;
}

/** The page's texts in a target. */
export function namesOf(target: RecordedTarget | null): readonly string[] {
  if (target === null || typeof target === 'string') return target === null ? [] : [target];
  return [target.name, target.near ?? '', target.selector ?? ''];
}

/** The texts that a person has entered or chosen. */
export function valuesOf({ do: kind, value }: RecordedAct): readonly string[] {
  if (value === null || kind === 'press') return [];
  return typeof value === 'string' ? [value] : value;
}

/** Whether its text is not known: it has to be a parameter. */
export const isOpenText = (step: RecordedStep): boolean =>
  step.kind === 'open'
    ? step.url === null
    : step.kind === 'act' && (step.act.isSecret || step.act.do === 'upload');

/** Acts that a later one on the same element takes the place of. */
const REPLACES: Readonly<Partial<Record<RecordedAct['do'], readonly string[]>>> = {
  double_click: ['click'],
  fill: ['fill', 'type'],
  select: ['select'],
  check: ['check', 'uncheck'],
  uncheck: ['check', 'uncheck'],
};

/** Whether it leaves a field, as a new act on another element does too. */
export const isLeaving = (before: RecordedStep | undefined, { tab, act }: Omit<ActStep, 'id'>): boolean =>
  before?.kind === 'act' &&
  before.tab === tab &&
  before.act.do === 'press' &&
  before.act.value === 'Tab' &&
  act.target !== null;

/** Whether a new step makes the one before it superfluous. */
export const isReplaced = (before: RecordedStep | undefined, { tab, act }: Omit<ActStep, 'id'>): boolean =>
  before?.kind === 'act' &&
  before.tab === tab &&
  REPLACES[act.do]?.includes(before.act.do) === true &&
  JSON.stringify(pickTargetAndFrame(before.act)) === JSON.stringify(pickTargetAndFrame(act));

const pickTargetAndFrame = ({ target, frame }: RecordedAct) => ({ target, frame });

export interface Keeping {
  readonly name: string;
  readonly title: string;
  /** By step. Steps that have none keep their text. */
  readonly parameters: ReadonlyMap<number, string>;
}

/** A recipe of the steps. The server checks it. */
export function recipeOf(steps: readonly RecordedStep[], { name, title, parameters }: Keeping): JsonObject {
  const written = new RecipeSteps(parameters, new Set(steps.map(({ tab }) => tab)).size > 1);
  for (const step of steps) written.add(step);
  const properties: JsonObject = Object.fromEntries(written.properties);
  const required = Object.keys(properties).filter(
    (key) => written.properties.get(key)?.['default'] === undefined,
  );
  return {
    version: 1,
    name,
    title,
    description: `${title}. A person has recorded it.`,
    parameters: { type: 'object', properties, required, additionalProperties: false },
    steps: written.calls,
  };
}

/** A page takes a moment for its answer. */
const SHOWS_MS = 10_000;
/** Shorter texts are parts of other words. */
const MIN_REPEATED = 3;

class RecipeSteps {
  readonly calls: JsonObject[] = [];
  readonly properties = new Map<string, JsonObject>();
  /** References to the recording's tabs. */
  readonly #tabs = new Map<number, string>();
  /** The texts that are parameters. */
  readonly #given = new Map<string, string>();
  #acts: { readonly tab: number; readonly list: JsonObject[] } | null = null;

  constructor(
    private readonly parameters: ReadonlyMap<number, string>,
    private readonly hasTabs: boolean,
  ) {}

  add(step: RecordedStep): void {
    const { tab } = step;
    if (step.kind === 'act') return this.#act(step);
    if (step.kind === 'opened') {
      this.#acts = null;
      this.#tabs.set(tab, `steps.s${this.calls.length}.state.opened[0]`);
    } else if (step.kind === 'shows') {
      // A replay has done its work before.
      this.#call(
        'wait_for',
        { text: this.#shown(step.text), timeout_ms: SHOWS_MS, ...this.#inTab(tab) },
        'continue',
      );
    } else if (step.kind === 'reload') this.#call('navigate', { action: 'reload', ...this.#inTab(tab) });
    else if (step.isNewTab) {
      const id = this.#call('tabs', { action: 'open', url: this.#text(step, step.url) });
      this.#tabs.set(tab, `steps.${id}.structured.opened`);
    } else {
      const id = this.#call('navigate', { url: this.#text(step, step.url), ...this.#inTab(tab) });
      if (!this.#tabs.has(tab)) this.#tabs.set(tab, `steps.${id}.structured.tab`);
    }
  }

  #call(tool: string, args: JsonObject, onError?: 'continue'): string {
    this.#acts = null;
    const id = `s${this.calls.length + 1}`;
    this.calls.push({ id, tool, args, ...(onError && { on_error: onError }) });
    return id;
  }

  /** A text of the page, with the parameters that it repeats. */
  #shown(text: string): JsonValue {
    if (text.includes('{{')) return { $literal: text };
    const found = [...this.#given].filter(([value]) => text.includes(value));
    return found.reduce((said, [value, name]) => said.replaceAll(value, `{{params.${name}}}`), text);
  }

  /** Acts in one tab are steps of one call. */
  #act(step: ActStep): void {
    const { tab, act } = step;
    const { do: kind, target, frame, value, modifiers } = act;
    if (this.#acts?.tab !== tab) {
      const list: JsonObject[] = [];
      this.#call('interact', { ...this.#inTab(tab), steps: list });
      this.#acts = { tab, list };
    }
    const hasText = value !== null || act.isSecret || kind === 'upload';
    this.#acts?.list.push({
      do: kind,
      ...(target === null ? {} : { target: typeof target === 'string' ? target : { ...target } }),
      ...(frame === undefined ? {} : { frame }),
      ...(hasText ? { value: this.#text(step, value) } : {}),
      ...(modifiers.length === 0 ? {} : { modifiers }),
    });
  }

  #inTab(tab: number): JsonObject {
    const known = this.#tabs.get(tab);
    return this.hasTabs && known !== undefined ? { tab: { $ref: known } } : {};
  }

  #text(step: RecordedStep, value: string | readonly string[] | null): JsonValue {
    const name = this.parameters.get(step.id);
    if (name === undefined) {
      const text = value ?? '';
      return JSON.stringify(text).includes('{{') ? { $literal: text } : text;
    }
    const isList = value !== null && typeof value !== 'string';
    if (typeof value === 'string' && value.length >= MIN_REPEATED) this.#given.set(value, name);
    const type = isList ? { type: 'array', items: { type: 'string' } } : { type: 'string' };
    const described = step.kind === 'act' ? describeInput(step.act) : {};
    const preset = value === null || isOpenText(step) ? {} : { default: value };
    const known = this.properties.get(name);
    // One parameter for several texts has a default only if they are the same.
    if (known === undefined) this.properties.set(name, { ...type, ...described, ...preset });
    else if (JSON.stringify(known['default']) !== JSON.stringify(preset.default)) {
      const { default: _, ...rest } = known;
      this.properties.set(name, rest);
    }
    return { $ref: `params.${name}` };
  }
}

function describeInput({ do: kind, label, value, isSecret }: RecordedAct): JsonObject {
  if (isSecret) return { description: `Secret: pass secret:NAME. ${label}`.trim() };
  if (kind === 'upload')
    return { description: `Path of ${Array.isArray(value) ? 'each' : 'a'} file, such as ${String(value)}` };
  return label === '' ? {} : { description: label };
}
