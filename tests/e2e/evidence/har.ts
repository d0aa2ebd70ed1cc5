import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject } from 'ajv';
import formats from 'ajv-formats';

const load = createRequire(import.meta.url);

/** What the published schema of HAR 1.2 says against a document; empty when it is one. */
export function harProblems(document: unknown): readonly string[] {
  const schemas: Record<string, AnySchemaObject> = load('har-schema');
  const draft6: AnySchemaObject = load('ajv/dist/refs/json-schema-draft-06.json');
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addMetaSchema(draft6);
  ajv.addSchema(Object.values(schemas));
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined) throw new Error('har-schema has no har.json.');
  return validate(document) === true
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
