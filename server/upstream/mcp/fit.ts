import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';

type Validate = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const PROBLEM_UNITS = 400;

const compiled = new WeakMap<JsonObject, Validate | null>();

/** @throws SpillwayError `upstream_error` for an answer that the output schema of its tool does not allow */
export function expectFit(id: string, schema: JsonObject, value: unknown): void {
  const problem = problemOf(schema, value);
  if (problem === null) return;
  throw new SpillwayError(
    'upstream_error',
    `The upstream ${id} answered what its own output schema does not allow: ${cut(problem, PROBLEM_UNITS)}.`,
  );
}

/** What keeps a value from its schema; null where it fits, and where the schema cannot be compiled. */
function problemOf(schema: JsonObject, value: unknown): string | null {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    try {
      // Each has a compiler of its own: two schemas may use the same name.
      validate = new AjvJsonSchemaValidator().getValidator(schema);
    } catch {
      validate = null;
    }
    compiled.set(schema, validate);
  }
  const { valid = true, errorMessage } = validate?.(value) ?? {};
  return valid ? null : (errorMessage ?? 'it does not fit');
}
