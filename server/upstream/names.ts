import { type SpillwayError, invalidArgument } from '../../shared/errors.ts';
import { PROVIDED_NAME_PATTERN } from '../../shared/tools/manifest.ts';
import { sha256 } from '../machine/files.ts';

const NAME_MAX = 64;
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
export function nameTools(
  sources: readonly { readonly id: string; readonly rawNames: readonly string[] }[],
  isTaken: (name: string) => boolean,
): readonly NamedTool[] {
  const used = new Set<string>();
  const ids = sources.map(({ id }) => id);
  return sources.flatMap(({ id, rawNames }) => {
    const own = [...new Set(rawNames)];
    const plain = new Map<string, number>();
    for (const rawName of own) {
      const name = plainName(id, rawName);
      plain.set(name, (plain.get(name) ?? 0) + 1);
    }
    return own.map((rawName): NamedTool => {
      const natural = `${id}_${rawName}`;
      const name = plainName(id, rawName);
      const isExact = name === natural;
      const other = ids.find((each) => each.length > id.length && name.startsWith(`${each}_`));
      const isShared = !isExact && ((plain.get(name) ?? 0) > 1 || own.includes(name.slice(id.length + 1)));
      const reason = reasonOf({ name, isTaken, other, isShared });
      const given =
        reason === null && !used.has(name) ? name : hashedName(natural, id, rawName, used, isTaken);
      used.add(given);
      const why = reason ?? (isExact ? null : 'it has characters that clients do not take');
      return {
        id,
        rawName,
        name: given,
        why: given === natural ? null : (why ?? 'another tool has this name'),
      };
    });
  });
}

const plainName = (id: string, rawName: string): string => `${id}_${rawName}`.replace(BAD, '_');

function reasonOf({
  name,
  isTaken,
  other,
  isShared,
}: {
  readonly name: string;
  readonly isTaken: (name: string) => boolean;
  readonly other: string | undefined;
  readonly isShared: boolean;
}): string | null {
  if (!PROVIDED_NAME_PATTERN.test(name)) return `it is longer than ${NAME_MAX} characters`;
  if (isTaken(name)) return 'a tool of Spillway has this name';
  if (other !== undefined) return `it could be a tool of ${other}`;
  return isShared ? 'another tool of the same upstream has this name' : null;
}

/** A name that only this tool has: the longest part of its own name that fits, and a hash. */
function hashedName(
  natural: string,
  id: string,
  rawName: string,
  used: ReadonlySet<string>,
  isTaken: (name: string) => boolean,
): string {
  const hash = sha256(JSON.stringify([id, rawName]));
  for (let units = HASH_UNITS; units < NAME_MAX; units += HASH_UNITS) {
    const start = natural.replace(BAD, '_').slice(0, NAME_MAX - 1 - units);
    const name = `${start}_${hash.slice(0, units)}`;
    if (!used.has(name) && !isTaken(name)) return name;
  }
  return hash;
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
    `${known}If a client starts Spillway with --upstream, write that flag here too: \`spillway --upstream '${shown}=…' upstream …\`.`,
  );
}
