import { formatNote } from '../../shared/core/notes.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import {
  canonicalJson,
  defined,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../shared/base/json.ts';
import {
  callsOf,
  isBranch,
  type CallStep,
  type Condition,
  type Recipe,
  type RecipeStep,
} from '../../shared/recipes/recipe.ts';
import { BadReference, fillTemplate, follow, parseReference } from '../../shared/recipes/references.ts';
import type { ToolResult } from '../core/result.ts';
import { isSameName, parseLine, stemOf, blockText, type Described } from './page-lines.ts';
import { FlowError, type MakeCall } from '../programs/native.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallPart } from '../programs/protocol.ts';

/** How long a target may take to appear: the previous step's page may be loading. */
const APPEAR_MS = 5_000;
const LOOK_MS = 250;
const CANDIDATES_MAX = 50;
/** Tokens of the page that a failure shows. */
const SHOWN_TOKENS = 300;

const isDescribed = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && typeof value['role'] === 'string' && typeof value['name'] === 'string';

/** Whether an act of `interact` names a target by its role, name or text. */
const hasTarget = (act: JsonValue): act is JsonObject =>
  isObject(act) && (isDescribed(act['target']) || isDescribed(act['to']));

const hasFrame = (act: JsonValue): boolean => isObject(act) && act['frame'] !== undefined;

/**
 * An act with its targets in the current page.
 * @param given the element, if someone has named it
 * @param call in the tab of the act
 * @throws SpillwayError `recipe_target_not_found` if a target is missing or ambiguous
 */
async function withRefs(act: JsonObject, given: string | null, call: CallPart): Promise<JsonObject> {
  const { target, to } = act;
  let left = given;
  const refOf = async (at: JsonValue | undefined): Promise<JsonValue | undefined> => {
    if (!isDescribed(at)) return at;
    const isOnly = !(isDescribed(target) && isDescribed(to));
    const found = isOnly && left !== null ? left : await find(toDescribed(at), call, left);
    if (found === left) left = null;
    return found;
  };
  const [from, end] = [await refOf(target), await refOf(to)];
  return { ...act, ...defined({ target: from, to: end }) };
}

async function find(sought: Described, call: CallPart, otherwise: string | null): Promise<string> {
  let candidates: readonly Candidate[] = [];
  for (let leftMs = APPEAR_MS; leftMs >= 0; leftMs -= LOOK_MS) {
    candidates = await look(sought, call);
    const ref = chooseCandidate(candidates, sought);
    if (ref !== null) return ref;
    // Waiting does not reduce several matches to one.
    if ((candidates.length > 1 && sought.nth === undefined) || otherwise !== null) break;
    await sleep(LOOK_MS);
  }
  if (otherwise !== null) return otherwise;
  const page = await call('read_page', { format: 'snapshot', budget: SHOWN_TOKENS, interactive_only: true });
  throw notFound(sought, candidates, blockText(page.content[0]) ?? '');
}

/** The elements with this role and name on the current page. @throws SpillwayError of `find` */
async function look(sought: Described, call: CallPart): Promise<readonly Candidate[]> {
  const { role, name, selector } = sought;
  if (selector !== undefined) return candidatesIn(await findSought({ query: selector }, call), sought);
  const stem = stemOf(name);
  const part = await findSought({ role, ...(stem === '' ? {} : { name: stem }) }, call);
  // A part of many names: only those with exactly this name count.
  const isWhole = stem === name && stem !== '' && part.length === CANDIDATES_MAX;
  const lines = isWhole ? await findSought({ query: `role=${role}[name=${quoteName(name)}]` }, call) : part;
  const meant = candidatesIn(lines, sought);
  if (lines.length < CANDIDATES_MAX || sought.near === undefined) return meant;
  // If there are very many, only those in a place with such words are requested.
  const words = `${stem} ${sought.near.replace(/^\w+ /, '').replaceAll(/["…]/g, ' ')}`;
  const there = candidatesIn(await findSought({ query: words }, call), sought);
  const same = there.filter(({ near }) => near === sought.near);
  return same.length > 0 ? same : meant;
}

const candidatesIn = (lines: readonly string[], sought: Described): readonly Candidate[] =>
  lines.flatMap((line) => parseLine(line, sought.role) ?? []).filter((each) => isMeant(each, sought));

const quoteName = (name: string): string => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
const isMeant = ({ role, name }: Described, sought: Described): boolean =>
  role === sought.role && isSameName(name, sought.name);

/** One line of `find` each. @throws SpillwayError of `find` */
async function findSought(sought: JsonObject, call: CallPart): Promise<readonly string[]> {
  const { content } = await call('find', { ...sought, limit: CANDIDATES_MAX });
  const text = blockText(content[0]) ?? '';
  return text.startsWith('Nothing matches')
    ? []
    : text.split('\n').filter((line) => parseLine(line) !== null);
}

