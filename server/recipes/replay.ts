import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ToolResult } from '../core/result.ts';
import { clean } from '../redact/clean.ts';
import { isSameName, parseLine, stemOf, type Described } from './page-lines.ts';
import { textOf } from './own-calls.ts';

/** How long a target may take to appear: the page of the step before may be loading. */
const APPEAR_MS = 5_000;
const LOOK_MS = 250;
const CANDIDATES_MAX = 50;
/** Tokens of the page that a failure shows. */
const SHOWN_TOKENS = 300;

/** All of it was done by other means. */
const NOTHING_LEFT: ToolResult = { ok: true, content: [{ type: 'text', text: clean`done 0` }], state: {} };

/** Makes a call of the step. */
type Call = (tool: string, args: JsonObject) => Promise<ToolResult>;

/** Acts that change no more than a field: what comes after them needs no new look at the page. */
const FILLS: readonly unknown[] = ['fill', 'type', 'clear', 'check', 'uncheck'];

const isDescribed = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && typeof value['role'] === 'string' && typeof value['name'] === 'string';

const actsOf = (args: JsonObject): readonly JsonValue[] => (isJsonList(args['steps']) ? args['steps'] : []);
const targetsOf = (act: JsonValue): readonly (JsonValue | undefined)[] =>
  isObject(act) ? [act['target'], act['to']] : [];

/** Whether arguments of `interact` name targets by what a page says of them. */
export const hasTargets = (args: JsonObject): boolean =>
  actsOf(args).some((act) => targetsOf(act).some(isDescribed));

/**
 * An `interact` whose targets are found in the page as it is now: those of fields first, then act by act, each
 * in the page that the act before it has left.
 */
export class Replay {
  readonly #args: JsonObject;
  /** Acts that are done or left out. */
  #done = 0;
  /** How many acts the last call had: so many are left out with it. */
  #tried = 1;
  #given: string | null = null;
  /** The target that was not found. */
  #missing: JsonObject | null = null;
  #hasFilled = false;

  constructor(args: JsonObject) {
    this.#args = args;
  }

  /** Leaves out what failed. */
  skip(): void {
    this.#done += this.#tried;
    this.#tried = 1;
  }

  /** The target that was not found is this one. */
  give(target: string): void {
    this.#given = target;
  }

  /** @throws SpillwayError `recipe_target_not_found` where a target is not there, or is not the only one */
  async go(call: Call, signal: AbortSignal): Promise<ToolResult> {
    const { fields, steps: _, ...rest } = this.#args;
    const acts = actsOf(this.#args);
    let last: ToolResult = NOTHING_LEFT;
    if (fields !== undefined && !this.#hasFilled) {
      last = await call('interact', { ...rest, fields });
      if (!last.ok) return last;
      this.#hasFilled = true;
    }
    while (this.#done < acts.length) {
      const batch: JsonValue[] = [];
      this.#tried = 1;
      for (const act of acts.slice(this.#done)) {
        const resolved = await this.#resolve(act, { call, signal, waits: batch.length === 0 });
        // What is found is done before the rest is waited for.
        if (resolved === null) break;
        batch.push(resolved);
        if (!isObject(act) || !FILLS.includes(act['do'])) break;
      }
      this.#tried = batch.length;
      last = await call('interact', { ...rest, steps: batch });
      if (!last.ok) {
        const { done } = last.state;
        if (!isJsonList(done)) return last;
        this.#done += done.length;
        this.#tried = 1;
        return last;
      }
      this.#done += batch.length;
    }
    return last;
  }

  /** An act with refs; null where a target is not there, and is not to be waited for. */
  async #resolve(act: JsonValue, how: Look): Promise<JsonValue> {
    if (!isObject(act)) return act;
    const { target, to } = act;
    const refs = [
      isDescribed(target) ? await this.#find(target, how) : target,
      isDescribed(to) ? await this.#find(to, how) : to,
    ];
    if (refs.includes(null)) return null;
    const [at, end] = refs;
    return { ...act, ...(at === undefined ? {} : { target: at }), ...(end === undefined ? {} : { to: end }) };
  }

  async #find(target: JsonObject, { call, signal, waits }: Look): Promise<string | null> {
    const given = this.#given;
    if (given !== null && target === this.#missing) {
      this.#given = null;
      return given;
    }
    const { tab } = this.#args;
    const place = tab === undefined ? {} : { tab };
    const sought = describe(target);
    let candidates: readonly Candidate[] = [];
    for (let leftMs = APPEAR_MS; leftMs >= 0; leftMs -= LOOK_MS) {
      candidates = await look(sought, place, call);
      const ref = chosen(candidates, sought);
      if (ref !== null) return ref;
      if (!waits) return null;
      // What is there more than once does not become one by waiting.
      if (candidates.length > 1) break;
      await sleep(LOOK_MS, undefined, { signal });
    }
    this.#missing = target;
    const shown = { format: 'snapshot', budget: SHOWN_TOKENS, interactive_only: true };
    const page = await call('read_page', { ...place, ...shown });
    throw notFound(sought, candidates, textOf(page.content[0]) ?? '');
  }
}

