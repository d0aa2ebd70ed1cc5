import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { JsonObject } from '../../../shared/json.ts';

type Validate = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const compiled = new WeakMap<JsonObject, Validate | null>();

/** What keeps a value from its schema; null where it fits, and where the schema cannot be compiled. */
export function problemOf(schema: JsonObject, value: unknown): string | null {
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
