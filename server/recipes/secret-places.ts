import { parseStep, StepError, plainStep } from '../../shared/act/parse-step.ts';
import { canonicalJson, isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { Redactor } from '../core/services.ts';
import type { CleanJson } from '../redact/clean.ts';

/** The name of a secret, or a parameter, by itself or behind the scheme of a header. */
const NAMED = /^\s*(?:secret:[A-Za-z_]\w{0,63}|(?:(?:basic|bearer|token)\s+)?(?:\{\{[^{}]*\}\}\s*)+)$/i;

/** Places of a recipe with values that redaction would remove, by what they are, or by the name of the field or parameter they are for. */
export function secretPlaces(recipe: Recipe, redactor: Pick<Redactor, 'value'>): readonly string[] {
  const written = valuesOf(parseJson(JSON.stringify(recipe)));
  return changedPlaces(written, redactor.value(written), '');
}

/** What is written in a recipe, without names of secrets and references, and with fields of a page by their labels. */
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
    typeof step === 'string' ? parsed(step) : isObject(step) ? plainStep(step) : null;
  if (act === null || !('do' in act)) return null;
  const { target, value } = act;
  const label = isObject(target)
    ? target['role'] === 'password'
      ? 'password'
      : String(target['name'])
    : labelIn(typeof target === 'string' ? target : '');
  return { ...(typeof step === 'string' ? { line: step } : act), [label]: valuesOf(value ?? null) };
}

function parsed(line: string): JsonObject | null {
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

/** Parameters by their names, each with its default. */
const defaultsOf = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isObject(schema) && typeof schema['default'] === 'string'
        ? valuesOf(schema['default'])
        : valuesOf(schema ?? null),
    ]),
  );

/** Where a redacted value differs from what it was made of. */
function changedPlaces(
  value: JsonValue | undefined,
  redacted: CleanJson | undefined,
  place: string,
): readonly string[] {
  if (isJsonList(value) && isJsonList(redacted))
    return value.flatMap((part, index) => changedPlaces(part, redacted[index], `${place}[${index}]`));
  if (isObject(value) && isObject(redacted))
    return Object.entries(value).flatMap(([key, part]) =>
      part === undefined ? [] : changedPlaces(part, redacted[key], place === '' ? key : `${place}.${key}`),
    );
  return canonicalJson([value ?? null]) === canonicalJson([redacted ?? null]) ? [] : [place];
}
