import type { CleanJson, CleanRecord } from '../../redact/clean.ts';
import { isJsonList } from '../../../shared/json.ts';

/** A tree of names: `{ request: { url: {} } }` for `request.url`. An empty one takes all. */
interface Wanted {
  readonly [name: string]: Wanted;
}

/** The start of a path that was not requested before. */
const NOTHING: Wanted = {};

function plant(tree: Wanted, [name, ...rest]: readonly string[]): Wanted {
  if (name === undefined) return tree;
  const known = Object.hasOwn(tree, name) ? tree[name] : undefined;
  // A path that takes all of a member takes its parts too.
  if (known !== undefined && Object.keys(known).length === 0) return tree;
  return { ...tree, [name]: rest.length === 0 ? NOTHING : plant(known ?? NOTHING, rest) };
}

function pick(value: CleanJson, wanted: Wanted): CleanJson | undefined {
  const names = Object.keys(wanted);
  if (names.length === 0) return value;
  if (isJsonList(value)) return value.map((item) => pick(item, wanted) ?? null);
  if (typeof value !== 'object' || value === null) return undefined;
  const members = names.flatMap((name): [string, CleanJson][] => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const picked = member === undefined ? undefined : pick(member, wanted[name] ?? NOTHING);
    return picked === undefined ? [] : [[name, picked]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function holds(value: CleanJson | undefined, [name, ...rest]: readonly string[]): boolean {
  if (value === undefined || name === undefined) return value !== undefined;
  if (value === null || typeof value !== 'object') return false;
  if (isJsonList(value)) return value.some((item) => holds(item, [name, ...rest]));
  return Object.hasOwn(value, name) && holds(value[name], rest);
}

/** Cuts entries down to some of their members, named by paths such as `request.url`. */
export class Projection {
  readonly #paths: Map<string, readonly string[]>;
  readonly #wanted: Wanted;

  /** @param fields paths; through a list they lead into each of its items */
  constructor(fields: readonly string[]) {
    this.#paths = new Map(fields.map((field) => [field, field.split('.')]));
    this.#wanted = ['_id', ...fields].reduce((tree, field) => plant(tree, field.split('.')), NOTHING);
  }

  /** The entry's id, and what was asked for. */
  apply(entry: CleanRecord): CleanJson {
    for (const [field, path] of this.#paths) if (holds(entry, path)) this.#paths.delete(field);
    return pick(entry, this.#wanted) ?? {};
  }

  /** Fields that no entry had. */
  get unseen(): readonly string[] {
    return [...this.#paths.keys()];
  }
}
