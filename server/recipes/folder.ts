import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { checkRecipe } from '../../shared/recipes/check.ts';
import { RECIPE_LIMITS, type Recipe } from '../../shared/recipes/recipe.ts';
import { errnoOf, isFull, isMissing } from '../core/machine/errno.ts';
import { readRegularSync, writeWhole } from '../core/machine/files.ts';
import { parseStep, plainStep, StepError } from '../../shared/act/parse-step.ts';
import {
  canonicalJson,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../shared/base/json.ts';
import { jsonIn, parseJson } from '../../shared/base/json-schema.ts';
import type { Redactor } from '../core/services.ts';
import type { CleanJson } from '../libraries/redaction/clean.ts';

const SUFFIX = '.json';
/** More are not read: a list of this many tools is useless. */
const FILES_MAX = 500;

/** A file of the folder that cannot be used. */
export interface RecipeProblem {
  readonly file: string;
  readonly problem: string;
}

interface ReadFile {
  /** Differs when the file has changed. */
  readonly mark: string;
  readonly content: Recipe | RecipeProblem;
}

/** A recipe of this name exists. */
export const recipeExists = (name: string): SpillwayError =>
  new SpillwayError('recipe_exists', `There is a recipe "${name}" already.`);

const isProblem = (content: Recipe | RecipeProblem): content is RecipeProblem => 'problem' in content;

const parseText = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));

/** The files `<home>/recipes/<name>.json`. Several servers and editors may change them at once. */
export class RecipeFolder {
  readonly path: string;
  #files: ReadonlyMap<string, ReadFile> = new Map();

  constructor(home: string) {
    this.path = join(home, 'recipes');
  }

  /** Reads only changed files: an unchanged one is the same object. Never throws. */
  read() {
    const names = this.#names();
    this.#files = new Map(
      names.slice(0, FILES_MAX).map((file) => {
        const mark = this.#markOf(file);
        const known = this.#files.get(file);
        return [file, known?.mark === mark ? known : { mark, content: this.#readFile(file) }] as const;
      }),
    );
    const contents = [...this.#files.values()].map(({ content }) => content);
    const problem = `it is not read: there are more than ${FILES_MAX} files`;
    const unread = names.slice(FILES_MAX).map((file): RecipeProblem => ({ file, problem }));
    return {
      recipes: contents.filter((content): content is Recipe => !isProblem(content)),
      problems: [...contents.filter(isProblem), ...unread],
    };
  }

  hasRoomFor(name: string): boolean {
    const names = this.#names();
    const at = names.indexOf(`${name}${SUFFIX}`);
    return at < 0 ? names.length < FILES_MAX : at < FILES_MAX;
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.path)
        .filter((file) => file.endsWith(SUFFIX) && !file.startsWith('.'))
        .sort();
    } catch {
      // Created with the first recipe.
      return [];
    }
  }

  #markOf(file: string): string {
    try {
      const { mtimeMs, ctimeMs, size, ino } = lstatSync(join(this.path, file));
      return [mtimeMs, ctimeMs, size, ino].join(' ');
    } catch (thrown) {
      return String(errnoOf(thrown));
    }
  }

  #readFile(file: string): Recipe | RecipeProblem {
    const path = join(this.path, file);
    try {
      const stats = lstatSync(path);
      if (!stats.isFile()) return { file, problem: 'it is not a regular file' };
      if (stats.size > RECIPE_LIMITS.bytes)
        return { file, problem: `it is larger than ${RECIPE_LIMITS.bytes / 1024} KiB` };
      const { recipe, problems } = checkRecipe(parseText(readRegularSync(path)));
      if (recipe === null) return { file, problem: problems.join('; ') };
      if (`${recipe.name}${SUFFIX}` !== file)
        return { file, problem: `name: "${recipe.name}" belongs in ${recipe.name}${SUFFIX}` };
      return recipe;
    } catch (thrown) {
      return { file, problem: messageOf(thrown) };
    }
  }

  /** @throws SpillwayError `recipe_exists` unless it replaces, `store_full`, `store_write_failed` */
  async write({ name }: Recipe, text: string, { replace }: { readonly replace: boolean }): Promise<void> {
    const path = join(this.path, `${name}${SUFFIX}`);
    const draft = join(this.path, `.${name}.${randomBytes(6).toString('hex')}.draft`);
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      // A hard link never overwrites a file: of several programs that save one name at once, one does.
      await writeWhole(path, text, draft, replace ? rename : link);
    } catch (thrown) {
      if (!replace && errnoOf(thrown) === 'EEXIST' && existsSync(path)) throw recipeExists(name);
      throw this.#explainRefused(thrown);
    }
  }

  /** Returns false if the file does not exist. @throws SpillwayError `store_write_failed` */
  async remove(name: string): Promise<boolean> {
    try {
      await rm(join(this.path, `${name}${SUFFIX}`));
      return true;
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw this.#explainRefused(thrown);
    }
  }

  #explainRefused(thrown: unknown): SpillwayError {
    const errno = errnoOf(thrown) ?? String(thrown);
    const code = isFull(thrown) ? 'store_full' : 'store_write_failed';
    return new SpillwayError(code, `Writing to ${this.path} failed (${errno}).`, { cause: thrown });
  }
}

