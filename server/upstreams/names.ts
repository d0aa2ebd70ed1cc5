import { type SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { sha256 } from '../core/machine/files.ts';

/** Clients begin a name with `mcp__spillway__` or the like, and models' APIs take 64 characters in all. */
const NAME_MAX = 48;
const HASH_UNITS = 8;
const BAD = /[^A-Za-z0-9_-]/gu;

/** A tool under its name for clients. */
export interface NamedTool {
  readonly id: string;
  readonly rawName: string;
  readonly name: string;
  /** Why the name is not `<id>_<tool>`; null if it is. */
  readonly why: string | null;
}

/** Ids of entries: in the order of the file, the second entry with an id gets `_2`, and so on. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const taken = new Set(ids);
  const seen = new Set<string>();
  return ids.map((id) => {
    let distinct = id;
    for (let count = 2; seen.has(distinct) || (distinct !== id && taken.has(distinct)); count += 1)
      distinct = `${id}_${count}`;
    seen.add(distinct);
    return distinct;
  });
}

/**
 * Names every tool of every upstream, without repeats: `<id>_<tool>` if clients accept that, else the nearest
 * name with a hash of its origin. The names of an upstream's tools depend on the ids in the file and on its
 * own list, never on which others are connected.
 * @param sources in the order of the file; ids are distinct
 * @param isTaken whether a name is one of ours
 */
export function nameTools<Source extends { readonly id: string; readonly rawNames: readonly string[] }>(
  sources: readonly Source[],
  isTaken: (name: string) => boolean,
): readonly (NamedTool & { readonly from: Source })[] {
  const used = new Set<string>();
  const isFree = (name: string): boolean => !used.has(name) && !isTaken(name);
  return sources.flatMap((from) => {
    const { id, rawNames } = from;
    const counts = new Map<string, number>();
    const own = [...new Set(rawNames)].map((rawName) => ({ rawName, name: plainName(`${id}_${rawName}`) }));
    for (const { name } of own) counts.set(name, (counts.get(name) ?? 0) + 1);
    return own.map(({ rawName, name }) => {
      const isExact = name === `${id}_${rawName}`;
      const other = sources.find((each) => each.id.length > id.length && name.startsWith(`${each.id}_`));
      const isShared = !isExact && (counts.get(name) ?? 0) > 1;
      const problem = problemOf(name, isTaken(name), other?.id, isShared);
      const given = problem === null && isFree(name) ? name : hashName(name, [id, rawName], isFree);
      used.add(given);
      const why = isExact ? 'another tool has this name' : 'it has characters that clients do not take';
      return { from, id, rawName, name: given, why: isExact && given === name ? null : (problem ?? why) };
    });
  });
}

const plainName = (name: string): string => name.replaceAll(BAD, '_');

/** Why a tool cannot have a name; null if it can. */
function problemOf(
  name: string,
  isOurs: boolean,
  other: string | undefined,
  isShared: boolean,
): string | null {
  if (name.length > NAME_MAX) return `it is longer than ${NAME_MAX} characters`;
  if (isOurs) return 'a tool of Spillway has this name';
  if (other !== undefined) return `it could be a tool of ${other}`;
  return isShared ? 'another tool of the same upstream has this name' : null;
}

/** The longest part of a name that fits, and as much of a hash of its origin as makes it unique. */
function hashName(name: string, origin: readonly string[], isFree: (name: string) => boolean): string {
  const hash = sha256(JSON.stringify(origin));
  const lengths = Array.from({ length: NAME_MAX / HASH_UNITS - 1 }, (_, at) => (at + 1) * HASH_UNITS);
  const names = lengths.map((units) => `${name.slice(0, NAME_MAX - 1 - units)}_${hash.slice(0, units)}`);
  return names.find(isFree) ?? hash.slice(0, NAME_MAX);
}

/**
 * The error of an unknown upstream id: a command knows upstreams from another server's flags only if it gets
 * the same flags.
 */
export function unknownUpstream(id: string, ids: readonly string[]): SpillwayError {
  const shown = id.slice(0, 80);
  const known = ids.length === 0 ? '' : `Write one of ${ids.join(', ')}. `;
  return invalidArgument(
    `Neither spillway.json nor --upstream names "${shown}".`,
    `${known}If a client starts Spillway with --upstream, write that flag here too: \`spillway --upstream '${shown}=…' upstream …\`. The same is true of --config and --home.`,
  );
}
