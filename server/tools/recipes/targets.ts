import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isSameName, parseLine, stemOf, textOf, type Described } from '../../toolkit/page-lines.ts';
import type { CallPart } from '../../toolkit/programs/protocol.ts';

/** How long a target may take to appear: the previous step's page may be loading. */
const APPEAR_MS = 5_000;
const LOOK_MS = 250;
const CANDIDATES_MAX = 50;
/** Tokens of the page that a failure shows. */
const SHOWN_TOKENS = 300;

const isDescribed = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && typeof value['role'] === 'string' && typeof value['name'] === 'string';

/** Whether an act of `interact` names a target by its role, name or text. */
export const hasTarget = (act: JsonValue): act is JsonObject =>
  isObject(act) && (isDescribed(act['target']) || isDescribed(act['to']));

/**
 * An act with its targets in the current page.
 * @param given the element, if someone has named it
 * @throws SpillwayError `recipe_target_not_found` if a target is missing or ambiguous
 */
export async function withRefs(
  act: JsonObject,
  {
    place,
    given,
    call,
  }: { readonly place: JsonObject; readonly given: string | null; readonly call: CallPart },
): Promise<JsonObject> {
  const { target, to } = act;
  let left = given;
  const refOf = async (at: JsonValue | undefined): Promise<JsonValue | undefined> => {
    if (!isDescribed(at)) return at;
    const isOnly = !(isDescribed(target) && isDescribed(to));
    const found = isOnly && left !== null ? left : await find(describe(at), place, call, left);
    if (found === left) left = null;
    return found;
  };
  const [from, end] = [await refOf(target), await refOf(to)];
  return {
    ...act,
    ...(from === undefined ? {} : { target: from }),
    ...(end === undefined ? {} : { to: end }),
  };
}

async function find(
  sought: Described,
  place: JsonObject,
  call: CallPart,
  otherwise: string | null,
): Promise<string> {
  let candidates: readonly Candidate[] = [];
  for (let leftMs = APPEAR_MS; leftMs >= 0; leftMs -= LOOK_MS) {
    candidates = await look(sought, place, call);
    const ref = chosen(candidates, sought);
    if (ref !== null) return ref;
    // Waiting does not reduce several matches to one.
    if (candidates.length > 1 || otherwise !== null) break;
    await sleep(LOOK_MS);
  }
  if (otherwise !== null) return otherwise;
  const shown = { format: 'snapshot', budget: SHOWN_TOKENS, interactive_only: true };
  const page = await call('read_page', { ...place, ...shown });
  throw notFound(sought, candidates, textOf(page.content[0]) ?? '');
}

/** The elements with this role and name on the current page. @throws SpillwayError of `find` */
async function look(sought: Described, place: JsonObject, call: CallPart): Promise<readonly Candidate[]> {
  const { role, name } = sought;
  const stem = stemOf(name);
  const part = await linesOf({ role, ...(stem === '' ? {} : { name: stem }) }, place, call);
  // A part of many names: only those with exactly this name count.
  const isWhole = stem === name && stem !== '' && part.length === CANDIDATES_MAX;
  const lines = isWhole ? await linesOf({ query: `role=${role}[name=${quoted(name)}]` }, place, call) : part;
  const meant = candidatesIn(lines, sought);
  if (lines.length < CANDIDATES_MAX || sought.near === undefined) return meant;
  // If there are very many, only those in a place with such words are requested.
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
async function linesOf(sought: JsonObject, place: JsonObject, call: CallPart): Promise<readonly string[]> {
  const { content } = await call('find', { ...place, ...sought, limit: CANDIDATES_MAX });
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

/** The one in the same place; if there is only one, its place may have another name now. */
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
  return new SpillwayError('recipe_target_not_found', `${why} The page shows:\n${page.trim()}\n`);
}