/** The name of a secret, or a parameter, by itself or after a header's scheme. */
const NAMED = /^\s*(?:secret:[A-Za-z_]\w{0,63}|(?:(?:basic|bearer|token)\s+)?(?:\{\{[^{}]*\}\}\s*)+)$/i;

/**
 * Places of a recipe with values that redaction would remove, by their form, or by the name of their field or
 * parameter, and with `hidden` values, which receipts left out.
 */
export function secretPlaces(
  recipe: Recipe,
  redactor: Pick<Redactor, 'value'>,
  hidden: readonly string[],
): readonly string[] {
  const written = valuesOf(parseJson(JSON.stringify(recipe)));
  return findChangedPlaces(written, redactor.value(without(written, hidden)), '');
}

/** The fields and steps of `interact`, which clients may send as JSON text, or one step alone; so may each step be. */
export function actsIn({ fields, steps }: JsonObject): {
  readonly fields: JsonObject;
  readonly steps: readonly JsonValue[];
} {
  const given = (value: JsonValue = null): JsonValue =>
    typeof value === 'string' ? (jsonIn(value) ?? value) : value;
  const [byName, inOrder] = [given(fields), given(steps)];
  return {
    fields: isObject(byName) ? byName : {},
    steps: (isJsonList(inOrder) ? inOrder : [inOrder]).map(given).filter((step) => step !== null),
  };
}

/** The values at some indices of the fields and steps of `interact`; those of `--secrets` are names. */
export function hiddenIn(args: unknown, places: JsonValue | undefined): readonly string[] {
  if (!isJsonList(places) || !isObject(args)) return [];
  const { fields, steps } = actsIn(args);
  const values = [
    ...Object.values(fields),
    ...steps.map((step) => {
      const read = typeof step === 'string' ? stepIn(step) : isObject(step) ? plainStep(step) : null;
      return read?.['value'];
    }),
  ];
  return places
    .flatMap((at) => values[Number(at)] ?? [])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((text) => text !== '' && !text.startsWith('secret:'));
}

/** A shorter value may be part of any text. */
const TELLING_UNITS = 4;

function without(value: JsonValue, hidden: readonly string[]): JsonValue {
  if (isJsonList(value)) return value.map((part) => without(part, hidden));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, without(part ?? null, hidden)]),
    );
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  const isHidden = (one: string): boolean =>
    one.length < TELLING_UNITS ? one === value : text.includes(one);
  return hidden.some(isHidden) ? null : value;
}

function valuesOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return NAMED.test(value) ? null : value;
  if (isJsonList(value)) return value.map(valuesOf);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, '$literal')) return value['$literal'] ?? null;
  if (typeof value['$ref'] === 'string') return valuesOf(value['default'] ?? null);
  const { steps, properties } = value;
  const members = Object.entries(value).map(([key, part]): [string, JsonValue] => [
    key,
    valuesOf(part ?? null),
  ]);
  return {
    ...Object.fromEntries(members),
    ...(isJsonList(steps) ? { steps: steps.map((step) => actOf(step) ?? valuesOf(step)) } : {}),
    ...(isObject(properties) ? { properties: defaultsOf(properties) } : {}),
  };
}

/** An act of `interact` with the label of its field as a name; null for another step. */
function actOf(step: JsonValue): JsonObject | null {
  const act: JsonObject | null =
    typeof step === 'string' ? stepIn(step) : isObject(step) ? plainStep(step) : null;
  if (act === null || !('do' in act)) return null;
  const { target, value } = act;
  const label = isObject(target)
    ? target['role'] === 'password'
      ? 'password'
      : String(target['name'])
    : labelIn(typeof target === 'string' ? target : '');
  return { ...(typeof step === 'string' ? { line: step } : act), [label]: valuesOf(value ?? null) };
}

/** A line of `interact`; null for one that it does not take. */
export function stepIn(line: string): JsonObject | null {
  try {
    return { ...parseStep(line) };
  } catch (thrown) {
    if (thrown instanceof StepError) return null;
    throw thrown;
  }
}

/** `Password` of `label=Password`, `role=textbox[name="Password"]` and `css=#Password`. */
const labelIn = (target: string): string =>
  /["']([^"']+)["']/.exec(target)?.[1] ??
  target
    .replace(/^[a-z]+=/, '')
    .replace(/^.*?[#.=[]/, '')
    .replace(/\]$/, '');

/** Parameters by name, each with its default. */
const defaultsOf = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isObject(schema) && typeof schema['default'] === 'string'
        ? valuesOf(schema['default'])
        : valuesOf(schema ?? null),
    ]),
  );

/** Where a redacted value differs from its original. */
function findChangedPlaces(
  value: JsonValue | undefined,
  redacted: CleanJson | undefined,
  place: string,
): readonly string[] {
  if (isJsonList(value) && isJsonList(redacted))
    return value.flatMap((part, index) => findChangedPlaces(part, redacted[index], `${place}[${index}]`));
  if (isObject(value) && isObject(redacted))
    return Object.entries(value).flatMap(([key, part]) =>
      part === undefined
        ? []
        : findChangedPlaces(part, redacted[key], place === '' ? key : `${place}.${key}`),
    );
  return canonicalJson([value ?? null]) === canonicalJson([redacted ?? null]) ? [] : [place];
}