/** How a target is looked for. */
interface Look {
  readonly call: Call;
  readonly signal: AbortSignal;
  /** It may take a while to appear. */
  readonly waits: boolean;
}

/** The elements of this role and name that a page has now. @throws SpillwayError of `find` */
async function look(sought: Described, place: JsonObject, call: Call): Promise<readonly Candidate[]> {
  const { role, name } = sought;
  const stem = stemOf(name);
  const part = await linesOf({ role, ...(stem === '' ? {} : { name: stem }) }, place, call);
  // A part of many names: it is asked for those that have the whole one.
  const isWhole = stem === name && stem !== '' && part.length === CANDIDATES_MAX;
  const lines = isWhole ? await linesOf({ query: `role=${role}[name=${quoted(name)}]` }, place, call) : part;
  const meant = candidatesIn(lines, sought);
  if (lines.length < CANDIDATES_MAX || sought.near === undefined) return meant;
  // Of very many, those are asked for that are in a place with such words.
  const words = `${stem} ${sought.near.replace(/^\w+ /, '').replaceAll(/["…]/g, ' ')}`;
  const there = candidatesIn(await linesOf({ query: words }, place, call), sought);
  const same = there.filter(({ near }) => near === sought.near);
  return same.length > 0 ? same : meant;
}

const candidatesIn = (lines: readonly string[], sought: Described): readonly Candidate[] =>
  lines.flatMap((line) => parseLine(line, sought.role) ?? []).filter((each) => isMeant(each, sought));

const quoted = (name: string): string => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
const isMeant = ({ role, name }: Described, sought: Described): boolean =>
  role === sought.role && isSameName(name, sought.name);

/** One line of `find` each. @throws SpillwayError of `find` */
async function linesOf(sought: JsonObject, place: JsonObject, call: Call): Promise<readonly string[]> {
  const { ok, error, content } = await call('find', { ...place, ...sought, limit: CANDIDATES_MAX });
  if (!ok && error !== undefined) throw new SpillwayError(error.code, error.message, { hint: error.hint });
  const text = textOf(content[0]) ?? '';
  return text.startsWith('Nothing matches')
    ? []
    : text.split('\n').filter((line) => parseLine(line) !== null);
}

type Candidate = Described & { readonly ref: string };

const describe = ({ role, name, near }: JsonObject): Described => ({
  role: String(role),
  name: String(name),
  ...(typeof near === 'string' ? { near } : {}),
});

/** The one in the same place; where there is but one, the place may be called otherwise now. */
function chosen(candidates: readonly Candidate[], { near }: Described): string | null {
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return only.ref;
  const [there, second] = candidates.filter((each) => near !== undefined && each.near === near);
  return there !== undefined && second === undefined ? there.ref : null;
}

const inWords = ({ role, name, near }: Described): string =>
  `${role} ${JSON.stringify(name)}${near === undefined ? '' : ` ${near}`}`;

function notFound(sought: Described, candidates: readonly Candidate[], page: string): SpillwayError {
  const what = inWords(sought);
  const why =
    candidates.length === 0
      ? `There is no ${what}.`
      : `There is more than one: ${what} may be ${candidates
          .slice(0, 5)
          .map((each) => `${each.ref} (${each.near ?? 'no place'})`)
          .join(', ')}.`;
  const facts = {
    looked_for: { ...sought },
    candidates: candidates.map((each) => ({ ...each })),
    snapshot: page,
  };
  return new SpillwayError('recipe_target_not_found', `${why} The page shows:\n${page.trim()}\n`, {
    body: facts,
    state: facts,
  });
}