type Candidate = Described & { readonly ref: string };

const toDescribed = ({ role, name, near, selector, nth, of }: JsonObject): Described => ({
  role: String(role),
  name: String(name),
  ...(typeof near === 'string' ? { near } : {}),
  ...(typeof selector === 'string'
    ? { selector }
    : typeof nth === 'number' && typeof of === 'number'
      ? { nth, of }
      : {}),
});

/**
 * The one in the same place; if there is only one, its place may have another name now. Of several that only their
 * order tells apart, the one at its position, if there are still as many.
 */
function chooseCandidate(candidates: readonly Candidate[], { near, nth, of }: Described): string | null {
  if (nth !== undefined) {
    const same = candidates.filter((each) => near === undefined || each.near === near);
    return same.length === of ? (same[nth - 1]?.ref ?? null) : null;
  }
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return only.ref;
  const [there, second] = candidates.filter((each) => near !== undefined && each.near === near);
  return there !== undefined && second === undefined ? there.ref : null;
}

const inWords = ({ role, name, near, selector, nth, of }: Described): string =>
  `${role} ${JSON.stringify(name)}${selector === undefined ? '' : ` (${selector})`}${near === undefined ? '' : ` ${near}`}${nth === undefined ? '' : `, ${nth} of ${of}`}`;

function notFound(sought: Described, candidates: readonly Candidate[], page: string): SpillwayError {
  const what = inWords(sought);
  const why =
    candidates.length === 0
      ? `There is no ${what}.`
      : `There is more than one: ${what} may be ${candidates
          .slice(0, 5)
          .map((each) => `${each.ref} (${each.near ?? 'no place'})`)
          .join(', ')}.`;
  return new SpillwayError('recipe_target_not_found', `${why} The page shows:\n${page.trim()}\n`);
}

/** Later steps refer to it as `steps.<id>`. A stored output is its descriptor. */
export const answerOf = ({ content, structured, descriptor, state }: ToolResult): JsonObject => ({
  ok: true,
  text: blockText(content[0]),
  structured: structured ?? (descriptor === undefined ? null : { ...descriptor }),
  handle: descriptor?.output_handle ?? null,
  state,
});

/** An answer given in place of a step; a skipped step has none. */
function givenAnswer(value: JsonValue | undefined): JsonObject {
  if (isObject(value) && typeof value['ok'] === 'boolean') return value;
  if (value === undefined || value === null) return { ok: false, skipped: true };
  return { ok: true, text: typeof value === 'string' ? value : null, structured: value };
}

/** The steps of a recipe as a program: interpreted from the first one, even when its run is resumed. */
export class Steps {
  readonly #answers = new Map<string, JsonObject>();
  readonly #passedOver: string[] = [];
  #doing: CallStep | null = null;
  /** A reference that leads to nothing. */
  #failure: SpillwayError | null = null;

  constructor(
    private readonly recipe: Recipe,
    private readonly params: JsonObject,
  ) {}

