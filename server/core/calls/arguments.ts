import { z } from 'zod';
import { cut } from '../../../shared/base/cut.ts';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { describeIssue, jsonIn } from '../../../shared/base/json-schema.ts';
import { isObject } from '../../../shared/base/json.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { nearestNames } from '../registry/selector.ts';

const PROBLEMS_MAX = 5;

/** The fields of the object at `path` of the arguments. */
function shapeAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject['shape'] {
  let shape = schema.shape;
  for (const part of path) {
    let inner: unknown = shape[String(part)];
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    if (!(inner instanceof z.ZodObject)) return {};
    shape = inner.shape;
  }
  return shape;
}

function describeProblem(issue: z.core.$ZodIssue, manifest: ToolManifest): string {
  const known = Object.keys(shapeAt(manifest.input, issue.path));
  if (issue.code !== 'unrecognized_keys') {
    const fields = issue.code === 'invalid_type' && known.length > 0 ? ` of ${known.join(', ')}` : '';
    return `${describeIssue(issue, 'arguments')}${fields}`;
  }
  const prefix = issue.path.map((part) => `${String(part)}.`).join('');
  const suggestions = issue.keys.slice(0, PROBLEMS_MAX).map((key) => {
    const near = nearestNames(key, known);
    return `${prefix}${key.slice(0, 80)}: unknown field${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`;
  });
  const isClear = suggestions.every((suggestion) => suggestion.endsWith('?'));
  const taken = known.length > 0 ? known.join(', ') : 'none';
  return [...suggestions, ...(isClear ? [] : [`it takes ${taken}`])].join('; ');
}

/** Arguments of a call as its tool's schema takes them. */
export interface ParsedArguments {
  /** With defaults. */
  readonly args: Record<string, unknown>;
  /** The names that the caller gave a value. */
  readonly given: readonly string[];
  /** Paths of values that were read as another type, `steps.0`. */
  readonly coerced: readonly string[];
}

/** JSON text within JSON text, and a value whose type shows only after another's. */
const ROUNDS_MAX = 4;
const PATH_UNITS = 100;

/**
 * Parses arguments by the manifest's schema. A value of the wrong type that can mean only one thing is taken:
 * JSON text for a list, object, number or boolean, one value for a list of such values, `null` and empty text
 * for a field that is left out.
 * @throws SpillwayError `invalid_argument` with the path of each field and the values that it takes.
 */
export function parseArguments(manifest: ToolManifest, given: unknown): ParsedArguments {
  const coerced = new Set<string>();
  let value: unknown = given === undefined ? {} : given;
  for (let round = 0; ; round += 1) {
    const parsed = manifest.input.safeParse(value);
    if (parsed.success) {
      const lost = lostName(value, parsed.data);
      if (lost !== null) throw invalidArgument(`${manifest.name}: ${lost}: takes no such name.`);
      return {
        args: parsed.data,
        given: isObject(value) ? Object.keys(value) : [],
        coerced: [...coerced],
      };
    }
    const { issues } = parsed.error;
    const changes = round < ROUNDS_MAX ? changesFor(issues, value) : [];
    if (changes.length === 0) throw refusal(manifest, issues);
    for (const { path, to } of changes) {
      coerced.add(cut(path.map(String).join('.'), PATH_UNITS));
      value = withValue(value, path, to);
    }
  }
}

/** The path of the first member `__proto__` that is missing in what Zod made of an object, or null. */
function lostName(given: unknown, parsed: unknown): string | null {
  const left = [{ path: '', given, parsed }];
  for (let one = left.pop(); one !== undefined; one = left.pop())
    for (const [name, value] of Object.entries(isContainer(one.given) ? one.given : {})) {
      const kept = isContainer(one.parsed) ? Object.getOwnPropertyDescriptor(one.parsed, name) : undefined;
      if (name === '__proto__' && kept === undefined) return one.path + name;
      if (isContainer(value)) left.push({ path: `${one.path}${name}.`, given: value, parsed: kept?.value });
    }
  return null;
}

function refusal(manifest: ToolManifest, issues: readonly z.core.$ZodIssue[]) {
  const problems = issues.slice(0, PROBLEMS_MAX).map((issue) => describeProblem(issue, manifest));
  const details = problems.join('; ');
  return invalidArgument(`${manifest.name}: ${details}${/[.?]$/.test(details) ? '' : '.'}`);
}

type Path = readonly PropertyKey[];

/** The value to try at a path; undefined removes it. */
interface Change {
  readonly path: Path;
  readonly to: unknown;
}

function changesFor(issues: readonly z.core.$ZodIssue[], root: unknown): readonly Change[] {
  return issues.flatMap((issue) => {
    const value = valueAt(root, issue.path);
    if (issue.code !== 'invalid_union') return changeFor(issue, value);
    // The first alternative that the value can be read as.
    const readings = issue.errors.map((errors) => {
      const changes = changesFor(errors, value);
      const isWrapped = changes.some(
        ({ path, to }) => path.length === 0 && Array.isArray(to) && to[0] === value,
      );
      return isWrapped || changes.length < errors.length ? [] : changes;
    });
    const reading = readings.find((changes) => changes.length > 0) ?? [];
    return reading.map(({ path, to }) => ({ path: [...issue.path, ...path], to }));
  });
}

function changeFor(issue: z.core.$ZodIssue, value: unknown): readonly Change[] {
  const { code, path } = issue;
  if ((value === null || value === '') && typeof path.at(-1) === 'string') return [{ path, to: undefined }];
  if (code === 'invalid_value') {
    const same = issue.values.filter((each) => String(each).toLowerCase() === String(value).toLowerCase());
    return same.length === 1 ? [{ path, to: same[0] }] : [];
  }
  if (code !== 'invalid_type') return [];
  const to = readAs(issue.expected, value);
  return to === undefined ? [] : [{ path, to }];
}

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  object: isObject,
  record: isObject,
  number: Number.isFinite,
  int: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
};

/** Undefined for a value that may mean something else. */
function readAs(expected: string, value: unknown): unknown {
  if (expected === 'string') return typeof value === 'number' ? String(value) : undefined;
  const isKind = KINDS[expected];
  if (isKind === undefined || value === undefined) return undefined;
  const read =
    typeof value === 'string'
      ? jsonIn(/^\s*(?:true|false)\s*$/i.test(value) ? value.toLowerCase() : value)
      : undefined;
  if (isKind(read)) return read;
  return expected === 'array' && !Array.isArray(value) ? [value] : undefined;
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce((value: unknown, part) => (isContainer(value) ? Reflect.get(value, part) : undefined), root);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A copy of `root` with another value at a path. */
function withValue(root: unknown, [part, ...rest]: Path, to: unknown): unknown {
  if (part === undefined) return to;
  if (isList(root)) return root.map((each, at) => (at === part ? withValue(each, rest, to) : each));
  const members = Object.entries(isContainer(root) ? root : {}).flatMap(([name, each]) => {
    if (name !== part) return [[name, each]];
    const made = withValue(each, rest, to);
    return made === undefined ? [] : [[name, made]];
  });
  return Object.fromEntries(members);
}