  /** Runs all steps. Returns the recipe's answer. */
  async run(make: MakeCall): Promise<JsonValue> {
    await this.#all(this.recipe.steps ?? [], make);
    this.#doing = null;
    const last = [...this.#answers.values()].at(-1);
    const { output = last?.['structured'] ?? { text: last?.['text'] ?? null } } = this.recipe;
    return this.recipe.output === undefined ? output : this.#fill(output);
  }

  get facts(): { readonly coverage: readonly string[]; readonly state: JsonObject; readonly source: string } {
    const { name } = this.recipe;
    const urls = [...this.#answers.values()].flatMap(({ state }) => (isObject(state) ? [state['url']] : []));
    return {
      coverage: this.#passedOver,
      state: { recipe: name, done: [...this.#answers.keys()] },
      source: String(urls.findLast((url) => typeof url === 'string') ?? `the recipe ${name}`),
    };
  }

  /** A run's failure with its place in the recipe, and how to continue the run. */
  explainStopped(thrown: unknown, runId: string): SpillwayError {
    const { name, steps } = this.recipe;
    const error = this.#failure ?? toSpillwayError(thrown);
    const resume = `call run_resume {"run_id":"${runId}"}`;
    if (this.#doing === null)
      return error.with({
        message: `Recipe ${name}: output: ${error.message}`,
        hint: `Correct output in the recipe, then ${resume}: all of its steps are done.`,
      });
    const { id, tool } = this.#doing;
    const calls = callsOf(steps);
    const place = `${calls.findIndex((call) => call.id === id) + 1} of ${calls.length}`;
    const done = [...this.#answers.keys()];
    const before = done.length === 0 ? '' : ` Done before it: ${done.join(', ')}.`;
    const skip = `with "outcome":"skip" if ${error.code === 'recipe_target_not_found' ? 'the act is to be left out, and with "outcome":"skip","result":"e12" where that is the element' : 'the step needs no more doing'}`;
    return error.with({
      message: `Recipe ${name} stopped at step ${id} (${tool}, ${place}): ${error.message}${before}`,
      hint: this.#failure === null ? `${error.hint} Then ${resume}, ${skip}.` : error.hint,
      retryable: false,
    });
  }

  async #all(steps: readonly RecipeStep[], make: MakeCall): Promise<void> {
    for (const step of steps) {
      if (!isBranch(step)) await this.#step(step, make);
      else if (holds(step.if, this.#scope())) await this.#all(step.then, make);
      else await this.#all(step.else ?? [], make);
    }
  }

  async #step(step: CallStep, make: MakeCall): Promise<void> {
    const { id, tool, on_error: onError } = step;
    this.#doing = step;
    try {
      const filled = this.#fill(step.args);
      const args = isObject(filled) ? filled : {};
      const acts = args['steps'];
      const isActs =
        tool === 'interact' && isJsonList(acts) && acts.some((act) => hasTarget(act) || hasFrame(act));
      this.#answers.set(id, isActs ? await this.#acts(args, acts, make) : await this.#call(args, make));
    } catch (thrown) {
      if (onError === 'stop') throw thrown;
      const { code, message, hint, retryable } =
        thrown instanceof FlowError ? thrown : (this.#failure ?? toSpillwayError(thrown));
      this.#failure = null;
      this.#passedOver.push(formatNote('allowed_failure', { id, tool, code }));
      this.#answers.set(id, { ok: false, text: message, error: { code, message, hint, retryable } });
    }
  }

  async #call(args: JsonObject, make: MakeCall): Promise<JsonObject> {
    const { id = '', tool: name = '' } = this.#doing ?? {};
    return givenAnswer(
      await make({ kind: 'tool', name, title: `${id}: ${name}`, args: JSON.stringify(args) }),
    );
  }

  /** Act by act, each in the page that the previous act left. */
  async #acts(
    { fields, steps: _, ...rest }: JsonObject,
    acts: readonly JsonValue[],
    make: MakeCall,
  ): Promise<JsonObject> {
    const place = rest['tab'] === undefined ? {} : { tab: rest['tab'] };
    let last: JsonObject = { ok: true, text: 'done 0' };
    if (fields !== undefined) last = await this.#call({ ...rest, fields }, make);
    for (const written of acts) {
      // Its frame is for exports.
      const { frame: _, ...bare } = isObject(written) ? written : {};
      const act = isObject(written) ? bare : written;
      if (!hasTarget(act)) {
        last = await this.#call({ ...rest, steps: [act] }, make);
        continue;
      }
      const perform = (given: string | null): Promise<JsonValue | undefined> =>
        make({
          kind: 'step',
          name: 'interact',
          title: `${this.#doing?.id}: interact`,
          args: JSON.stringify({ act, given }),
          perform: (call) => {
            const inTab: CallPart = (name, args) => call(name, { ...place, ...args });
            const once = async (): Promise<JsonObject> =>
              answerOf(await call('interact', { ...rest, steps: [await withRefs(act, given, inTab)] }));
            // A list may be drawn again after the look.
            return once().catch((thrown: unknown) => {
              if (toSpillwayError(thrown).code === 'stale_ref') return once();
              throw thrown;
            });
          },
        });
      let done = await perform(null);
      // The resuming call has named the element.
      while (typeof done === 'string') done = await perform(done);
      last = givenAnswer(done);
    }
    return last;
  }

  #scope(): JsonObject {
    return { params: this.params, steps: Object.fromEntries(this.#answers) };
  }

  #fill(template: JsonValue): JsonValue {
    try {
      return fillTemplate(template, this.#scope());
    } catch (thrown) {
      this.#failure =
        thrown instanceof BadReference
          ? new SpillwayError('recipe_reference_missing', `${thrown.message}.`)
          : toSpillwayError(thrown);
      throw thrown;
    }
  }
}

/** Whether a condition holds. Incomparable values are not equal. */
function holds(condition: Condition, scope: JsonObject): boolean {
  const { ref, exists, equals, not_equals: notEquals, contains } = condition;
  const found = follow(scope, parseReference(ref) ?? ['']);
  if (exists !== undefined) return exists === (found !== undefined && found !== null);
  if (equals !== undefined) return isEqualValue(found, equals);
  if (notEquals !== undefined) return !isEqualValue(found, notEquals);
  if (contains === undefined || found === undefined) return false;
  return typeof found === 'string' ? found.includes(contains) : isJsonList(found) && found.includes(contains);
}

function isEqualValue(one: JsonValue | undefined, other: JsonValue): boolean {
  if (one === undefined) return false;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
